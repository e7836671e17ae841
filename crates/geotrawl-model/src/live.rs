//! Live figures of running tasks.

use crate::{RunCounters, RunId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Current figures of a running task, overwritten about twice a second.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = LiveFigures))]
pub struct LiveFigures {
    pub run: RunId,
    pub at: Timestamp,
    pub counters: RunCounters,
    pub in_flight: u32,
    pub active_hosts: u32,
    pub pages_per_second: f32,
    pub finds_per_minute: f32,
    pub tallies: Tallies,
    /// Latest requests, newest last, at most 30. Those without `millis` are still in progress.
    pub fetches: Vec<Fetch>,
}

/// A request of a running task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Fetch {
    pub url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub millis: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
}

/// Totals of a run, broken down by depth, kind and outcome.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Tallies {
    /// Pages read per depth.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, u64>))]
    pub pages_by_depth: BTreeMap<u32, u64>,
    /// Resources proven per depth.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, u64>))]
    pub finds_by_depth: BTreeMap<u32, u64>,
    pub kinds: BTreeMap<String, u64>,
    /// Requests per outcome class.
    pub outcomes: BTreeMap<String, u64>,
}

impl Tallies {
    /// Adds other totals to these.
    pub fn add(&mut self, more: &Self) {
        fn add<K: Ord + Clone>(sums: &mut BTreeMap<K, u64>, more: &BTreeMap<K, u64>) {
            for (key, count) in more {
                *sums.entry(key.clone()).or_default() += count;
            }
        }
        add(&mut self.pages_by_depth, &more.pages_by_depth);
        add(&mut self.finds_by_depth, &more.finds_by_depth);
        add(&mut self.kinds, &more.kinds);
        add(&mut self.outcomes, &more.outcomes);
    }
}

/// A point in the history of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Sample {
    pub at: Timestamp,
    pub pages: u64,
    pub probes: u64,
    pub failures: u64,
    pub resources: u64,
    pub pending: u64,
    pub bytes: u64,
}

/// Figures that a worker reports about itself and its store.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WorkerFigures {
    /// Hosts that it has leased from a shared store.
    pub hosts_on_loan: u64,
    /// Committed batches.
    pub commits: u64,
    /// Finished entries that were dropped because the lease of their host was lost.
    pub left_out: u64,
    /// Leases that expired.
    pub lost_loans: u64,
    /// Seconds during which the store was unavailable.
    pub store_away_seconds: f64,
    /// Whether the store is unavailable now.
    pub store_is_away: bool,
}
