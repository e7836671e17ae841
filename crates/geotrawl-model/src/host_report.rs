//! Sums over many records.

use crate::{Host, Status};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The whole at a glance.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Overview {
    pub statuses: BTreeMap<String, u64>,
    /// Records with a place in the schedule.
    pub enrolled: u64,
    /// Due now.
    pub due: u64,
    /// Due for more than an hour.
    pub overdue: u64,
    pub checks_24h: u64,
    /// When something is due next.
    pub next: Option<Timestamp>,
    /// Of the scored operations of the last 24 h.
    pub latency: Option<Latency>,
    /// Worst first, at most 20.
    pub hosts: Vec<HostSummary>,
}

/// How long answers took, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Latency {
    pub p50: u32,
    pub p95: u32,
}

/// Order of hosts.
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

/// A host and what is there.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HostSummary {
    pub host: String,
    pub records: u64,
    pub dead: u64,
    pub degraded: u64,
    pub statuses: BTreeMap<String, u64>,
    /// Mean of the scores there.
    pub score: Option<f64>,
    pub country: Option<String>,
}

/// What is broken and missing on a host.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HostReport {
    pub host: String,
    /// Who offers things there, most records first.
    pub organisations: Vec<String>,
    pub place: Option<Host>,
    pub records: u64,
    pub datasets: u64,
    pub statuses: BTreeMap<String, u64>,
    pub score: Option<f64>,
    pub uptime_30d: Option<f64>,
    /// Worst first, at most 200.
    pub services: Vec<HostService>,
    /// Most costly first, of the first 200 services.
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

/// A point of the score that records of a host miss.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CostlyPoint {
    pub id: String,
    pub what: String,
    pub advice: Option<String>,
    /// Records that miss it.
    pub count: u64,
    /// Points of the score that it costs them together.
    pub cost: f64,
    /// Some of them.
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
