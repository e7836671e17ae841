//! What the log of the simulated web says about a crawl, whoever made it.

use geotrawl_simweb::{GroundTruth, LogEntry, report};
use std::collections::{BTreeMap, HashMap};

/// Seconds in which the news of what happened behind a cut is there after it.
const HEARD: f64 = 0.5;

/// What was wrong with how hosts were asked, and what was not.
#[derive(Debug, Default)]
pub struct PolitenessAudit {
    pub requests: usize,
    pub hosts: usize,
    /// Smallest pause between the end of an answer and the next request to its host, in seconds.
    pub shortest: f64,
    /// Requests that came sooner than the pause, or while another was under way.
    pub impolite: Vec<String>,
    /// Requests after an answer that the client gave up behind a cut: the server heard of it too late to tell the pause.
    pub untold: usize,
    /// Requests that robots.txt forbids, or to hosts that must never be asked.
    pub forbidden: Vec<String>,
}

impl PolitenessAudit {
    /// Of a crawl with this pause, in seconds. No allowance: a pause begins when the client has the answer, after the
    /// server let go of it, and ends before the next request arrives. So it is never shorter as the server sees it, with
    /// one exception: what a client gives up while the wire to the web is cut ends for the server when that is whole
    /// again. `cuts` are the moments from and to.
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

/// Requests of each host, in order.
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

/// Requests for each address (`host path`), in order. Without robots.txt, which every process may want to see again.
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

/// How often each address was asked for.
pub fn count_requests(log: &[LogEntry]) -> HashMap<String, usize> {
    by_address(log).into_iter().map(|(address, entries)| (address, entries.len())).collect()
}

/// Requests beyond those that are usual, with the address; usual is once, where nothing is known.
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

/// The middle of some numbers and their ends.
pub fn min_median_max(numbers: impl Iterator<Item = usize>) -> (usize, usize, usize) {
    let mut numbers: Vec<usize> = numbers.collect();
    numbers.sort_unstable();
    let at = |place: usize| numbers.get(place).copied().unwrap_or_default();
    (at(0), at(numbers.len() / 2), at(numbers.len().saturating_sub(1)))
}
