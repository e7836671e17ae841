//! Targets for the figures, and whether they are met.

use super::frontier::FrontierReport;
use super::peers::SiteLayout;
use super::rounds::{PeerRow, PeerRun, describe_layout};
use crate::statistics::FigureSpread;
use serde::Serialize;

/// A target with its result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BarVerdict {
    pub name: String,
    /// The measured figure, with its range over several rounds.
    pub figure: Option<FigureSpread>,
    /// The limit: a maximum, or a minimum if `at_least` is set.
    pub limit: f64,
    pub at_least: bool,
    pub unit: &'static str,
    /// `None` if not measured.
    pub passed: Option<bool>,
}

impl BarVerdict {
    fn new(
        name: String,
        figure: Option<FigureSpread>,
        limit: f64,
        at_least: bool,
        unit: &'static str,
    ) -> Self {
        let passes =
            |figure: FigureSpread| if at_least { figure.median >= limit } else { figure.median <= limit };
        Self { passed: figure.map(passes), name, figure, limit, at_least, unit }
    }
}

/// Ratios of Geotrawl's CPU to that of other programs (the cheapest of them counts): peers, site,
/// maximum.
const RATIOS: &[(&str, &[&str], SiteLayout, f64)] = &[
    (
        "Scrapy at its best",
        &["scrapy-stripped", "scrapy-asyncio", "scrapy-default"],
        SiteLayout::ManyHosts,
        1.0 / 20.0,
    ),
    ("spider", &["spider"], SiteLayout::OneHost, 1.0),
    ("the floor", &["floor"], SiteLayout::ManyHosts, 2.5),
    ("the floor", &["floor"], SiteLayout::OneHost, 2.5),
    ("itself when first measured", &["first"], SiteLayout::ManyHosts, 0.75),
    ("itself when first measured", &["first"], SiteLayout::OneHost, 0.75),
];

/// Minimum pages per second of the shared store relative to the embedded one.
const SHARED: f64 = 0.6;

/// Number of known URLs for which the frontier's targets apply.
pub const FRONTIER_URLS: u64 = 20_000_000;

/// Returns all targets, measured or not.
pub fn judge_bars(rows: &[PeerRow], frontier: Option<&FrontierReport>) -> Vec<BarVerdict> {
    let mut bars: Vec<BarVerdict> = RATIOS
        .iter()
        .map(|(name, peers, site, limit)| {
            let name = format!("CPU against {name} ({})", describe_layout(*site));
            BarVerdict::new(name, ratio(rows, peers, *site), *limit, false, "times")
        })
        .collect();
    bars.extend([SiteLayout::ManyHosts, SiteLayout::OneHost].map(|site| {
        let name =
            format!("pages per second on PostgreSQL against the embedded store ({})", describe_layout(site));
        let shared = against(rows, "postgres", "geotrawl", site, PeerRun::pages_per_second);
        BarVerdict::new(name, shared, SHARED, true, "times")
    }));
    let full = frontier.filter(|frontier| frontier.known >= FRONTIER_URLS);
    let one = |figure: Option<f64>| figure.and_then(|figure| FigureSpread::from_figures([figure]));
    let name = |what: &str| format!("frontier of 20 million: {what}");
    bars.push(BarVerdict::new(
        name("peak memory"),
        one(full.map(|f| f.peak_rss_bytes as f64 / 1e6)),
        1e3,
        false,
        "MB",
    ));
    bars.push(BarVerdict::new(
        name("slowest adding"),
        one(full.map(FrontierReport::slowest_rate)),
        150e3,
        true,
        "links/s",
    ));
    bars.push(BarVerdict::new(name("restart"), one(full.map(|f| f.restart_s)), 10.0, false, "s"));
    bars
}

/// Returns the CPU of Geotrawl relative to the cheapest of these peers.
fn ratio(rows: &[PeerRow], peers: &[&str], site: SiteLayout) -> Option<FigureSpread> {
    let cpu = |peer: &str| Some(of(rows, peer, site)?.spread(PeerRun::cpu_per_1000_pages)?.median);
    let cheapest = peers
        .iter()
        .filter_map(|peer| Some((*peer, cpu(peer)?)))
        .min_by(|one, other| one.1.total_cmp(&other.1))?;
    against(rows, "geotrawl", cheapest.0, site, PeerRun::cpu_per_1000_pages)
}

fn of<'r>(rows: &'r [PeerRow], peer: &str, site: SiteLayout) -> Option<&'r PeerRow> {
    rows.iter().find(|row| row.peer == peer && row.site == site)
}

/// Returns the ratio of the medians of a figure, with the range of the ratios within one round.
fn against(
    rows: &[PeerRow],
    one: &str,
    other: &str,
    site: SiteLayout,
    figure: fn(&PeerRun) -> f64,
) -> Option<FigureSpread> {
    let (one, other) = (of(rows, one, site)?, of(rows, other, site)?);
    let rounds = one.runs.iter().zip(&other.runs);
    let range = FigureSpread::from_figures(rounds.map(|(one, other)| figure(one) / figure(other)))?;
    Some(FigureSpread { median: one.spread(figure)?.median / other.spread(figure)?.median, ..range })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::child::ProcessUsage;

    fn row(peer: &'static str, site: SiteLayout, cpu: &[f64]) -> PeerRow {
        let run = |cpu: &f64| PeerRun {
            usage: ProcessUsage { wall_s: 1.0, user_s: *cpu, system_s: 0.0, peak_rss_bytes: 1 },
            pages: 1_000,
            further_requests: 0,
            disk_bytes: None,
        };
        PeerRow { peer, title: peer.into(), site, runs: cpu.iter().map(run).collect(), failure: None }
    }

    #[test]
    fn each_bar_compares_on_its_own_site_and_with_the_cheapest_rival() {
        let rows = [
            row("geotrawl", SiteLayout::ManyHosts, &[0.4, 0.2, 0.3]),
            row("scrapy-default", SiteLayout::ManyHosts, &[9.0, 9.0, 9.0]),
            row("scrapy-stripped", SiteLayout::ManyHosts, &[6.0, 7.0, 5.0]),
            row("floor", SiteLayout::ManyHosts, &[0.1, 0.1, 0.1]),
            row("geotrawl", SiteLayout::OneHost, &[0.2]),
            row("spider", SiteLayout::OneHost, &[0.3]),
            row("first", SiteLayout::OneHost, &[0.4]),
            row("postgres", SiteLayout::OneHost, &[0.9]),
        ];
        let bars = judge_bars(&rows, None);
        let figure = |at: usize| bars[at].figure.map(|figure| (figure.median * 1e4).round() / 1e4);
        assert_eq!((figure(0), bars[0].passed), (Some(0.05), Some(true)), "{:?}", bars[0]);
        assert_eq!((figure(1), bars[1].passed), (Some(0.6667), Some(true)), "{:?}", bars[1]);
        assert_eq!((figure(2), bars[2].passed), (Some(3.0), Some(false)), "{:?}", bars[2]);
        assert_eq!((figure(3), bars[3].passed), (None, None), "no floor on one host");
        assert_eq!((figure(4), figure(5), bars[5].passed), (None, Some(0.5), Some(true)));
        // The same wall time, but not the same processor time.
        assert_eq!((figure(6), figure(7), bars[7].passed), (None, Some(1.0), Some(true)));
        assert!(bars[8..].iter().all(|bar| bar.passed.is_none()), "no frontier was measured");
    }

    #[test]
    fn a_small_frontier_meets_no_bar_of_the_large_one() {
        let frontier = FrontierReport {
            known: FRONTIER_URLS,
            restart_s: 2.0,
            peak_rss_bytes: 400_000_000,
            memory_bytes_per_known_url: 2.0,
            disk_bytes_per_known_url: 90.0,
            links_per_cpu_s: 300e3,
            steps: vec![],
            all: serde_json::Value::Null,
        };
        let verdicts = |frontier: &FrontierReport| {
            judge_bars(&[], Some(frontier))[8..].iter().map(|bar| bar.passed).collect::<Vec<_>>()
        };
        assert_eq!(
            verdicts(&frontier),
            [Some(true), Some(false), Some(true)],
            "without steps nothing was added"
        );
        assert_eq!(verdicts(&FrontierReport { known: 1_000_000, ..frontier }), [None, None, None]);
    }
}
