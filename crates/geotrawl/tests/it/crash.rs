//! `kill -9` at random moments: the catalogue is as if nothing had happened.

use crate::harness::{Web, busy, catalogue, run};
use geotrawl_simweb::SimWebConfig;
use std::collections::HashMap;
use std::process::Stdio;
use std::time::Duration;

const KILLS: u64 = 50;
const CONCURRENCY: u64 = 16;

/// A small deterministic generator: the moments differ, the test does not.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn fifty_kills_leave_the_same_catalogue() {
    let _busy = busy();
    let config = || SimWebConfig { seed: 5, hosts: 60, pages: Some(3_000), ..SimWebConfig::default() };
    let args = ["--json", "--delay", "0", "--concurrency", "16", "--timeout", "8", "crawl", "--depth", "40"];

    let calm = Web::start(config());
    let calm_data = tempfile::tempdir().unwrap();
    let said = run(calm.geotrawl(calm_data.path()).args(args).args(calm.sim.seeds()));
    assert!(said.code <= 1, "{}", said.err);
    let undisturbed = catalogue(calm_data.path());
    let calm_requests = requests_by_page(&calm);
    assert!(!undisturbed.is_empty());

    let web = Web::start(config());
    let data = tempfile::tempdir().unwrap();
    let mut state = 0x9E37_79B9_97F4_A7C1;
    let step = calm.served() / (KILLS + 1);
    let mut kills = 0;
    while kills < KILLS {
        let mut child = web
            .geotrawl(data.path())
            .args(args)
            .args(web.sim.seeds())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The moment is told by the server's count, not by the clock.
        let moment = web.served() + 1 + next(&mut state) % (2 * step).max(1);
        let finished = loop {
            if web.served() >= moment {
                break false;
            }
            if child.try_wait().unwrap().is_some() {
                break true;
            }
            std::thread::park_timeout(Duration::from_micros(200));
        };
        if finished {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    let said = run(web.geotrawl(data.path()).args(args).args(web.sim.seeds()));
    assert!(said.code <= 1, "{}", said.err);
    println!("{kills} kills, {} requests instead of {}", web.served(), calm.served());
    assert!(kills >= KILLS * 8 / 10, "only {kills} kills happened before the crawl was over");

    let disturbed = catalogue(data.path());
    assert_eq!(disturbed.len(), undisturbed.len());
    for (left, right) in disturbed.iter().zip(&undisturbed) {
        assert_eq!(left, right);
    }
    let again: u64 = requests_by_page(&web)
        .iter()
        .map(|(page, n)| n.saturating_sub(*calm_requests.get(page).unwrap_or(&1)))
        .sum();
    let bound = (CONCURRENCY + 512) * kills;
    assert!(again < bound, "{again} requests were repeated, the bound is {bound}");
}

fn requests_by_page(web: &Web) -> HashMap<String, u64> {
    let mut counts = HashMap::new();
    for entry in web.log().iter().filter(|entry| entry.target != "/robots.txt") {
        *counts.entry(format!("{}{}", entry.host, entry.target)).or_insert(0) += 1;
    }
    counts
}
