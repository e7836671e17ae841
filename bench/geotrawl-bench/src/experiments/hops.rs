//! Number and ratio of finds by distance from the seeds.

use super::plot::{self, PlotLine, PlotSpec};
use super::quickness::DEPTH;
use super::{ExperimentReport, crawl};
use anyhow::Result;
use geotrawl_crawl::options::CrawlOptions;
use geotrawl_simweb::SimWeb;

/// Number of levels shown separately.
const SHOWN: usize = 9;

/// Crawls every web completely and counts by level.
pub fn run(webs: &[SimWeb], report: &mut ExperimentReport) -> Result<()> {
    let (mut pages, mut finds) = ([0_u64; SHOWN], [0_u64; SHOWN]);
    for web in webs {
        let options = CrawlOptions { depth: DEPTH, ordering: "fifo".into(), ..CrawlOptions::default() };
        let trace = crawl::run(web, web.seeds(), options)?;
        for page in &trace.pages {
            pages[(page.depth as usize).min(SHOWN - 1)] += 1;
        }
        for depth in &trace.find_depths {
            // A find is one link away from the page that links to it.
            finds[(depth.saturating_sub(1) as usize).min(SHOWN - 1)] += 1;
        }
    }
    report.say("# Finds by distance from the seeds\n");
    report.say(format!(
        "Complete crawls of {} simulated webs in order of discovery; pages and finds of all webs in total. A find belongs to the \
         level of the page that links to it.\n",
        webs.len()
    ));
    report.say(
        "| distance | pages | finds | finds per 100 pages | PolarHub, published |\n|---|---|---|---|---|",
    );
    for level in 0..SHOWN {
        let name = if level + 1 == SHOWN { format!("{level} and more") } else { level.to_string() };
        let published = match level {
            1 => "6.5",
            2 => "1",
            3 => "0.15",
            _ => "",
        };
        let ratio = finds[level] as f64 * 100.0 / pages[level].max(1) as f64;
        report.say(format!("| {name} | {} | {} | {ratio:.2} | {published} |", pages[level], finds[level]));
    }
    let points =
        |counts: &[u64; SHOWN]| counts.iter().enumerate().map(|(x, &y)| (x as f64, y as f64)).collect();
    let plot = PlotSpec {
        title: "Pages and finds by distance from the seeds",
        x: "distance in links",
        y: "number",
        x_to: SHOWN as f64 - 1.0,
        y_to: pages.iter().chain(&finds).copied().max().unwrap_or(1) as f64 * 1.05,
        percent: (false, false),
    };
    let lines = [
        PlotLine { name: "pages".into(), points: points(&pages), published: false },
        PlotLine { name: "finds".into(), points: points(&finds), published: false },
    ];
    plot::write_plot(&report.plot("hops.svg"), &plot, &lines)?;
    report.say("\n![Pages and finds by level](hops.svg)\n");
    report.say(
        "PolarHub (2016) counted services per crawled page in tasks on the live web that started from the results of a search \
         engine. Our webs are small and dense with services on purpose, so the ratios are higher; both show the same decline.",
    );
    report.page("hops.md")
}
