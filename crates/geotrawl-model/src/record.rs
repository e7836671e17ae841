//! The public record, as returned by `--json`, exports and the API. Members may be added, never
//! renamed.

use crate::{Bbox, Resource, Status};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One resource of the catalogue, in its public form.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Record {
    pub id: String,
    #[serde(flatten)]
    pub resource: Resource,
    pub aliases: Vec<String>,
    pub status: Status,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    pub host: Host,
    pub first_seen: jiff::Timestamp,
    pub last_seen: jiff::Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_ok: Option<jiff::Timestamp>,
    pub provenance: Vec<Provenance>,
    /// Other protocols over the same data, found at similar addresses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faces: Vec<RelatedService>,
    /// Quality from 0 to 100, if it was scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<u8>,
    /// Points by component of the score: `availability`, `latency`, `capabilities`, `operation`, `metadata`,
    /// `standards`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub score_points: BTreeMap<String, f64>,
    /// Whether there is too little history for a reliable score.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provisional: bool,
    /// When it was last checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<jiff::Timestamp>,
    /// Where it has probably moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<MovedTo>,
    /// Addresses of records that were merged into it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moved_from: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub themes: Vec<Theme>,
}

/// Address where a record has probably moved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MovedTo {
    /// The record at that address, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub url: String,
    /// 0 to 1.
    pub confidence: f64,
}

/// A theme label: a term of a vocabulary, and the text that led to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Theme {
    pub scheme: String,
    pub term: String,
    pub evidence: String,
}

/// Another protocol over the same data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RelatedService {
    pub kind: String,
    pub url: String,
    pub id: String,
}

/// The host that serves a resource.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Host {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ip: Option<String>,
    /// ISO 3166 code of the country where the host is located. Requires GeoIP data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lat: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lon: Option<f64>,
    /// Precision of the location.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<Precision>,
}

/// Precision of a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    City,
    Region,
    /// Country only: `lat` and `lon` are its centre.
    Country,
}

/// How a record was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Provenance {
    pub task: String,
    /// The page that contains the link.
    pub page: String,
    pub way: String,
    pub depth: u32,
}

/// Selects records.
#[derive(Debug, Clone, Default)]
pub struct RecordFilter {
    pub kinds: Vec<String>,
    /// Only those proven by the task of this name.
    pub task: Option<String>,
    pub status: Vec<Status>,
}

/// Short form of a record: the body of `find` events. Events of older versions are read as well, so
/// every new member needs `#[serde(default)]`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ShortRecord {
    pub id: String,
    pub kind: String,
    pub url: String,
    #[serde(default)]
    pub title: Option<String>,
    pub status: Status,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bbox: Option<Bbox>,
    pub host: Host,
    pub dataset_count: u64,
    /// The page that contains the link.
    pub page: String,
    pub depth: u32,
}

impl ShortRecord {
    /// Creates the short form of a record as the task of this name found it.
    pub fn from_record(record: &Record, task: &str) -> Self {
        let ways = &record.provenance;
        let way = ways.iter().find(|way| way.task == task).or_else(|| ways.first());
        Self {
            id: record.id.clone(),
            kind: record.resource.kind.clone(),
            url: record.resource.url.clone(),
            title: record.resource.title.clone(),
            status: record.status,
            bbox: record.resource.bbox,
            host: record.host.clone(),
            dataset_count: record.resource.dataset_count,
            page: way.map(|way| way.page.clone()).unwrap_or_default(),
            depth: way.map(|way| way.depth).unwrap_or_default(),
        }
    }
}
