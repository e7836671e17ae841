//! Addresses to start from.

use serde::{Deserialize, Serialize};

/// One address to start from, as a list says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Seed {
    pub url: String,
    /// Kind of resource that the list says is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// ISO 3166 code of the country that it is about or from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

/// A stored list of seeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeedList {
    pub name: String,
    pub seeds: u64,
    /// Where it came from, and whom to credit.
    pub source: String,
    pub imported: jiff::Timestamp,
}

/// A seed with its place in a ranking, as search engines gave it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RankedSeed {
    pub url: String,
    /// Larger is sooner: the sum over engines of B - rank + 1.
    pub weight: f64,
    /// Who named it, and where in its list (from 1).
    pub named: Vec<EngineMention>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// One engine's word for a seed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineMention {
    pub engine: String,
    /// What it was asked.
    pub query: String,
    /// From 1.
    pub rank: u32,
}
