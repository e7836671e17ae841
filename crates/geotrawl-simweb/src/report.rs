//! Evaluates a crawl from the request log and the ground truth.

use crate::server::LogEntry;
use crate::truth::{GroundTruth, TruthResource};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Two requests to one host that were too close together.
#[derive(Debug, Clone, PartialEq)]
pub struct PolitenessBreach {
    pub host: String,
    /// Target of the later request.
    pub target: String,
    /// Arrival time of the later request.
    pub t: f64,
    /// Seconds between the arrivals.
    pub gap: f64,
}

/// Politeness of a crawl.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PolitenessReport {
    pub requests: usize,
    pub hosts: usize,
    /// Requests that arrived while another request to the same host was in progress.
    pub overlapping: Vec<PolitenessBreach>,
    /// Requests that arrived earlier than the delay after the previous one.
    pub too_close: Vec<PolitenessBreach>,
    /// Smallest gap between two arrivals at one host.
    pub closest: Option<f64>,
}

/// Measures the gaps between requests to each host. The gaps that arrive are shorter than those a
/// client sends by the jitter of the machine, so pass a `delay` reduced by the jitter you tolerate.
pub fn measure_politeness(log: &[LogEntry], delay: f64) -> PolitenessReport {
    let mut report = PolitenessReport { requests: log.len(), ..PolitenessReport::default() };
    let hosts = by_host(log);
    report.hosts = hosts.len();
    for entries in hosts.values() {
        let mut busy_until = f64::NEG_INFINITY;
        let mut last: Option<f64> = None;
        for entry in entries {
            let gap = last.map_or(f64::INFINITY, |t| entry.t - t);
            let breach = || PolitenessBreach {
                host: entry.host.clone(),
                target: entry.target.clone(),
                t: entry.t,
                gap,
            };
            if entry.t < busy_until {
                report.overlapping.push(breach());
            }
            if gap < delay {
                report.too_close.push(breach());
            }
            if gap.is_finite() {
                report.closest = Some(report.closest.map_or(gap, |closest| closest.min(gap)));
            }
            busy_until = busy_until.max(entry.end);
            last = Some(entry.t);
        }
    }
    report
}

/// Returns requests that violated the host's `Crawl-delay` (with `slack` seconds of tolerance).
pub fn crawl_delay_breaches(log: &[LogEntry], truth: &GroundTruth, slack: f64) -> Vec<PolitenessBreach> {
    let mut breaches = Vec::new();
    for (host, entries) in by_host(log) {
        let Some(delay) = truth.robots.get(host).and_then(|robots| robots.crawl_delay) else { continue };
        for pair in entries.windows(2) {
            let gap = pair[1].t - pair[0].t;
            // The crawler does not know the delay before the first response.
            if gap < delay - slack && pair[0].target != "/robots.txt" {
                breaches.push(PolitenessBreach {
                    host: host.to_owned(),
                    target: pair[1].target.clone(),
                    t: pair[1].t,
                    gap,
                });
            }
        }
    }
    breaches
}

fn by_host(log: &[LogEntry]) -> BTreeMap<&str, Vec<&LogEntry>> {
    let mut hosts: BTreeMap<&str, Vec<&LogEntry>> = BTreeMap::new();
    for entry in log {
        hosts.entry(&entry.host).or_default().push(entry);
    }
    for entries in hosts.values_mut() {
        entries.sort_by(|a, b| a.t.total_cmp(&b.t));
    }
    hosts
}

/// Returns requests that violated robots.txt.
pub fn robots_violations<'a>(log: &'a [LogEntry], truth: &GroundTruth) -> Vec<&'a LogEntry> {
    log.iter()
        .filter(|entry| truth.robots.get(&entry.host).is_some_and(|robots| !robots.allows(&entry.target)))
        .collect()
}

/// Returns requests to hosts that must never be requested.
pub fn canary_hits<'a>(log: &'a [LogEntry], truth: &GroundTruth) -> Vec<&'a LogEntry> {
    log.iter().filter(|entry| truth.canaries.contains(&entry.host)).collect()
}

/// Share of a crawl that went into traps.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TrapShare {
    pub requests: usize,
    pub in_traps: usize,
    /// Requests per `kind host`.
    pub per_trap: BTreeMap<String, usize>,
}

impl TrapShare {
    /// Returns the share of all requests, 0 to 1.
    pub fn share(&self) -> f64 {
        if self.requests == 0 { 0.0 } else { self.in_traps as f64 / self.requests as f64 }
    }
}

/// Counts the requests that went into traps.
pub fn trap_share(log: &[LogEntry], truth: &GroundTruth) -> TrapShare {
    let mut traps: HashMap<&str, Vec<(&str, &str)>> = HashMap::new();
    for trap in &truth.traps {
        traps.entry(&trap.host).or_default().push((&trap.prefix, &trap.kind));
    }
    let mut report = TrapShare { requests: log.len(), ..TrapShare::default() };
    for entry in log {
        let inside = traps
            .get(entry.host.as_str())
            .into_iter()
            .flatten()
            .find(|(prefix, _)| entry.target.starts_with(prefix));
        if let Some((_, kind)) = inside {
            report.in_traps += 1;
            *report.per_trap.entry(format!("{kind} {}", entry.host)).or_default() += 1;
        }
    }
    report
}

/// Which resources a crawl should find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedResources {
    /// Revealed on the surface, on pages at most this many links from the seeds.
    Surface { depth: u32 },
    /// Revealed on the surface anywhere.
    AllSurface,
    /// Revealed on the surface anywhere, or by code that reading up to this level understands (see
    /// [`TruthResource::level`]).
    WithCode { level: u8 },
    /// Everything that robots.txt allows, including deep discovery methods.
    All,
}

/// Found resources compared with the ground truth.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecallPrecision {
    pub expected: usize,
    /// Number of expected resources that were found.
    pub found: usize,
    /// Number of correct claims, expected or not.
    pub correct: usize,
    /// Total number of claims; the same resource under two URLs counts twice.
    pub claimed: usize,
    pub missed: Vec<TruthResource>,
    /// Claims of resources that do not exist: kind and URL.
    pub false_claims: Vec<(String, String)>,
    /// Resources claimed more than once, under different URLs.
    pub duplicates: Vec<(String, String)>,
}

impl RecallPrecision {
    /// Returns the share of the expected resources that were found; 1 if none were expected.
    pub fn recall(&self) -> f64 {
        if self.expected == 0 { 1.0 } else { self.found as f64 / self.expected as f64 }
    }

    /// Returns the share of correct claims; 1 if nothing was claimed.
    pub fn precision(&self) -> f64 {
        if self.claimed == 0 { 1.0 } else { self.correct as f64 / self.claimed as f64 }
    }
}

/// Maps every address of a resource, aliases included, to the resource.
pub struct ResourceAliases<'t>(HashMap<(&'t str, String), usize>);

impl<'t> ResourceAliases<'t> {
    /// Collects the addresses of all resources.
    pub fn from_truth(truth: &'t GroundTruth) -> Self {
        let mut doors = HashMap::new();
        for (index, resource) in truth.resources.iter().enumerate() {
            for url in std::iter::once(&resource.url).chain(&resource.aliases) {
                doors.insert((resource.kind.as_str(), comparable(url)), index);
            }
        }
        Self(doors)
    }

    /// Returns the index of the resource of this kind at an address.
    pub fn resource_index(&self, kind: &str, url: &str) -> Option<usize> {
        self.0.get(&(kind, comparable(url))).copied()
    }
}

/// Compares claims (kind id and canonical URL) with the ground truth. Claims about hostile hosts
/// are ignored.
pub fn recall_precision<K, U>(
    truth: &GroundTruth,
    found: impl Iterator<Item = (K, U)>,
    which: ExpectedResources,
) -> RecallPrecision
where
    K: AsRef<str>,
    U: AsRef<str>,
{
    let doors = ResourceAliases::from_truth(truth);
    let mut report = RecallPrecision::default();
    let mut hit = HashSet::new();
    let mut claims = HashSet::new();
    for (kind, url) in found {
        let (kind, url) = (kind.as_ref(), url.as_ref());
        if host_of(url).ends_with(HOSTILE) {
            continue;
        }
        if !claims.insert((kind.to_owned(), comparable(url))) {
            continue;
        }
        report.claimed += 1;
        match doors.resource_index(kind, url) {
            Some(index) => {
                report.correct += 1;
                if !hit.insert(index) {
                    report.duplicates.push((kind.to_owned(), url.to_owned()));
                }
            }
            None => report.false_claims.push((kind.to_owned(), url.to_owned())),
        }
    }
    for (index, resource) in truth.resources.iter().enumerate() {
        let expected = resource.profile_of.is_none()
            && match which {
                ExpectedResources::Surface { depth } => {
                    resource.surface && resource.depth.is_some_and(|d| d <= depth)
                }
                ExpectedResources::AllSurface => resource.surface,
                ExpectedResources::WithCode { level } => {
                    resource.surface
                        || resource.robots_allowed && resource.level.is_some_and(|needed| needed <= level)
                }
                ExpectedResources::All => resource.robots_allowed,
            };
        if expected {
            report.expected += 1;
            if hit.contains(&index) {
                report.found += 1;
            } else {
                report.missed.push(resource.clone());
            }
        }
    }
    report
}

/// Claims about hostile hosts do not count: a bomb may well have the root element of a real
/// document.
const HOSTILE: &str = ".hostile.test";

fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', ':', '?']).next().unwrap_or("")
}

/// Normalises a URL for comparison: case of the host, default port, `%2F` and a trailing `?` or
/// `&`.
fn comparable(url: &str) -> String {
    let url = url.trim_end_matches(['?', '&']);
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let (authority, path) = rest.find(['/', '?']).map_or((rest, ""), |at| rest.split_at(at));
    let authority = authority.to_ascii_lowercase();
    let authority = authority.strip_suffix(":80").unwrap_or(&authority);
    format!("{}://{authority}{}", scheme.to_ascii_lowercase(), path.replace("%2F", "/").replace("%2f", "/"))
}
