//! The model: resources, their datasets, extents, and what we can say about them.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Text that repeats across many datasets (CRS codes, formats) is shared, so that a document with a
/// hundred thousand layers stays small in memory.
pub type Shared = Arc<str>;

/// A service or a file: one thing on the web that gives geospatial data.
///
/// Identity is `kind` + `url`; the store adds id, aliases, times, status and provenance.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Resource {
    /// Kind id, e.g. `wms` (see [`crate::kinds::KINDS`]).
    pub kind: String,
    /// Canonical endpoint without request parameters (vendor parameters kept); for files the file's URL.
    pub url: String,
    /// Versions seen or advertised, e.g. `1.3.0`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, rename = "abstract", skip_serializing_if = "Option::is_none")]
    pub abstract_: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// Organisation that offers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    #[serde(default, skip_serializing_if = "Contact::is_empty")]
    pub contact: Contact,
    /// Licence, fees and access constraints as stated; "none" in its many spellings is dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bbox: Option<Bbox>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crs: Vec<Shared>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
    /// Server software where it shows itself, e.g. `GeoServer`, `MapServer 8.0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub software: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub formats: Vec<Shared>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub datasets: Vec<Dataset>,
    /// How many datasets it offers; may exceed `datasets.len()` where only a count is known.
    #[serde(default)]
    pub dataset_count: u64,
    /// What was odd about it: never fatal, always said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<Issue>,
}

/// Layer, feature type, coverage, process, offering, ...: the unit people look for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Dataset {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, rename = "abstract", skip_serializing_if = "Option::is_none")]
    pub abstract_: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<Shared>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bbox: Option<Bbox>,
    /// At most 200 codes are kept.
    #[serde(default, skip_serializing_if = "no_crs")]
    pub crs: Arc<[Shared]>,
    /// Time extents as the source writes them: instants, intervals `a/b` or `a/b/period`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub time: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub formats: Vec<Shared>,
}

fn no_crs(crs: &Arc<[Shared]>) -> bool {
    crs.is_empty()
}

/// A WGS84 box `[west, south, east, north]` in degrees; `west > east` crosses the antimeridian.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 4]", into = "[f64; 4]")]
pub struct Bbox {
    pub west: f64,
    pub south: f64,
    pub east: f64,
    pub north: f64,
}

impl From<[f64; 4]> for Bbox {
    fn from([west, south, east, north]: [f64; 4]) -> Self {
        Self { west, south, east, north }
    }
}

impl From<Bbox> for [f64; 4] {
    fn from(b: Bbox) -> Self {
        [b.west, b.south, b.east, b.north]
    }
}

/// Whom to ask.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organisation: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl Contact {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Something that is not as it should be, told once, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// Stable id for machines, e.g. `xml-not-well-formed`, `bbox-inverted`.
    pub code: String,
    /// One sentence for people.
    pub message: String,
}

impl Issue {
    /// A new issue.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into() }
    }
}

/// What a catalogue says about one thing: kept as said, apart from what probing finds at its links.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CatalogueRecord {
    /// Identifier inside the catalogue; unique there.
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, rename = "abstract", skip_serializing_if = "Option::is_none")]
    pub abstract_: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// `dataset`, `service`, `series`, ... as the catalogue says.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bbox: Option<Bbox>,
    /// Time extents as the source writes them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub time: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crs: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    #[serde(default, skip_serializing_if = "Contact::is_empty")]
    pub contact: Contact,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// When the record or what it describes last changed, as the catalogue writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<RecordLink>,
    /// The catalogue says that it is gone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deleted: bool,
}

/// Where a catalogue's record leads.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordLink {
    pub url: String,
    /// Protocol as the catalogue names it (`OGC:WMS`, `ESRI:ArcGIS:MapServer`, `WWW:DOWNLOAD`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<String>,
    /// Format or media type as the catalogue names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Name, often that of a layer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Whether a resource works, as far as we know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Alive,
    Degraded,
    Dead,
    Restricted,
    Blocked,
    Inconclusive,
    #[default]
    Unchecked,
}

impl Status {
    /// The word used everywhere.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Alive => "alive",
            Self::Degraded => "degraded",
            Self::Dead => "dead",
            Self::Restricted => "restricted",
            Self::Blocked => "blocked",
            Self::Inconclusive => "inconclusive",
            Self::Unchecked => "unchecked",
        }
    }
}

/// A value and what was odd on the way to it.
#[derive(Debug, Clone, Default)]
pub struct Parsed<T> {
    pub value: T,
    pub issues: Vec<Issue>,
}
