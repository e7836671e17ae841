//! Addresses to start from.

use serde::{Deserialize, Serialize};

/// A starting address as given in a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Seed {
    pub url: String,
    /// Kind of resource that the list names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// ISO 3166 code of the country that it covers or comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

/// A stored list of seeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeedList {
    pub name: String,
    pub seeds: u64,
    /// Source, and whom to credit.
    pub source: String,
    pub imported: jiff::Timestamp,
}

/// A seed ranked by search engines.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RankedSeed {
    pub url: String,
    /// Larger is sooner: the sum of `B - rank + 1` over the engines.
    pub weight: f64,
    /// Engines that returned it.
    pub named: Vec<EngineMention>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// Rank of a seed at one search engine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineMention {
    pub engine: String,
    /// The query.
    pub query: String,
    /// From 1.
    pub rank: u32,
}
