//! Every hostile case alone: it ends within its limits, the right reason is recorded, memory stays bounded.

use crate::harness::{Web, geotrawl, run, watch};
use geotrawl_simweb::SimWebConfig;
use std::process::Stdio;
use std::time::Duration;

const MOST_MEMORY: u64 = 512 * 1024 * 1024;

/// The stored classes that an expectation of the simulated web may show as.
fn classes(name: &str, expect: &str) -> &'static [&'static str] {
    match expect {
        // Plain text that calls itself gzip is read as what it is.
        _ if name == "gzip-corrupt" => &["ok"],
        "too-large" => &["too-large", "bomb", "timeout"],
        "decode-error" => &["decode", "truncated"],
        "redirect-loop" => &["redirect-loop", "redirect"],
        "redirect-limit" => &["redirect", "too-many-redirects"],
        "blocked" => &["blocked-address", "bad-redirect", "redirect"],
        "protocol" => &["protocol", "bad-redirect", "reset", "too-large", "timeout", "truncated"],
        "timeout" => &["timeout"],
        "connection" => &["reset", "connect", "protocol"],
        "truncated" => &["truncated", "protocol", "reset"],
        "headers-too-large" => &["too-large"],
        "retry-later" => &["http-429", "http-503", "resting", "ok", "pending"],
        "http-status" => &["http-500", "http-502", "http-503"],
        "robots" => &["robots"],
        "ok" => &["ok", "redirect", "nothing"],
        // Ends within its limits, whatever is made of it.
        "bounded" | "no-canary" => &["*"],
        _ => &[],
    }
}

#[test]
fn every_hostile_case_ends_and_the_crawl_goes_on() {
    let web = Web::start(SimWebConfig { seed: 3, hosts: 30, hostile: true, ..SimWebConfig::default() });
    let cases = &web.sim.truth().hostile;
    assert!(cases.len() >= 20, "{} cases", cases.len());
    let data = tempfile::tempdir().unwrap();
    let config = data.path().join("impatient.toml");
    std::fs::write(&config, "[fetch.politeness]\nbackoff = 500\nbackoff_cap = 1000\n").unwrap();
    let child = web
        .geotrawl(data.path())
        .args(["--json", "--delay", "0", "--concurrency", "64", "--timeout", "6", "--config"])
        .arg(&config)
        .args(["crawl", "--depth", "0"])
        .args(cases.iter().map(|case| case.url.as_str()))
        .args(web.sim.seeds())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (said, peak) = watch(child, Duration::from_mins(4));
    assert!(said.code <= 1, "{}", said.err);
    assert!(peak < MOST_MEMORY, "peak memory {} MB", peak >> 20);
    let mut wrong = Vec::new();
    for case in cases {
        let told = run(geotrawl(data.path()).args(["--json", "explain", &case.url]));
        let explained: Vec<_> = told.json();
        let state = explained
            .first()
            .and_then(|value| value["visits"].as_array())
            .and_then(|visits| visits.iter().find(|visit| visit["depth"] == 0))
            .map(|visit| (visit["state"].as_str().unwrap_or("").to_owned(), visit["reason"].clone()));
        match state {
            Some((state, _))
                if classes(&case.name, &case.expect).iter().any(|class| *class == state || *class == "*") => {
            }
            other => wrong.push(format!("{}: expected {}, got {other:?}", case.name, case.expect)),
        }
    }
    println!("{} cases, peak memory {} MB", cases.len(), peak >> 20);
    assert!(wrong.is_empty(), "{wrong:#?}");
}
