//! Services and files, and the datasets they offer.

use crate::{Bbox, Issue};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Shared text. Values that repeat across many datasets (CRS codes, formats) are stored once, so
/// that a document with a hundred thousand layers stays small in memory.
pub type SharedText = Arc<str>;

/// A service or a file on the web that offers geospatial data.
///
/// Identified by `kind` and `url`; the store adds id, aliases, times, status and provenance.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Resource {
    /// Kind id, e.g. `wms`.
    pub kind: String,
    /// Canonical endpoint without request parameters (vendor parameters are kept), or the URL of a
    /// file.
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
    /// Licence, fees and access constraints as stated; the many spellings of "none" are dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bbox: Option<Bbox>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub crs: Vec<SharedText>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
    /// Server software, if it identifies itself, e.g. `GeoServer`, `MapServer 8.0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub software: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub formats: Vec<SharedText>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub datasets: Vec<Dataset>,
    /// Number of datasets; may exceed `datasets.len()` if only a count is known.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub dataset_count: u64,
    /// Problems found while reading it; never fatal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<Issue>,
}

impl Resource {
    /// Returns a copy without the datasets, of which there may be a hundred thousand.
    #[must_use]
    pub fn without_datasets(&self) -> Self {
        // Lists every field, so that the compiler rejects a new one that is missing here.
        Self {
            kind: self.kind.clone(),
            url: self.url.clone(),
            versions: self.versions.clone(),
            title: self.title.clone(),
            abstract_: self.abstract_.clone(),
            keywords: self.keywords.clone(),
            provider: self.provider.clone(),
            contact: self.contact.clone(),
            licence: self.licence.clone(),
            bbox: self.bbox,
            crs: self.crs.clone(),
            languages: self.languages.clone(),
            software: self.software.clone(),
            formats: self.formats.clone(),
            datasets: Vec::new(),
            dataset_count: self.dataset_count,
            issues: self.issues.clone(),
        }
    }
}

/// A layer, feature type, coverage, process, offering and so on: the unit that people search for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Dataset {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, rename = "abstract", skip_serializing_if = "Option::is_none")]
    pub abstract_: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub keywords: Vec<SharedText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bbox: Option<Bbox>,
    /// At most 200 codes.
    #[serde(default, skip_serializing_if = "no_crs")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub crs: Arc<[SharedText]>,
    /// Time extents as written in the source: instants, intervals `a/b` or `a/b/period`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub time: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub formats: Vec<SharedText>,
}

fn no_crs(crs: &Arc<[SharedText]>) -> bool {
    crs.is_empty()
}

/// Contact of a provider.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
    /// Returns whether no field is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
