//! Kills the crawl and the database at random moments; the catalogue must be the same as without
//! kills.

use crate::harness::{Engine, ServedSimWeb, TestStore, export_catalogue, run_command, share_machine};
use geotrawl_simweb::SimWebConfig;
use geotrawl_testkit::postgres::{PostgresServer, execute_sql};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const KILLS: u64 = 50;
/// The database is killed once per this many kills of the crawl.
const KILLS_PER_FALL: u64 = 6;
const CONCURRENCY: u64 = 16;

/// Small deterministic random generator: moments vary within a test, but not between runs.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Returns the addresses of exported records.
fn urls(records: &[Value]) -> BTreeSet<String> {
    records.iter().filter_map(|record| record["url"].as_str()).map(str::to_owned).collect()
}

fn fifty_kills_leave_the_same_catalogue(engine: Engine) {
    let _busy = share_machine();
    let config = || SimWebConfig { seed: 5, hosts: 60, pages: Some(3_000), ..SimWebConfig::default() };
    let args = ["--json", "--delay", "0", "--concurrency", "16", "--timeout", "20", "crawl", "--depth", "40"];

    // The expected result does not depend on the store.
    let calm = ServedSimWeb::start(config());
    let calm_data = TestStore::new(Engine::Embedded);
    let said = run_command(calm.geotrawl_command(&calm_data).args(args).args(calm.sim.seeds()));
    assert!(said.code <= 1, "{}", said.err);
    let undisturbed = export_catalogue(&calm_data);
    let calm_requests = requests_by_page(&calm);
    assert!(!undisturbed.is_empty());

    let web = ServedSimWeb::start(config());
    let server = (engine == Engine::Postgres).then(|| PostgresServer::start(true).unwrap());
    let data = match &server {
        None => TestStore::new(engine),
        Some(server) => {
            execute_sql(&server.url("postgres"), "CREATE DATABASE crashing");
            TestStore::from_url(server.url("crashing")).with_short_leases()
        }
    };
    let mut state = 0x9E37_79B9_97F4_A7C1;
    let step = calm.request_count() / (KILLS + 1);
    let (mut kills, mut falls, mut slowest) = (0, 0, Duration::ZERO);
    while kills < KILLS {
        let mut child = web
            .geotrawl_command(&data)
            .args(args)
            .args(web.sim.seeds())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Moments are measured in served requests, not time, so that they do not depend on the
        // machine.
        let moment = web.request_count() + 1 + next(&mut state) % (2 * step).max(1);
        let began = Instant::now();
        if is_over(&mut child, || web.request_count() >= moment) {
            break;
        }
        slowest = slowest.max(began.elapsed());
        let falling = server.as_ref().filter(|_| kills % KILLS_PER_FALL == 2);
        if let Some(server) = falling {
            falls += 1;
            assert!(server.kill(), "the database is killed");
            // Every second time the crawl survives, and must continue when the database is back.
            if falls % 2 == 0 {
                assert!(server.restart(), "the database comes back");
                let more = web.request_count() + CONCURRENCY + 1;
                if is_over(&mut child, || web.request_count() >= more) {
                    break;
                }
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        if let Some(server) = falling.filter(|_| falls % 2 == 1) {
            assert!(server.restart(), "the database comes back");
        }
    }
    let said = run_command(web.geotrawl_command(&data).args(args).args(web.sim.seeds()));
    assert!(said.code <= 1, "{}", said.err);
    println!(
        "{engine:?}: {kills} kills of the crawl and {falls} of the database, {} requests instead of {}; the slowest \
         went on after {slowest:.1?}",
        web.request_count(),
        calm.request_count()
    );
    assert!(kills >= KILLS * 8 / 10, "only {kills} kills happened before the crawl was over");
    assert!(engine == Engine::Embedded || falls >= 6, "the database was killed {falls} times only");

    let disturbed = export_catalogue(&data);
    let missing: Vec<_> = urls(&undisturbed).difference(&urls(&disturbed)).cloned().collect();
    for url in &missing {
        let said = run_command(data.geotrawl_command().args(["explain", url.as_str()]));
        println!("missing after the kills: {url}\n{}{}", said.out, said.err);
    }
    assert!(missing.is_empty(), "{missing:?}");
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

/// Waits until something has happened; returns whether the process ended first.
fn is_over(child: &mut Child, happened: impl Fn() -> bool) -> bool {
    let patience = Instant::now() + Duration::from_mins(1);
    loop {
        if happened() {
            return false;
        }
        if let Some(status) = child.try_wait().unwrap() {
            assert!(matches!(status.code(), Some(0 | 1)), "it ended with {status}");
            return true;
        }
        assert!(Instant::now() < patience, "the crawl does not move");
        std::thread::park_timeout(Duration::from_micros(200));
    }
}

fn requests_by_page(web: &ServedSimWeb) -> HashMap<String, u64> {
    let mut counts = HashMap::new();
    for entry in web.log().iter().filter(|entry| entry.target != "/robots.txt") {
        *counts.entry(format!("{}{}", entry.host, entry.target)).or_insert(0) += 1;
    }
    counts
}

geotrawl_testkit::on_both_engines! {
    fifty_kills_leave_the_same_catalogue
}
