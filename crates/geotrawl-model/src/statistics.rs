//! Numbers about the whole catalogue.

use serde::Serialize;
use std::collections::BTreeMap;

/// How much there is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Totals {
    pub records: u64,
    pub datasets: u64,
    pub hosts: u64,
}

/// Numbers about the whole catalogue.
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
    /// Country (ISO code) of the host, then kind; as far as the store was told places.
    pub countries: BTreeMap<String, BTreeMap<String, u64>>,
    /// Address of the host, then kind: what `countries` are made from.
    #[serde(skip)]
    pub addresses: BTreeMap<String, BTreeMap<String, u64>>,
    /// Depth of discovery: pages read there and records first found there.
    pub levels: Vec<DepthTotals>,
    /// Records known at the end of each day.
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
