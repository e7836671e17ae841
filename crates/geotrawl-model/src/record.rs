//! The public record: what `--json`, exports and the API give. Members may be added, none renamed.

use crate::{Bbox, Resource, Status};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One resource, as everybody outside sees it.
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
    /// Other faces of the same service: other kinds under a like address.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faces: Vec<RelatedService>,
    /// Quality from 0 to 100, where it was scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<u8>,
    /// Points by component of the score: `availability`, `latency`, `capabilities`, `operation`, `metadata`,
    /// `standards`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub score_points: BTreeMap<String, f64>,
    /// There is too little history to be sure of the score.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provisional: bool,
    /// When it was last checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<jiff::Timestamp>,
    /// Where it seems to have gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<MovedTo>,
    /// Addresses of what was merged into it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moved_from: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub themes: Vec<Theme>,
}

/// Where a record seems to have gone.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MovedTo {
    /// The record there, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub url: String,
    /// 0 to 1.
    pub confidence: f64,
}

/// What it is about, by a scheme of themes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Theme {
    pub scheme: String,
    pub term: String,
    pub evidence: String,
}

/// Another way into a service.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RelatedService {
    pub kind: String,
    pub url: String,
    pub id: String,
}

/// Where it is served from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Host {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ip: Option<String>,
    /// ISO 3166 code of the country where it stands, where a database of networks says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lat: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lon: Option<f64>,
    /// How exact the place is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<Precision>,
}

/// How exact a place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    City,
    Region,
    /// The country only: `lat` and `lon` are its middle.
    Country,
}

/// How it was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Provenance {
    pub task: String,
    /// The page that showed it.
    pub page: String,
    pub way: String,
    pub depth: u32,
}

/// Which records.
#[derive(Debug, Clone, Default)]
pub struct RecordFilter {
    pub kinds: Vec<String>,
    /// Only those a task of this name proved.
    pub task: Option<String>,
    pub status: Vec<Status>,
}

/// A find as watchers see it: the body of `find` events. Events of older versions are read too, so that every new
/// member needs `#[serde(default)]`.
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
    /// The page that showed it.
    pub page: String,
    pub depth: u32,
}

impl ShortRecord {
    /// Of a record, as a task of this name found it.
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
