//! Services found by depth and width, as defined by PolarHub.

use super::plot::{self, PlotLine, PlotSpec};
use super::{ExperimentReport, crawl};
use anyhow::Result;
use geotrawl_crawl::options::{CrawlOptions, CrawlScope};
use geotrawl_simweb::SimWeb;

const WIDTHS: u32 = 10;
const DEPTHS: [u32; 3] = [1, 2, 3];

/// Crawls every web from a hundred seeds, ten per width, at three depths.
pub fn run(webs: &[SimWeb], report: &mut ExperimentReport) -> Result<()> {
    let mut finds = [[0_u64; WIDTHS as usize]; DEPTHS.len()];
    for web in webs {
        for (row, depth) in DEPTHS.into_iter().enumerate() {
            let options = CrawlOptions {
                depth,
                width: Some(WIDTHS),
                patience: Some(0),
                scope: CrawlScope::Domain,
                ordering: "polarhub".into(),
                ..CrawlOptions::default()
            };
            let trace = crawl::run(web, ranked(web), options)?;
            for page in &trace.pages {
                finds[row][(page.width.clamp(1, WIDTHS) - 1) as usize] += u64::from(page.gained);
            }
        }
    }
    report.say("# Services by depth and width\n");
    report.say(format!(
        "A task with {} seeds, ten per width, on {} simulated webs; a width is opened when the one before is exhausted. The seeds \
         are in the order of a plausible search engine: front pages of hosts (without directories of all hosts), those whose name or title \
         mentions maps and data before the others in three of four cases. Links are followed within a domain. New finds per width, all webs in total.\n",
        WIDTHS * 10,
        webs.len()
    ));
    let head: Vec<String> = (1..=WIDTHS).map(|width| width.to_string()).collect();
    report.say(format!(
        "| depth | {} | all |\n|---|{}---|",
        head.join(" | "),
        "---|".repeat(WIDTHS as usize)
    ));
    for (row, depth) in DEPTHS.iter().enumerate() {
        let cells: Vec<String> = finds[row].iter().map(u64::to_string).collect();
        report.say(format!("| {depth} | {} | {} |", cells.join(" | "), finds[row].iter().sum::<u64>()));
    }
    let mut lines = Vec::new();
    for (row, depth) in DEPTHS.iter().enumerate() {
        let all: u64 = finds[row].iter().sum();
        let mut sum = 0;
        let points = finds[row].iter().enumerate().map(|(width, count)| {
            sum += count;
            ((width + 1) as f64, sum as f64 / all.max(1) as f64)
        });
        lines.push(PlotLine { name: format!("depth {depth}"), points: points.collect(), published: false });
    }
    lines.push(PlotLine { name: "PolarHub (published)".into(), points: vec![(8.0, 0.9)], published: true });
    let plot = PlotSpec {
        title: "Share of a task's finds by width",
        x: "width",
        y: "share of all finds of the task",
        x_to: f64::from(WIDTHS),
        y_to: 1.0,
        percent: (false, true),
    };
    plot::write_plot(&report.plot("width.svg"), &plot, &lines)?;
    report.say("\n![Share of finds by width](width.svg)\n");
    report.say(
        "PolarHub (2016) found about 90 % of the services of its tasks at widths below eight, and more at greater depth at any \
         width, with seeds from a web search on an unlimited web. Here every seed is a separate host and links stay in its \
         domain, so the finds are distributed over the widths like the hosts.",
    );
    report.page("width.md")
}

/// Returns a hundred front pages in the order of a plausible search engine, always the same for the
/// same web.
fn ranked(web: &SimWeb) -> Vec<String> {
    let tells = |name: &str| {
        ["geo", "gis", "map", "kart", "sig", "sdi", "dienst"].iter().any(|word| name.contains(word))
    };
    // A directory of all hosts would find everything at once.
    let directories = web.seeds();
    let (mut telling, mut others): (Vec<&str>, Vec<&str>) = web
        .host_names()
        .filter(|name| !directories.iter().any(|seed| seed.contains(*name)))
        .partition(|name| tells(name));
    telling.reverse();
    others.reverse();
    let mut seeds = Vec::new();
    while seeds.len() < (WIDTHS * 10) as usize {
        let next = if seeds.len() % 4 == 3 {
            others.pop().or_else(|| telling.pop())
        } else {
            telling.pop().or_else(|| others.pop())
        };
        let Some(name) = next else { break };
        seeds.push(format!("http://{name}/"));
    }
    seeds
}
