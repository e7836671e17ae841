//! Availability and speed of a record.

use jiff::Timestamp;
use serde::Serialize;
use std::collections::BTreeMap;

/// Availability and speed of a record.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Uptime {
    /// `24h`, `30d`, `1y`.
    pub windows: BTreeMap<String, Window>,
    /// Oldest first; days without checks are omitted.
    pub days: Vec<Day>,
    /// Newest first.
    pub outages: Vec<Outage>,
}

/// Availability and speed over a period.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Window {
    /// Checks that indicate availability.
    pub checks: u64,
    pub available: u64,
    /// From 0 to 1.
    pub share: Option<f64>,
    pub p50: Option<u32>,
    pub p95: Option<u32>,
    pub p99: Option<u32>,
}

/// Availability and speed on one day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Day {
    /// `2026-11-16`
    pub day: String,
    pub checks: u64,
    pub available: u64,
    pub p50: Option<u32>,
}

/// A period in which a record did not answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Outage {
    pub began: Timestamp,
    pub ended: Option<Timestamp>,
    pub cause: String,
    pub reason: String,
}
