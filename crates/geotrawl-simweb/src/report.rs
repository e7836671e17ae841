//! What a request log and the truth tell about a crawl.

use crate::server::LogEntry;
use crate::truth::{GroundTruth, TruthResource};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Two requests to one host that were too close.
#[derive(Debug, Clone, PartialEq)]
pub struct PolitenessBreach {
    pub host: String,
    /// Target of the later request.
    pub target: String,
    /// When it arrived.
    pub t: f64,
    /// Seconds between the arrivals.
    pub gap: f64,
}

/// How politely hosts were treated.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PolitenessReport {
    pub requests: usize,
    pub hosts: usize,
    /// Requests that arrived while another to the same host was under way.
    pub overlapping: Vec<PolitenessBreach>,
    /// Requests that arrived sooner after another than the delay.
    pub too_close: Vec<PolitenessBreach>,
    /// Smallest gap between two arrivals at one host.
    pub closest: Option<f64>,
}

/// Judges the gaps between requests to one host. A client that paces its sends sees its gaps shrink by the
/// jitter of the machine on the way: pass a delay that is smaller by what you allow for that.
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

/// Requests that came sooner than the host's own `Crawl-delay` allows (less `slack` seconds).
pub fn crawl_delay_breaches(log: &[LogEntry], truth: &GroundTruth, slack: f64) -> Vec<PolitenessBreach> {
    let mut breaches = Vec::new();
    for (host, entries) in by_host(log) {
        let Some(delay) = truth.robots.get(host).and_then(|robots| robots.crawl_delay) else { continue };
        for pair in entries.windows(2) {
            let gap = pair[1].t - pair[0].t;
            // The crawler learns of the delay from the first answer.
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

/// Requests against robots.txt.
pub fn robots_violations<'a>(log: &'a [LogEntry], truth: &GroundTruth) -> Vec<&'a LogEntry> {
    log.iter()
        .filter(|entry| truth.robots.get(&entry.host).is_some_and(|robots| !robots.allows(&entry.target)))
        .collect()
}

/// Requests to hosts that must never be asked.
pub fn canary_hits<'a>(log: &'a [LogEntry], truth: &GroundTruth) -> Vec<&'a LogEntry> {
    log.iter().filter(|entry| truth.canaries.contains(&entry.host)).collect()
}

/// How much of a crawl went into traps.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TrapShare {
    pub requests: usize,
    pub in_traps: usize,
    /// Requests per `kind host`.
    pub per_trap: BTreeMap<String, usize>,
}

impl TrapShare {
    /// Share of all requests, 0 to 1.
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

/// Which resources should have been found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedResources {
    /// Revealed on the surface, on pages at most this many links from the seeds.
    Surface { depth: u32 },
    /// Revealed on the surface anywhere.
    AllSurface,
    /// Revealed on the surface anywhere, or by code that reading up to this level understands (see
    /// [`TruthResource::level`]).
    WithCode { level: u8 },
    /// Everything that robots.txt allows, deep ways included.
    All,
}

/// What was found of what is there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecallPrecision {
    pub expected: usize,
    /// Of the expected ones.
    pub found: usize,
    /// Claims that are true, whether expected or not.
    pub correct: usize,
    /// Claims in all, the same resource under two URLs counted twice.
    pub claimed: usize,
    pub missed: Vec<TruthResource>,
    /// Claims of what does not exist: kind and URL.
    pub false_claims: Vec<(String, String)>,
    /// Resources claimed more than once, under different URLs.
    pub duplicates: Vec<(String, String)>,
}

impl RecallPrecision {
    /// Share of the expected resources that were found; 1 when none was expected.
    pub fn recall(&self) -> f64 {
        if self.expected == 0 { 1.0 } else { self.found as f64 / self.expected as f64 }
    }

    /// Share of the claims that are true; 1 when nothing was claimed.
    pub fn precision(&self) -> f64 {
        if self.claimed == 0 { 1.0 } else { self.correct as f64 / self.claimed as f64 }
    }
}

/// Which resource of the truth stands behind an address, whichever of its doors that is.
pub struct ResourceAliases<'t>(HashMap<(&'t str, String), usize>);

impl<'t> ResourceAliases<'t> {
    /// Of all resources.
    pub fn from_truth(truth: &'t GroundTruth) -> Self {
        let mut doors = HashMap::new();
        for (index, resource) in truth.resources.iter().enumerate() {
            for url in std::iter::once(&resource.url).chain(&resource.aliases) {
                doors.insert((resource.kind.as_str(), comparable(url)), index);
            }
        }
        Self(doors)
    }

    /// The number of the resource of this kind there.
    pub fn resource_index(&self, kind: &str, url: &str) -> Option<usize> {
        self.0.get(&(kind, comparable(url))).copied()
    }
}

/// Compares claims (kind id and canonical URL) with the truth. Claims about hostile hosts are passed over.
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

/// What hostile hosts serve is neither here nor there: a bomb may well have the root of a real document.
const HOSTILE: &str = ".hostile.test";

fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', ':', '?']).next().unwrap_or("")
}

/// URLs that mean the same compare equal: case of host, default port, `%2F` and a dangling `?` or `&`.
fn comparable(url: &str) -> String {
    let url = url.trim_end_matches(['?', '&']);
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let (authority, path) = rest.find(['/', '?']).map_or((rest, ""), |at| rest.split_at(at));
    let authority = authority.to_ascii_lowercase();
    let authority = authority.strip_suffix(":80").unwrap_or(&authority);
    format!("{}://{authority}{}", scheme.to_ascii_lowercase(), path.replace("%2F", "/").replace("%2f", "/"))
}
