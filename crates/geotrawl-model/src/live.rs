//! What is going on in a running task.

use crate::{RunCounters, RunId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is going on right now in a running task; overwritten about twice a second, never a history.
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
    /// Latest requests, newest last, at most 30: those without `millis` are being fetched now.
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

/// Sums of a run by what they are of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Tallies {
    /// Pages read at each depth.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, u64>))]
    pub pages_by_depth: BTreeMap<u32, u64>,
    /// Resources proven at each depth.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, u64>))]
    pub finds_by_depth: BTreeMap<u32, u64>,
    pub kinds: BTreeMap<String, u64>,
    /// Outcomes of requests by class.
    pub outcomes: BTreeMap<String, u64>,
}

impl Tallies {
    /// Adds other sums to these.
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

/// A point of a run's history.
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

/// What a worker reports about itself and its store.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WorkerFigures {
    /// Hosts that it has leased from a store that others share.
    pub hosts_on_loan: u64,
    /// Batches that are committed.
    pub commits: u64,
    /// Finished items that were dropped because the lease of their host had been lost.
    pub left_out: u64,
    /// Leases that expired.
    pub lost_loans: u64,
    /// Seconds during which the store could not be reached.
    pub store_away_seconds: f64,
    /// Whether the store cannot be reached now.
    pub store_is_away: bool,
}
