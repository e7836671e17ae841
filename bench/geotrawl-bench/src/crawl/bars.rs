//! The bars: what the figures must be, and whether they are.

use super::frontier::Frontier;
use super::peers::Layout;
use super::rounds::{Row, Run, words};
use crate::statistics::Spread;
use serde::Serialize;

/// A bar with its verdict.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bar {
    pub name: String,
    /// What was measured, and the range over the rounds where there are several.
    pub figure: Option<Spread>,
    /// What it may be; `at_least` turns it round.
    pub limit: f64,
    pub at_least: bool,
    pub unit: &'static str,
    /// `None`: not measured.
    pub passed: Option<bool>,
}

impl Bar {
    fn new(name: String, figure: Option<Spread>, limit: f64, at_least: bool, unit: &'static str) -> Self {
        let passes = |figure: Spread| if at_least { figure.median >= limit } else { figure.median <= limit };
        Self { passed: figure.map(passes), name, figure, limit, at_least, unit }
    }
}

/// CPU of Geotrawl against that of the others: peers (the cheapest of them counts), site, largest ratio.
const RATIOS: &[(&str, &[&str], Layout, f64)] = &[
    (
        "Scrapy at its best",
        &["scrapy-stripped", "scrapy-asyncio", "scrapy-default"],
        Layout::ManyHosts,
        1.0 / 20.0,
    ),
    ("spider", &["spider"], Layout::OneHost, 1.0),
    ("the floor", &["floor"], Layout::ManyHosts, 2.5),
    ("the floor", &["floor"], Layout::OneHost, 2.5),
    ("itself when first measured", &["first"], Layout::ManyHosts, 0.75),
    ("itself when first measured", &["first"], Layout::OneHost, 0.75),
];

/// What the shared store must bring of the pages a second of the embedded one.
const SHARED: f64 = 0.6;

/// The frontier's bars hold for this many known URLs.
pub const FRONTIER_URLS: u64 = 20_000_000;

/// All bars, measured or not.
pub fn judge(rows: &[Row], frontier: Option<&Frontier>) -> Vec<Bar> {
    let mut bars: Vec<Bar> = RATIOS
        .iter()
        .map(|(name, peers, site, limit)| {
            let name = format!("CPU against {name} ({})", words(*site));
            Bar::new(name, ratio(rows, peers, *site), *limit, false, "times")
        })
        .collect();
    bars.extend([Layout::ManyHosts, Layout::OneHost].map(|site| {
        let name = format!("pages a second on PostgreSQL against the embedded store ({})", words(site));
        let shared = against(rows, "postgres", "geotrawl", site, Run::pages_per_second);
        Bar::new(name, shared, SHARED, true, "times")
    }));
    let full = frontier.filter(|frontier| frontier.known >= FRONTIER_URLS);
    let one = |figure: Option<f64>| figure.and_then(|figure| Spread::of([figure]));
    let name = |what: &str| format!("frontier of 20 million: {what}");
    bars.push(Bar::new(
        name("peak memory"),
        one(full.map(|f| f.peak_rss_bytes as f64 / 1e6)),
        1e3,
        false,
        "MB",
    ));
    bars.push(Bar::new(name("slowest adding"), one(full.map(Frontier::slowest)), 150e3, true, "links/s"));
    bars.push(Bar::new(name("restart"), one(full.map(|f| f.restart_s)), 10.0, false, "s"));
    bars
}

/// CPU of Geotrawl against the cheapest of these.
fn ratio(rows: &[Row], peers: &[&str], site: Layout) -> Option<Spread> {
    let cpu = |peer: &str| Some(of(rows, peer, site)?.spread(Run::cpu_per_1000_pages)?.median);
    let cheapest = peers
        .iter()
        .filter_map(|peer| Some((*peer, cpu(peer)?)))
        .min_by(|one, other| one.1.total_cmp(&other.1))?;
    against(rows, "geotrawl", cheapest.0, site, Run::cpu_per_1000_pages)
}

fn of<'r>(rows: &'r [Row], peer: &str, site: Layout) -> Option<&'r Row> {
    rows.iter().find(|row| row.peer == peer && row.site == site)
}

/// Ratio of the medians of a figure; the range is that of the ratios within one round.
fn against(rows: &[Row], one: &str, other: &str, site: Layout, figure: fn(&Run) -> f64) -> Option<Spread> {
    let (one, other) = (of(rows, one, site)?, of(rows, other, site)?);
    let rounds = one.runs.iter().zip(&other.runs);
    let range = Spread::of(rounds.map(|(one, other)| figure(one) / figure(other)))?;
    Some(Spread { median: one.spread(figure)?.median / other.spread(figure)?.median, ..range })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::child::Usage;

    fn row(peer: &'static str, site: Layout, cpu: &[f64]) -> Row {
        let run = |cpu: &f64| Run {
            usage: Usage { wall_s: 1.0, user_s: *cpu, system_s: 0.0, peak_rss_bytes: 1 },
            pages: 1_000,
            further_requests: 0,
            disk_bytes: None,
        };
        Row { peer, title: peer.into(), site, runs: cpu.iter().map(run).collect(), failure: None }
    }

    #[test]
    fn each_bar_compares_on_its_own_site_and_with_the_cheapest_rival() {
        let rows = [
            row("geotrawl", Layout::ManyHosts, &[0.4, 0.2, 0.3]),
            row("scrapy-default", Layout::ManyHosts, &[9.0, 9.0, 9.0]),
            row("scrapy-stripped", Layout::ManyHosts, &[6.0, 7.0, 5.0]),
            row("floor", Layout::ManyHosts, &[0.1, 0.1, 0.1]),
            row("geotrawl", Layout::OneHost, &[0.2]),
            row("spider", Layout::OneHost, &[0.3]),
            row("first", Layout::OneHost, &[0.4]),
            row("postgres", Layout::OneHost, &[0.9]),
        ];
        let bars = judge(&rows, None);
        let figure = |at: usize| bars[at].figure.map(|figure| (figure.median * 1e4).round() / 1e4);
        assert_eq!((figure(0), bars[0].passed), (Some(0.05), Some(true)), "{:?}", bars[0]);
        assert_eq!((figure(1), bars[1].passed), (Some(0.6667), Some(true)), "{:?}", bars[1]);
        assert_eq!((figure(2), bars[2].passed), (Some(3.0), Some(false)), "{:?}", bars[2]);
        assert_eq!((figure(3), bars[3].passed), (None, None), "no floor on one host");
        assert_eq!((figure(4), figure(5), bars[5].passed), (None, Some(0.5), Some(true)));
        // The same time on the clock, whatever the processor.
        assert_eq!((figure(6), figure(7), bars[7].passed), (None, Some(1.0), Some(true)));
        assert!(bars[8..].iter().all(|bar| bar.passed.is_none()), "no frontier was measured");
    }

    #[test]
    fn a_small_frontier_meets_no_bar_of_the_large_one() {
        let frontier = Frontier {
            known: FRONTIER_URLS,
            restart_s: 2.0,
            peak_rss_bytes: 400_000_000,
            memory_bytes_per_known_url: 2.0,
            disk_bytes_per_known_url: 90.0,
            links_per_cpu_s: 300e3,
            steps: vec![],
            all: serde_json::Value::Null,
        };
        let verdicts = |frontier: &Frontier| {
            judge(&[], Some(frontier))[8..].iter().map(|bar| bar.passed).collect::<Vec<_>>()
        };
        assert_eq!(
            verdicts(&frontier),
            [Some(true), Some(false), Some(true)],
            "without steps nothing was added"
        );
        assert_eq!(verdicts(&Frontier { known: 1_000_000, ..frontier }), [None, None, None]);
    }
}
