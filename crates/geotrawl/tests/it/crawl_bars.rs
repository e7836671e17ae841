//! Recall, precision, politeness, robots and traps, measured from the server's side.

use crate::harness::{Engine, ServedSimWeb, TestStore, run_command, share_machine};
use geotrawl_simweb::{SimWebConfig, report};
use std::time::Duration;

const DELAY: Duration = Duration::from_millis(20);

fn crawl_and_judge(seed: u64, engine: Engine) {
    let _busy = share_machine();
    let web = ServedSimWeb::start(SimWebConfig { seed, hosts: 300, ..SimWebConfig::default() });
    let truth = web.sim.truth();
    assert!(truth.hosts >= 300 && truth.pages >= 15_000, "{} hosts, {} pages", truth.hosts, truth.pages);
    let data = TestStore::new(engine);
    let said = run_command(
        web.geotrawl_command(&data)
            .args([
                "--json",
                "--delay",
                &DELAY.as_millis().to_string(),
                "--concurrency",
                "200",
                "--timeout",
                "12",
                "crawl",
                "--depth",
                "40",
            ])
            .args(web.sim.seeds()),
    );
    let records = said.json_lines();
    let found: Vec<(String, String)> = records
        .iter()
        .map(|r| (r["kind"].as_str().unwrap().to_owned(), r["url"].as_str().unwrap().to_owned()))
        .collect();
    let pairs = || found.iter().map(|(kind, url)| (kind.as_str(), url.as_str()));
    let score = report::recall_precision(truth, pairs(), report::ExpectedResources::WithCode { level: 3 });
    let log = web.log();
    let counters = data.open().run_counters(1).unwrap();
    let pages_of_catalogues = log.iter().filter(|entry| entry.target.contains("GetRecords")).count() as u64;
    let probes = (counters.probes - pages_of_catalogues.min(counters.probes)) as f64 / found.len() as f64;
    let traps = report::trap_share(&log, truth);
    println!(
        "seed {seed}, {engine:?}: {} requests, {} found, recall {:.4}, precision {:.4}, traps {:.4}, {probes:.2} probes a find\n{}",
        log.len(),
        found.len(),
        score.recall(),
        score.precision(),
        traps.share(),
        said.err.lines().last().unwrap_or_default()
    );
    let missed: Vec<_> = score.missed.iter().map(|r| format!("{} {} {:?}", r.kind, r.url, r.ways)).collect();
    assert!(score.recall() >= 0.995, "missed: {missed:#?}");
    assert!(score.false_claims.is_empty(), "false: {:#?}", score.false_claims);
    let politeness = report::measure_politeness(&log, DELAY.as_secs_f64());
    for breaches in [&politeness.overlapping, &politeness.too_close] {
        assert!(breaches.is_empty(), "{} breaches, e.g. {:#?}", breaches.len(), breaches.first());
    }
    let hasty = report::crawl_delay_breaches(&log, truth, 0.0);
    assert!(hasty.is_empty(), "{} sooner than crawl-delay allows, e.g. {:#?}", hasty.len(), hasty.first());
    let disobeyed = report::robots_violations(&log, truth);
    assert!(disobeyed.is_empty(), "{:#?}", &disobeyed[..disobeyed.len().min(5)]);
    assert!(traps.share() < 0.02, "{traps:#?}");
    assert!(probes <= 1.5, "{probes:.2} probes for each resource found");
    let canaries = report::canary_hits(&log, truth);
    assert!(canaries.is_empty(), "{canaries:#?}");
}

fn web_one_is_found_politely_and_whole(engine: Engine) {
    crawl_and_judge(11, engine);
}

#[test]
fn web_two_is_found_politely_and_whole() {
    crawl_and_judge(22, Engine::Embedded);
}

#[test]
fn web_three_is_found_politely_and_whole() {
    crawl_and_judge(33, Engine::Embedded);
}

geotrawl_testkit::on_both_engines! {
    web_one_is_found_politely_and_whole
}
