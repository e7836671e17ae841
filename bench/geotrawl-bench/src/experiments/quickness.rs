//! Quickness: share of the services that each ranking has found after a share of the pages.

use super::ExperimentReport;
use super::crawl::{self, CrawlTrace};
use super::curve::DiscoveryCurve;
use super::plot::{self, PlotLine, PlotSpec};
use anyhow::Result;
use geotrawl_crawl::options::CrawlOptions;
use geotrawl_rank::ORDERINGS;
use geotrawl_simweb::SimWeb;
use std::collections::HashSet;

/// The ranking that the targets apply to.
const OURS: &str = "learned";
/// Deep enough for every page.
pub const DEPTH: u32 = 60;

/// A curve as points of a plot.
type CurvePoints = Vec<(f64, f64)>;

struct MeasuredWeb {
    ordering: &'static str,
    curve: DiscoveryCurve,
}

/// Results of all measured webs.
struct QuicknessSummary {
    /// Curves of every ordering, one per web.
    curves: Vec<(&'static str, Vec<CurvePoints>)>,
    /// For our ranking: the largest share of pages needed for 90 %, and the smallest area.
    latest: f64,
    smallest: f64,
}

/// Crawls every web once with every ranking.
pub fn run(webs: &[SimWeb], only: &[String], report: &mut ExperimentReport) -> Result<()> {
    let chosen: Vec<_> = ORDERINGS
        .iter()
        .map(|choice| choice.name)
        .filter(|name| only.is_empty() || only.iter().any(|wanted| wanted == name))
        .collect();
    report.say("# Quickness of the rankings\n");
    report.say(format!(
        "Real crawls of {} simulated webs, none of them used for training, every ranking from the same seeds with an empty \
         catalogue and only the built-in model. {} concurrent requests, {} ms until every \
         answer, no crawl delay. A service counts when it is found for the first time, through any of its aliases; \
         pages are all requests for pages, as a share of a complete crawl. The area is the mean share of services found over all shares of pages read.\n",
        webs.len(),
        crawl::CONCURRENCY,
        crawl::LATENCY.as_millis()
    ));
    report.say("| web | pages | services | ranking | 50 % after | 90 % after | area |\n|---|---|---|---|---|---|---|");
    let curves = chosen.iter().map(|name| (*name, Vec::new())).collect();
    let mut summary = QuicknessSummary { curves, latest: 0.0, smallest: 1.0 };
    for web in webs {
        measure(web, &chosen, &mut summary, report)?;
    }
    report.say("");
    plot(summary.curves, report)?;
    report.say(
        "Li, Yang and Yang (2010) report that their model found 90 % of the map services after half of the pages, and FIFO half \
         of them. Their setting differs: the live web of 2008, WMS only, pages of a single crawl; ours are generated \
         webs with services and files of all kinds, and everything reachable is read in the end.\n",
    );
    if chosen.contains(&OURS) {
        crowded(&webs[..webs.len().min(1)], report)?;
        let (latest, smallest) = (summary.latest, summary.smallest);
        report.bar(
            latest <= 0.25,
            &format!(
                "90 % of the services within 25 % of the pages on every web (latest {:.1} %)",
                latest * 100.0
            ),
        );
        report.bar(smallest >= 0.88, &format!("area of at least 0.88 on every web (smallest {smallest:.3})"));
    }
    report.page("quickness.md")
}

/// Crawls one web with every ranking and reports a line for each.
fn measure(
    web: &SimWeb,
    orderings: &[&'static str],
    summary: &mut QuicknessSummary,
    report: &mut ExperimentReport,
) -> Result<()> {
    let mut all = HashSet::new();
    let mut measured = Vec::new();
    for &ordering in orderings {
        let options = CrawlOptions { depth: DEPTH, ordering: ordering.to_owned(), ..CrawlOptions::default() };
        let CrawlTrace { pages, found, .. } = crawl::run(web, web.seeds(), options)?;
        all.extend(found);
        measured.push(MeasuredWeb {
            ordering,
            curve: DiscoveryCurve::from_gains(pages.iter().map(|page| page.gained)),
        });
    }
    let pages = measured.iter().map(|one| one.curve.page_count()).max().unwrap_or_default();
    let services = all.len() as u32;
    for MeasuredWeb { ordering, curve } in &measured {
        let percent =
            |share: Option<f64>| share.map_or("never".into(), |share| format!("{:.1} %", share * 100.0));
        let (ninety, area) = (curve.pages_needed(0.9, pages, services), curve.mean_share(pages, services));
        report.say(format!(
            "| {} | {pages} | {services} | {ordering} | {} | {} | {area:.3} |",
            web.truth().seed,
            percent(curve.pages_needed(0.5, pages, services)),
            percent(ninety),
        ));
        if *ordering == OURS {
            summary.latest = summary.latest.max(ninety.unwrap_or(1.0));
            summary.smallest = summary.smallest.min(area);
        }
        if let Some((_, curves)) = summary.curves.iter_mut().find(|(name, _)| name == ordering) {
            curves.push(curve.plot_points(pages, services));
        }
    }
    Ok(())
}

/// Plots the mean curve of every ranking with published results.
fn plot(curves: Vec<(&str, Vec<CurvePoints>)>, report: &mut ExperimentReport) -> Result<()> {
    let mut lines: Vec<PlotLine> = curves
        .into_iter()
        .map(|(name, curves)| PlotLine { name: name.to_owned(), points: mean(&curves), published: false })
        .collect();
    // Li, Yang and Yang 2010, figure 12 and the text around it.
    let published = |name: &str, points: &[(f64, f64)]| PlotLine {
        name: name.to_owned(),
        points: points.to_vec(),
        published: true,
    };
    lines.push(published("Li 2010, FIFO (published)", &[(0.5, 0.5)]));
    lines.push(published("Li 2010, ATF (published)", &[(0.5, 0.9)]));
    let plot = PlotSpec {
        title: "Services found against pages read, mean of all webs",
        x: "share of the reachable pages read",
        y: "share of the services found",
        x_to: 1.0,
        y_to: 1.0,
        percent: (true, true),
    };
    plot::write_plot(&report.plot("quickness.svg"), &plot, &lines)?;
    report.say("![Services found against pages read](quickness.svg)\n");
    Ok(())
}

/// Measures the effect of more concurrent requests.
fn crowded(webs: &[SimWeb], report: &mut ExperimentReport) -> Result<()> {
    report.say("Effect of more concurrent requests: each goes to another host, so the best host cannot get all of them.\n");
    report.say("| web | concurrent requests | 50 % after | 90 % after | area |\n|---|---|---|---|---|");
    for web in webs {
        for concurrency in [crawl::CONCURRENCY, 8, 32] {
            let options = CrawlOptions { depth: DEPTH, ordering: OURS.to_owned(), ..CrawlOptions::default() };
            let trace = crawl::run_with(web, web.seeds(), options, concurrency)?;
            let curve = DiscoveryCurve::from_gains(trace.pages.iter().map(|page| page.gained));
            let (pages, services) = (curve.page_count(), curve.total_found());
            let needed = |share| curve.pages_needed(share, pages, services).unwrap_or(1.0) * 100.0;
            report.say(format!(
                "| {} | {concurrency} | {:.1} % | {:.1} % | {:.3} |",
                web.truth().seed,
                needed(0.5),
                needed(0.9),
                curve.mean_share(pages, services)
            ));
        }
    }
    report.say("");
    Ok(())
}

fn mean(curves: &[CurvePoints]) -> CurvePoints {
    let Some(first) = curves.first() else { return Vec::new() };
    let share = |at: usize| {
        let sum: f64 = curves.iter().filter_map(|curve| curve.get(at)).map(|(_, y)| y).sum();
        sum / curves.len() as f64
    };
    first.iter().enumerate().map(|(at, (x, _))| (*x, share(at))).collect()
}
