//! Finds repeated requests and decides whether each was necessary.
//!
//! The criterion: a request beyond the number in the undisturbed crawl is necessary only if an
//! earlier request for the address was made by a worker that was killed in between, and the item
//! was pending in the store after that worker was dead, so that its result was not committed. Each
//! request in flight at a kill justifies one repetition. Nothing else does: neither a failure of
//! the database, nor a cut, nor a live worker.
//!
//! Scripts and configurations of map applications are not items: they are fetched to evaluate a
//! page, and cached per process. They may be requested once per process, and again together with a
//! page that was in flight.

use geotrawl_simweb::LogEntry;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::audit;

/// Items of a store as `host path`.
#[derive(Debug, Default)]
pub struct ItemSet {
    all: BTreeSet<String>,
    /// Items that are requested with their own parameters: host and path without query.
    probes: HashSet<String>,
}

impl ItemSet {
    /// Creates a set from addresses with their intents.
    pub fn new(items: Vec<(String, String)>) -> Self {
        let mut all = Self::default();
        for (address, intent) in items {
            if intent != "page" {
                all.probes.insert(bare(&address).to_owned());
            }
            all.all.insert(address);
        }
        all
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns whether a request for this address may belong to one of the items.
    pub fn contains(&self, address: &str) -> bool {
        self.all.contains(address) || self.probes.contains(bare(address))
    }

    /// Returns the items that the other set lacks.
    pub fn difference<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a str> {
        self.all.difference(&other.all).map(String::as_str)
    }
}

fn bare(address: &str) -> &str {
    address.split_once('?').map_or(address, |(bare, _)| bare)
}

/// A worker that was killed.
#[derive(Debug)]
pub struct KilledWorker {
    pub agent: String,
    /// Time on the clock of the log.
    pub at: f64,
    /// Items that were pending in the store after its death.
    pub pending: Option<Arc<ItemSet>>,
}

/// Repeated requests.
#[derive(Debug, Default)]
pub struct RepeatedRequests {
    pub by_kill: usize,
    pub by_process: usize,
    pub unexplained: Vec<String>,
    /// Requests of a killed worker whose items were pending: minimum, median and maximum over all
    /// kills.
    pub in_flight: (usize, usize, usize),
}

impl RepeatedRequests {
    /// Analyzes a crawl; `usual` is the number of requests per address in an undisturbed crawl,
    /// `items` what it finished.
    pub fn from_log(
        log: &[LogEntry],
        usual: &HashMap<String, usize>,
        killed: &[KilledWorker],
        items: &ItemSet,
    ) -> Self {
        let mut repeats = Self::default();
        let deaths: HashMap<&str, &KilledWorker> =
            killed.iter().map(|killed| (killed.agent.as_str(), killed)).collect();
        let mut in_flight: HashMap<&str, usize> =
            killed.iter().map(|killed| (killed.agent.as_str(), 0)).collect();
        for (address, requests) in audit::by_address(log) {
            let is_item = items.contains(&address);
            let usual = usual.get(&address).copied().unwrap_or(1);
            // Times at which the loss of a request was certain.
            let mut lost: Vec<f64> = Vec::new();
            for entry in &requests {
                let Some(death) = deaths.get(entry.agent.as_str()) else { continue };
                if death.pending.as_ref().is_none_or(|pending| pending.contains(&address)) {
                    lost.push(death.at);
                    if is_item {
                        *in_flight.entry(death.agent.as_str()).or_default() += 1;
                    }
                }
            }
            let by_agent = |agent: &str| requests.iter().filter(|entry| entry.agent == agent).count();
            for (nth, entry) in requests.iter().enumerate().skip(usual) {
                // Number of repetitions justified by then, beyond the usual number.
                let excused = lost.iter().filter(|at| **at < entry.t).count();
                if nth < usual + excused {
                    repeats.by_kill += 1;
                } else if !is_item && by_agent(&entry.agent) <= usual {
                    repeats.by_process += 1;
                } else {
                    let all: Vec<String> = requests
                        .iter()
                        .map(|entry| {
                            format!("{:.2}-{:.2} s {} {}", entry.t, entry.end, entry.agent, entry.status)
                        })
                        .collect();
                    repeats.unexplained.push(format!("{address} ({usual} usual): {}", all.join(", ")));
                }
            }
        }
        repeats.in_flight = audit::min_median_max(in_flight.into_values());
        repeats
    }
}
