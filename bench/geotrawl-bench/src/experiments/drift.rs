//! Topic drift: whether a task for one theme stays on geospatial hosts.

use super::quickness::DEPTH;
use super::{ExperimentReport, crawl};
use anyhow::Result;
use geotrawl_crawl::options::CrawlOptions;
use geotrawl_simweb::SimWeb;
use std::collections::HashSet;
use url::Url;

/// Themes that occur in the webs, in two languages.
const THEMES: [&str; 2] = ["flood zones", "Bodenrichtwerte"];
/// Budget of a task as a share of the web's pages.
const BUDGET: f64 = 0.3;

/// Crawls every web for each theme with a budget of pages.
pub fn run(webs: &[SimWeb], report: &mut ExperimentReport) -> Result<()> {
    report.say("# Topic drift\n");
    report.say(format!(
        "A task for one theme, with a budget of {:.0} % of the web's pages. A host is geospatial if it has a service or a file, \
         or is one of the directories from which the crawl starts.\n",
        BUDGET * 100.0
    ));
    report.say("| web | theme | ranking | pages read | first half on geospatial hosts | all on geospatial hosts |\n|---|---|---|---|---|---|");
    let mut least = 1.0_f64;
    for web in webs {
        let truth = web.truth();
        let host =
            |url: &str| Url::parse(url).ok().and_then(|url| url.host_str().map(bare)).unwrap_or_default();
        let mut geospatial: HashSet<String> = truth.resources.iter().map(|one| bare(&one.host)).collect();
        geospatial.extend(truth.seeds.iter().map(|seed| host(seed)));
        for theme in THEMES {
            for ordering in ["fifo", "learned"] {
                let options = CrawlOptions {
                    depth: DEPTH,
                    ordering: ordering.into(),
                    keywords: theme.split_whitespace().map(str::to_owned).collect(),
                    max_pages: Some((truth.reachable_pages as f64 * BUDGET) as u64),
                    ..CrawlOptions::default()
                };
                let trace = crawl::run(web, web.seeds(), options)?;
                let share = |pages: &[crawl::PageRead]| {
                    let inside = pages.iter().filter(|page| geospatial.contains(&host(&page.url))).count();
                    inside as f64 / pages.len().max(1) as f64
                };
                let first = share(&trace.pages[..trace.pages.len() / 2]);
                report.say(format!(
                    "| {} | {theme} | {ordering} | {} | {:.1} % | {:.1} % |",
                    truth.seed,
                    trace.pages.len(),
                    first * 100.0,
                    share(&trace.pages) * 100.0
                ));
                if ordering == "learned" {
                    least = least.min(first);
                }
            }
        }
    }
    report.say("");
    report.bar(
        least >= 0.8,
        &format!(
            "at least 80 % of the first half on geospatial hosts in every task (least {:.1} %)",
            least * 100.0
        ),
    );
    report.page("drift.md")
}

/// Returns a host without `www.`.
fn bare(host: &str) -> String {
    host.strip_prefix("www.").unwrap_or(host).to_owned()
}
