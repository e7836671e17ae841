//! Every hostile case ends within its limits with the right recorded reason and bounded memory.

use crate::harness::{Engine, ServedSimWeb, TestStore, lock_machine, run_command, wait_with_memory};
use geotrawl_simweb::{SimWebConfig, report};
use std::collections::HashMap;
use std::process::Stdio;
use std::time::Duration;

const MOST_MEMORY: u64 = 512 * 1024 * 1024;
/// robots.txt, a sitemap, and the case itself with its retries and redirects.
const MOST_REQUESTS: usize = 60;

/// Failure classes that may be recorded for each case.
const ENDS: &[(&str, &[&str])] = &[
    (
        "timeout",
        &["informational-flood", "slow-body", "slow-headers", "stall-before-headers", "stall-in-body"],
    ),
    ("bomb", &["brotli-bomb", "caps-gzip-bomb", "deflate-bomb", "gzip-bomb", "gzip-nested", "zstd-bomb"]),
    ("truncated", &["cut-chunk", "gzip-cut", "short-body"]),
    (
        "too-large",
        &[
            "endless-body",
            "endless-chunked",
            "endless-comment",
            "header-flood",
            "huge-attribute",
            "huge-text",
            "huge-token",
            "long-header",
            "many-headers",
            "million-attributes",
            "million-attributes-xml",
            "million-links",
            "zip-endless",
        ],
    ),
    (
        "protocol",
        &[
            "bad-chunk",
            "bad-status",
            "double-length",
            "endless-chunk-extension",
            "negative-length",
            "no-status",
            "nul-header",
        ],
    ),
    ("reset", &["closed", "closed-in-head"]),
    (
        "bad-redirect",
        &["redirect-data", "redirect-file", "redirect-ftp", "redirect-garbage", "redirect-nowhere"],
    ),
    ("redirect-loop", &["redirect-self"]),
    // Redirect targets are separate items; the number of requests shows that the chain ended.
    (
        "redirect",
        &[
            "redirect-credentials",
            "redirect-forever",
            "redirect-hundred",
            "redirect-long",
            "redirect-loopback",
            "redirect-metadata",
            "redirect-pair",
        ],
    ),
    ("robots", &["robots-429", "robots-closed"]),
    ("http-500", &["server-error"]),
    ("http-503", &["retry-503-long", "retry-bad-date"]),
    ("http-429", &["retry-429-always"]),
    ("nothing", &["binary-as-html", "zip-many-entries"]),
    // Plain text declared as gzip is read as text; entities are not expanded; of deep and long
    // documents the start is read.
    (
        "ok",
        &[
            "billion-laughs",
            "billion-laughs-wms",
            "deep-capabilities",
            "deep-html",
            "deep-xml",
            "endless-doctype",
            "external-entity",
            "gzip-corrupt",
            "html-as-png",
            "invalid-utf8",
            "kmz-bomb",
            "kmz-bomb-liar",
            "many-links",
            "quadratic-entity",
            "retry-429",
            "retry-503",
            "robots-endless",
            "robots-loop",
            "sitemap-bomb",
            "sitemap-loop",
        ],
    ),
];

#[test]
fn every_hostile_case_ends_and_the_crawl_goes_on() {
    // The recorded reason must not depend on the load of the machine.
    let _alone = lock_machine();
    let web =
        ServedSimWeb::start(SimWebConfig { seed: 3, hosts: 30, hostile: true, ..SimWebConfig::default() });
    let cases = &web.sim.truth().hostile;
    let ends: HashMap<&str, &str> =
        ENDS.iter().flat_map(|(class, names)| names.iter().map(move |name| (*name, *class))).collect();
    let data = TestStore::new(Engine::Embedded);
    let config = data.path().join("impatient.toml");
    std::fs::write(&config, "[fetch.politeness]\nbackoff = 500\nbackoff_cap = 1000\n").unwrap();
    let mut wrong = Vec::new();
    // Cases that never end get a short timeout, all at once; the others get enough time.
    let (slow, other): (Vec<_>, Vec<_>) =
        cases.iter().partition(|case| ends.get(case.name.as_str()) == Some(&"timeout"));
    for (cases, timeout, concurrency) in [(slow, "3", "64"), (other, "60", "6")] {
        let child = web
            .geotrawl_command(&data)
            .args(["--json", "--delay", "0", "--concurrency", concurrency, "--timeout", timeout, "--config"])
            .arg(&config)
            .args(["crawl", "--depth", "0", "--task", timeout])
            .args(cases.iter().map(|case| case.url.as_str()))
            .args(web.sim.seeds())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (said, peak) = wait_with_memory(child, Duration::from_mins(4));
        assert!(said.code <= 1, "{}", said.err);
        assert!(peak < MOST_MEMORY, "peak memory {} MB", peak >> 20);
        println!("{} cases, peak memory {} MB", cases.len(), peak >> 20);
        for case in cases {
            let told =
                run_command(data.geotrawl_command().args(["--json", "explain", &case.url])).json_lines();
            let visit = told
                .first()
                .and_then(|value| value["visits"].as_array())
                .and_then(|visits| visits.iter().find(|visit| visit["depth"] == 0))
                .unwrap_or_else(|| panic!("{} was not visited", case.name));
            let expected = ends.get(case.name.as_str()).copied();
            if visit["state"].as_str() != expected {
                wrong.push(format!(
                    "{}: expected {expected:?}, got {}: {}",
                    case.name, visit["state"], visit["reason"]
                ));
            }
            if visit["reason"].as_str().is_none_or(|reason| reason.len() < 4) {
                wrong.push(format!("{}: no reason in words", case.name));
            }
        }
    }
    let log = web.log();
    let mut requests: HashMap<&str, usize> = HashMap::new();
    for entry in log.iter().filter(|entry| entry.host.ends_with("hostile.test")) {
        *requests.entry(entry.host.as_str()).or_default() += 1;
    }
    for (host, count) in requests.into_iter().filter(|(_, count)| *count > MOST_REQUESTS) {
        wrong.push(format!("{host} was asked {count} times"));
    }
    let asked = report::canary_hits(&log, web.sim.truth());
    assert!(asked.is_empty(), "an entity was fetched: {asked:?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
