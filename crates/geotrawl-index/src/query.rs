//! What is asked of the index, and what it answers.

use geotrawl_model::{Bbox, Status};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Settings of the index.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IndexOptions {
    /// Synonyms of the operator's: a line holds words of one meaning, separated by commas.
    pub synonyms: Option<PathBuf>,
    /// Memory for writing, in bytes; 0: the usual.
    pub write_memory: usize,
}

/// How a record's box must lie to the box asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum SpatialRelation {
    /// They share some place.
    #[default]
    Overlaps,
    /// The record's box holds the whole box asked for.
    Contains,
    /// The record's box lies within the box asked for.
    Within,
}

/// What is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum SearchTarget {
    /// Services and files; matching layers fold out.
    #[default]
    Services,
    /// Layers, each with its service.
    Layers,
}

/// Order of the hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SortOrder {
    /// Text, overlap, quality, liveness and freshness together.
    #[default]
    Best,
    Newest,
    Title,
    Quality,
    /// First seen first: what is new comes at the end, so that a harvest by pages misses nothing.
    Oldest,
    /// Titles from Z to A.
    TitleDown,
    /// Last known to work first.
    Changed,
    /// Last known to work last.
    ChangedUp,
    /// Least quality first.
    QualityUp,
    Id,
    /// Ids from Z to A.
    IdDown,
}

/// A question. Values of one facet are alternatives; different facets must all hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchQuery {
    /// Words, with phrases ("..."), prefixes (wat*), fuzziness (roda~), AND OR NOT - + and parentheses, and fields
    /// (title: abstract: keyword: name: provider: url: host: kind: theme: country: layer:).
    pub words: String,
    pub bbox: Option<Bbox>,
    pub relation: SpatialRelation,
    /// Time extent that the record must touch: RFC 3339 moments or dates, either may be open.
    pub time: Option<(Option<String>, Option<String>)>,
    /// Values wanted of each facet (see [`FACETS`]).
    pub facets: BTreeMap<String, Vec<String>>,
    /// Empty: what is usable (neither dead nor inconclusive).
    pub status: Vec<Status>,
    /// All statuses, whatever `status` says.
    pub any_status: bool,
    /// Further conditions, from the query languages of catalogues.
    pub filter: Option<crate::filter::FilterExpression>,
    pub by: SearchTarget,
    pub sort: SortOrder,
    pub offset: usize,
    pub limit: usize,
    /// Count the facets.
    pub count_facets: bool,
    /// Explain the rank of each hit.
    pub explain: bool,
    /// Give nothing that lacks a word while something has them all, however little: programs count on it.
    pub exact: bool,
    /// Leave a signal out of the ranking, for measurements.
    pub without: Vec<RankingSignal>,
}

/// Names of the facets.
pub const FACETS: &[&str] =
    &["kind", "theme", "country", "provider", "status", "quality", "licence", "crs", "language"];

/// What goes into the rank.
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
    /// Where a record lies, for countries named in the question.
    Countries,
    /// The best layer of a service.
    Layers,
}

/// An answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchResults {
    pub total: u64,
    /// How many of them have all words, where some lack one because hardly anything has all.
    pub complete: Option<u64>,
    pub hits: Vec<Hit>,
    /// Facet, then its values with counts, most first, at most 50 each. Counts of a facet leave that facet's own
    /// filter out, so that alternatives stay visible.
    pub facets: BTreeMap<String, Vec<(String, u64)>>,
    /// A spelling that finds more, where nothing or little was found.
    pub did_you_mean: Option<String>,
    /// What was found is what was found by that spelling: nothing has a word as it was written.
    pub corrected: bool,
}

/// A hit: a service, or (by layers) a layer of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Hit {
    /// Id of the record.
    #[serde(skip)]
    pub id: String,
    pub score: f32,
    /// Title with hit words between `<mark>` and `</mark>`, all else escaped for HTML.
    #[serde(rename = "title_html")]
    pub title: String,
    /// A piece of the text that matched, marked and escaped like the title.
    #[serde(rename = "snippet_html")]
    pub snippet: String,
    /// By services: the best matching layers, at most 5. By layers: the one.
    pub layers: Vec<LayerHit>,
    /// By services: how many layers match.
    pub layers_matching: u64,
    /// Words of the question that the record does not have, where hardly any record has all of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// What each signal added to the rank.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, f32>))]
    pub explanation: BTreeMap<RankingSignal, f32>,
}

/// A matching layer.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LayerHit {
    pub name: String,
    /// Title, marked and escaped.
    #[serde(rename = "title_html")]
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bbox: Option<Bbox>,
}

/// What may be typed next.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Suggestion {
    pub text: String,
    /// `title`, `word`, `keyword`, `provider`.
    pub kind: String,
    pub count: u64,
}

/// A host of hits.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HostPlace {
    pub host: String,
    pub lat: f64,
    pub lon: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// Hits there.
    pub count: u64,
    pub kinds: BTreeMap<String, u64>,
}
