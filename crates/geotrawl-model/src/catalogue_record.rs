//! Records of third-party catalogues.

use crate::{Bbox, Contact};
use serde::{Deserialize, Serialize};

/// An entry of a third-party catalogue, kept apart from what probing its links finds.
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
    /// `dataset`, `service`, `series`, ... as the catalogue states it.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bbox: Option<Bbox>,
    /// Time extents as written in the source.
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
    /// When the record or its subject last changed, as written in the catalogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<RecordLink>,
    /// Whether the catalogue marks the record as deleted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deleted: bool,
}

/// A link of a catalogue record.
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

/// Contents of one page of a catalogue, as passed to the store.
#[derive(Debug, Clone, PartialEq)]
pub struct HarvestedPage {
    /// Id of the connector.
    pub connector: String,
    /// Address of the catalogue.
    pub catalogue: String,
    pub records: Vec<CatalogueRecord>,
    pub total: Option<u64>,
    /// Whether this is the first page of a harvest.
    pub first: bool,
    /// Whether only changes were requested.
    pub partial: bool,
    /// Number of pages that follow.
    pub next: u32,
}

/// A catalogue record as stored, with the catalogue it comes from.
#[derive(Debug, Clone, Serialize)]
pub struct HarvestedRecord {
    /// Address of the catalogue.
    pub catalogue: String,
    /// Id of the connector that read it.
    pub connector: String,
    /// Whether the catalogue no longer lists it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
    #[serde(flatten)]
    pub record: CatalogueRecord,
}
