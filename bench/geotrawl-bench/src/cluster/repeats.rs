//! Which requests were made again, and whether each had to be.
//!
//! The bar, precisely. A request for an address beyond the number that the undisturbed crawl made is right only when
//! an earlier request for the address was made by a worker that was killed in between, and the store had the item pending
//! after that worker was dead: what it had fetched was not yet committed, so it was in flight. Each request that was in
//! flight at a kill excuses one more. Nothing else excuses anything: not a fall of the database, not a cut, not a worker
//! that lives.
//!
//! Scripts and configurations of map applications are no items: they are read on the way to judge a page, and each process
//! remembers them. They may be asked for once by each process, or again with a page that was in flight.

use geotrawl_simweb::LogEntry;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::audit;

/// Items of a store, as `host path`.
#[derive(Debug, Default)]
pub struct ItemSet {
    all: BTreeSet<String>,
    /// Those that are asked with parameters of their own: host and path without the query.
    probes: HashSet<String>,
}

impl ItemSet {
    /// Of addresses and what they are for.
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

    /// Whether a request for this address may belong to one of them.
    pub fn contains(&self, address: &str) -> bool {
        self.all.contains(address) || self.probes.contains(bare(address))
    }

    /// What the other has not.
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
    /// By the clock of the log.
    pub at: f64,
    /// What the store had pending when it was dead.
    pub pending: Option<Arc<ItemSet>>,
}

/// What was asked again.
#[derive(Debug, Default)]
pub struct RepeatedRequests {
    pub by_kill: usize,
    pub by_process: usize,
    pub unexplained: Vec<String>,
    /// Requests of a killed worker whose items were pending: least, middle and most of all kills.
    pub in_flight: (usize, usize, usize),
}

impl RepeatedRequests {
    /// Of a crawl; `usual` is how often each address is asked for when nothing happens, `items` what it closed.
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
            // When the loss of each request was certain.
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
                // So many are excused by then, beyond the usual ones.
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
