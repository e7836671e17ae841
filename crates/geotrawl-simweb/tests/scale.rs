//! Time and memory of a web of the size used in acceptance tests; a separate process, so that only
//! its memory is measured.

use geotrawl_simweb::{SimWeb, SimWebConfig};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Returns the peak resident memory in MB, where the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kb| kb / 1024)
}

#[test]
fn three_hundred_hosts_are_planned_quickly_and_small() {
    let began = Instant::now();
    let web = SimWeb::generate(SimWebConfig { seed: 1, hosts: 300, ..SimWebConfig::default() });
    let took = began.elapsed();
    let truth = web.truth();
    let count = |test: fn(&geotrawl_simweb::TruthResource) -> bool| {
        truth.resources.iter().filter(|r| test(r)).count()
    };
    let surface = count(|r| r.surface);
    println!(
        "{took:?}, {:?} MB peak: {} pages, {} reachable, depth {}, {} resources, {surface} surface, {} allowed, {} negatives, {} traps",
        peak_memory(),
        truth.pages,
        truth.reachable_pages,
        truth.max_depth,
        truth.resources.len(),
        count(|r| r.robots_allowed),
        truth.negatives.len(),
        truth.traps.len()
    );
    assert!(took < Duration::from_mins(1), "{took:?}");
    assert!(peak_memory().is_none_or(|mb| mb < 300), "{:?} MB", peak_memory());
    assert!(truth.pages >= 15_000 && truth.reachable_pages * 100 >= truth.pages * 93);
    assert!(surface >= 400 && surface * 100 >= truth.resources.len() * 75, "{surface}");

    // Every way of the surface is used, and each kind has resources.
    let mut ways: BTreeMap<&str, usize> = BTreeMap::new();
    let mut kinds = BTreeSet::new();
    for resource in &truth.resources {
        kinds.insert(resource.kind.as_str());
        for way in &resource.ways {
            *ways.entry(way).or_default() += 1;
        }
    }
    println!("{ways:?}");
    assert_eq!(kinds.len(), 13, "{kinds:?}");
    assert!(ways.len() >= 45, "{} ways: {ways:?}", ways.len());
}
