//! Statistics of the whole catalogue.

use serde::Serialize;
use std::collections::BTreeMap;

/// Number of records, datasets and hosts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Totals {
    pub records: u64,
    pub datasets: u64,
    pub hosts: u64,
}

/// Statistics of the whole catalogue.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CatalogueStatistics {
    pub records: u64,
    pub datasets: u64,
    pub hosts: u64,
    pub pages: u64,
    pub kinds: BTreeMap<String, u64>,
    pub statuses: BTreeMap<String, u64>,
    /// Status, then kind.
    #[serde(skip)]
    pub status_kinds: BTreeMap<String, BTreeMap<String, u64>>,
    pub software: BTreeMap<String, u64>,
    /// By `scheme:term`.
    pub themes: BTreeMap<String, u64>,
    /// The hosts with most records.
    pub by_host: BTreeMap<String, u64>,
    pub languages: BTreeMap<String, u64>,
    /// Records by country of the host (ISO code), then kind. Requires GeoIP data.
    pub countries: BTreeMap<String, BTreeMap<String, u64>>,
    /// Records by IP address of the host, then kind; `countries` is derived from it.
    #[serde(skip)]
    pub addresses: BTreeMap<String, BTreeMap<String, u64>>,
    /// Pages read and records first found at each depth.
    pub levels: Vec<DepthTotals>,
    /// Number of known records at the end of each day.
    pub growth: Vec<(String, u64)>,
}

/// Discovery at one depth.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DepthTotals {
    pub depth: u32,
    pub pages: u64,
    pub found: u64,
}
