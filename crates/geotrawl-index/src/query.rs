//! Queries and results of the index.

use geotrawl_model::{Bbox, Status};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Settings of the index.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IndexOptions {
    /// File with the operator's synonyms: one meaning per line, words separated by commas.
    pub synonyms: Option<PathBuf>,
    /// Memory for writing in bytes; 0 uses the default.
    pub write_memory: usize,
}

/// Spatial relation between the record's box and the requested box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum SpatialRelation {
    /// The boxes intersect.
    #[default]
    Overlaps,
    /// The record's box contains the requested box.
    Contains,
    /// The record's box lies within the requested box.
    Within,
}

/// What to search for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum SearchTarget {
    /// Services and files, with their matching layers.
    #[default]
    Services,
    /// Layers, each with its service.
    Layers,
}

/// Order of the hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SortOrder {
    /// By text, overlap, quality, liveness and freshness combined.
    #[default]
    Best,
    Newest,
    Title,
    Quality,
    /// First seen first: new records come last, so that a harvest by pages misses none.
    Oldest,
    /// By title, descending.
    TitleDown,
    /// Last known to work first.
    Changed,
    /// Last known to work last.
    ChangedUp,
    /// Lowest quality first.
    QualityUp,
    Id,
    /// By id, descending.
    IdDown,
}

/// A search query. Values of one facet are alternatives; different facets must all match.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchQuery {
    /// Words, with phrases ("..."), prefixes (wat*), fuzzy words (roda~), AND OR NOT - +,
    /// parentheses and fields (title: abstract: keyword: name: provider: url: host: kind: theme:
    /// country: layer:).
    pub words: String,
    pub bbox: Option<Bbox>,
    pub relation: SpatialRelation,
    /// Span of RFC 3339 moments or dates that the record's temporal extent must intersect; either
    /// end may be open.
    pub time: Option<(Option<String>, Option<String>)>,
    /// Requested values by facet (see [`FACETS`]).
    pub facets: BTreeMap<String, Vec<String>>,
    /// Accepted statuses; empty accepts usable records (neither dead nor inconclusive).
    pub status: Vec<Status>,
    /// Accept all statuses and ignore `status`.
    pub any_status: bool,
    /// Further conditions, from catalogue query languages.
    pub filter: Option<crate::filter::FilterExpression>,
    pub by: SearchTarget,
    pub sort: SortOrder,
    pub offset: usize,
    pub limit: usize,
    /// Count the values of facets.
    pub count_facets: bool,
    /// Explain the rank of each hit.
    pub explain: bool,
    /// Never correct the spelling, and never return hits that lack a word while any hit has all
    /// words.
    pub exact: bool,
    /// Signals to leave out of the ranking, for measurements.
    pub without: Vec<RankingSignal>,
}

/// Names of the facets.
pub const FACETS: &[&str] =
    &["kind", "theme", "country", "provider", "status", "quality", "licence", "crs", "language"];

/// Signals that contribute to the rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum RankingSignal {
    Text,
    Overlap,
    Quality,
    Liveness,
    Freshness,
    Synonyms,
    PageWords,
    Stemming,
    /// Location of the record, for countries named in the query.
    Countries,
    /// Best layer of a service.
    Layers,
}

/// Results of a search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchResults {
    pub total: u64,
    /// Number of hits with all words, if the query was relaxed because hardly any record has all of
    /// them.
    pub complete: Option<u64>,
    pub hits: Vec<Hit>,
    /// Facets with their most frequent values and counts, at most 50 values each. The counts of a
    /// facet ignore the filter on that facet, so that alternatives remain visible.
    pub facets: BTreeMap<String, Vec<(String, u64)>>,
    /// Spelling that finds more, if there are few or no hits.
    pub did_you_mean: Option<String>,
    /// Whether the hits are those of the corrected spelling, because the original matches nothing.
    pub corrected: bool,
}

/// A hit: a service, or a layer when searching by layers.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Hit {
    /// Id of the record.
    #[serde(skip)]
    pub id: String,
    pub score: f32,
    /// Title as HTML; matching words are wrapped in `<mark>`, everything else is escaped.
    #[serde(rename = "title_html")]
    pub title: String,
    /// Excerpt of the matching text, marked and escaped like the title.
    #[serde(rename = "snippet_html")]
    pub snippet: String,
    /// Best matching layers, at most 5; when searching by layers, the layer itself.
    pub layers: Vec<LayerHit>,
    /// Number of matching layers, when searching by services.
    pub layers_matching: u64,
    /// Words of the query that the record lacks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Contribution of each signal to the rank.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, f32>))]
    pub explanation: BTreeMap<RankingSignal, f32>,
}

/// A matching layer.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LayerHit {
    pub name: String,
    /// Title as HTML, marked and escaped.
    #[serde(rename = "title_html")]
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bbox: Option<Bbox>,
}

/// A completion of the text typed so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Suggestion {
    pub text: String,
    /// `title`, `word`, `keyword` or `provider`.
    pub kind: String,
    pub count: u64,
}

/// A host of hits, with its location.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HostPlace {
    pub host: String,
    pub lat: f64,
    pub lon: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// Number of hits on this host.
    pub count: u64,
    pub kinds: BTreeMap<String, u64>,
}
