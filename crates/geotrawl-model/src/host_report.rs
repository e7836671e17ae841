//! Reports over many records: per host and for the whole catalogue.

use crate::{Host, Status};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Overview of all monitored records.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Overview {
    pub statuses: BTreeMap<String, u64>,
    /// Records in the schedule.
    pub enrolled: u64,
    /// Checks that are due now.
    pub due: u64,
    /// Checks that have been due for more than an hour.
    pub overdue: u64,
    pub checks_24h: u64,
    /// When the next check is due.
    pub next: Option<Timestamp>,
    /// Latency of the scored operations in the last 24 h.
    pub latency: Option<Latency>,
    /// Worst first, at most 20.
    pub hosts: Vec<HostSummary>,
}

/// Response times in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Latency {
    pub p50: u32,
    pub p95: u32,
}

/// Sort order of hosts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum HostOrder {
    /// Most records first.
    #[default]
    Records,
    /// Most dead records first.
    Dead,
    /// Lowest mean score first.
    Score,
}

/// A host with a summary of its records.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HostSummary {
    pub host: String,
    pub records: u64,
    pub dead: u64,
    pub degraded: u64,
    pub statuses: BTreeMap<String, u64>,
    /// Mean score of its records.
    pub score: Option<f64>,
    pub country: Option<String>,
}

/// Problems and outages of a host.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HostReport {
    pub host: String,
    /// Providers on this host, most records first.
    pub organisations: Vec<String>,
    pub place: Option<Host>,
    pub records: u64,
    pub datasets: u64,
    pub statuses: BTreeMap<String, u64>,
    pub score: Option<f64>,
    pub uptime_30d: Option<f64>,
    /// Worst first, at most 200.
    pub services: Vec<HostService>,
    /// Largest total score loss first; computed over the first 200 services.
    pub problems: Vec<CostlyPoint>,
    /// Newest first, at most 50.
    pub outages: Vec<HostOutage>,
}

/// A record on a host.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HostService {
    pub id: String,
    pub title: Option<String>,
    pub kind: String,
    pub url: String,
    pub status: Status,
    pub reason: String,
    pub score: Option<u8>,
}

/// A criterion of the score that records of a host miss.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CostlyPoint {
    pub id: String,
    pub what: String,
    pub advice: Option<String>,
    /// Number of records that miss it.
    pub count: u64,
    /// Total points that it costs these records.
    pub cost: f64,
    /// Ids of some of these records.
    pub records: Vec<String>,
}

/// An outage of a record on a host.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HostOutage {
    pub id: String,
    pub title: Option<String>,
    pub began: Timestamp,
    pub ended: Option<Timestamp>,
    pub reason: String,
}
