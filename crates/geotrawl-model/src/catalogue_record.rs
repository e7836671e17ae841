//! What other catalogues say about resources.

use crate::{Bbox, Contact};
use serde::{Deserialize, Serialize};

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

/// What one page of a catalogue gave, for the store.
#[derive(Debug, Clone, PartialEq)]
pub struct HarvestedPage {
    /// Id of the connector.
    pub connector: String,
    /// The catalogue's address.
    pub catalogue: String,
    pub records: Vec<CatalogueRecord>,
    pub total: Option<u64>,
    /// The first page: the harvest begins.
    pub first: bool,
    /// Only what has changed was asked for.
    pub partial: bool,
    /// How many pages follow this one.
    pub next: u32,
}

/// A record of a catalogue on the web, as that catalogue says.
#[derive(Debug, Clone, Serialize)]
pub struct HarvestedRecord {
    /// Address of the catalogue.
    pub catalogue: String,
    /// How it was read.
    pub connector: String,
    /// The catalogue no longer has it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
    #[serde(flatten)]
    pub record: CatalogueRecord,
}
