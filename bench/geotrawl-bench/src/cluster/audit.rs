//! Checks the request log of the simulated web for politeness, independent of the crawler.

use geotrawl_simweb::{GroundTruth, LogEntry, report};
use std::collections::{BTreeMap, HashMap};

/// Seconds after a network cut until the server has noticed what happened during it.
const HEARD: f64 = 0.5;

/// Violations found in the log.
#[derive(Debug, Default)]
pub struct PolitenessAudit {
    pub requests: usize,
    pub hosts: usize,
    /// Shortest delay between the end of an answer and the next request to its host, in seconds.
    pub shortest: f64,
    /// Requests before the crawl delay had passed, or during another request.
    pub impolite: Vec<String>,
    /// Requests after an answer that the client abandoned during a network cut: the server noticed
    /// too late to measure the delay.
    pub untold: usize,
    /// Requests forbidden by robots.txt, or to hosts that must never be requested.
    pub forbidden: Vec<String>,
}

impl PolitenessAudit {
    /// Audits a crawl with this delay in seconds. There is no tolerance: a delay starts when the
    /// client has the answer, after the server sent it, and ends before the next request arrives,
    /// so the server never observes a shorter one. The only exception are answers that a client
    /// abandons while the connection to the web is cut, since the server notices it only
    /// afterwards. `cuts` are the start and end times of the cuts.
    pub fn from_log(log: &[LogEntry], truth: &GroundTruth, pause: f64, cuts: &[(f64, f64)]) -> Self {
        let heard_late = |entry: &LogEntry| {
            entry.given_up && cuts.iter().any(|(from, to)| (*from..to + HEARD).contains(&entry.end))
        };
        let mut audit = Self { requests: log.len(), shortest: f64::INFINITY, ..Self::default() };
        for (host, entries) in by_host(log) {
            audit.hosts += 1;
            let mut free: Option<(f64, &LogEntry)> = None;
            for entry in entries {
                if let Some((end, before)) = free {
                    if heard_late(before) && before.agent == entry.agent {
                        audit.untold += 1;
                        free = Some((entry.end, entry));
                        continue;
                    }
                    let gap = entry.t - end;
                    audit.shortest = audit.shortest.min(gap);
                    if gap < pause {
                        audit.impolite.push(format!(
                            "{host}: {} by {} at {:.3} s, {gap:.3} s after {} by {}",
                            entry.target, entry.agent, entry.t, before.target, before.agent
                        ));
                    }
                }
                if free.is_none_or(|(end, _)| entry.end > end) {
                    free = Some((entry.end, entry));
                }
            }
        }
        let wrong = report::robots_violations(log, truth).into_iter().chain(report::canary_hits(log, truth));
        audit.forbidden = wrong.map(|entry| format!("{}{}", entry.host, entry.target)).collect();
        audit
    }
}

/// Groups the requests by host, in order.
pub fn by_host(log: &[LogEntry]) -> BTreeMap<&str, Vec<&LogEntry>> {
    let mut hosts: BTreeMap<&str, Vec<&LogEntry>> = BTreeMap::new();
    for entry in log {
        hosts.entry(&entry.host).or_default().push(entry);
    }
    for entries in hosts.values_mut() {
        entries.sort_by(|a, b| a.t.total_cmp(&b.t));
    }
    hosts
}

/// Groups the requests by address (`host path`), in order. Excludes robots.txt, which every process
/// may request again.
pub fn by_address(log: &[LogEntry]) -> HashMap<String, Vec<&LogEntry>> {
    let mut addresses: HashMap<String, Vec<&LogEntry>> = HashMap::new();
    for entry in log.iter().filter(|entry| !entry.target.starts_with("/robots")) {
        addresses.entry(format!("{} {}", entry.host, entry.target)).or_default().push(entry);
    }
    for entries in addresses.values_mut() {
        entries.sort_by(|a, b| a.t.total_cmp(&b.t));
    }
    addresses
}

/// Returns the number of requests per address.
pub fn count_requests(log: &[LogEntry]) -> HashMap<String, usize> {
    by_address(log).into_iter().map(|(address, entries)| (address, entries.len())).collect()
}

/// Returns the addresses with more requests than usual, with the excess; the default is one
/// request.
pub fn repeated_requests(log: &[LogEntry], usual: &HashMap<String, usize>) -> Vec<(String, usize)> {
    let mut all: Vec<(String, usize)> = count_requests(log)
        .into_iter()
        .map(|(address, times)| {
            let usual = usual.get(&address).copied().unwrap_or(1);
            (address, times.saturating_sub(usual))
        })
        .filter(|(_, times)| *times > 0)
        .collect();
    all.sort();
    all
}

/// Returns minimum, median and maximum.
pub fn min_median_max(numbers: impl Iterator<Item = usize>) -> (usize, usize, usize) {
    let mut numbers: Vec<usize> = numbers.collect();
    numbers.sort_unstable();
    let at = |place: usize| numbers.get(place).copied().unwrap_or_default();
    (at(0), at(numbers.len() / 2), at(numbers.len().saturating_sub(1)))
}
