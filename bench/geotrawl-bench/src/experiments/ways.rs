//! Recall of every discovery method.

use super::quickness::DEPTH;
use super::{ExperimentReport, crawl};
use anyhow::Result;
use geotrawl_crawl::options::CrawlOptions;
use geotrawl_simweb::{SimWeb, report as judged};
use std::collections::BTreeMap;

/// Crawls every web completely and compares with what each method should have found.
pub fn run(webs: &[SimWeb], report: &mut ExperimentReport) -> Result<()> {
    let mut ways: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for web in webs {
        let options = CrawlOptions { depth: DEPTH, ..CrawlOptions::default() };
        let trace = crawl::run(web, web.seeds(), options)?;
        let truth = web.truth();
        let found = trace.claims.iter().map(|(kind, url)| (kind.as_str(), url.as_str()));
        let score = judged::recall_precision(truth, found, judged::ExpectedResources::WithCode { level: 3 });
        let missed: Vec<(&str, &str)> =
            score.missed.iter().map(|one| (one.kind.as_str(), one.url.as_str())).collect();
        for resource in truth.resources.iter().filter(|one| one.robots_allowed && one.profile_of.is_none()) {
            if !resource.surface && resource.level.is_none() {
                continue;
            }
            let is_missed = missed.contains(&(resource.kind.as_str(), resource.url.as_str()));
            for way in &resource.ways {
                let (shown, got) = ways.entry(way.clone()).or_default();
                *shown += 1;
                *got += u64::from(!is_missed);
            }
        }
    }
    report.say("# Recall of each discovery method\n");
    report.say(format!(
        "Complete crawls of {} simulated webs. A resource that can be discovered in two ways counts for both; those blocked by robots.txt \
         and those on unreachable pages are excluded.\n",
        webs.len()
    ));
    report.say("| method | present | found | recall |\n|---|---|---|---|");
    for (way, (shown, got)) in &ways {
        report.say(format!(
            "| `{way}` | {shown} | {got} | {:.1} % |",
            *got as f64 * 100.0 / (*shown).max(1) as f64
        ));
    }
    report.page("ways.md")
}
