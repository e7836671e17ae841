//! Kept pages and documents of a collection, and their versions.

use crate::collection::{ArchiveRunId, RankedResult};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Number of an item.
pub type ArchivedPageId = i64;

/// What an item is in its collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ItemRole {
    /// Named by an engine or a person.
    Result,
    /// Linked from a result.
    Page,
    /// What a page is shown with.
    Requisite,
}

impl ItemRole {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::Page => "page",
            Self::Requisite => "requisite",
        }
    }

    /// The role of this word.
    pub fn from_word(word: &str) -> Self {
        match word {
            "result" => Self::Result,
            "page" => Self::Page,
            _ => Self::Requisite,
        }
    }
}

/// What a visit found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum VersionKind {
    /// Not there before, or changed beyond the threshold.
    New,
    /// Changed within the threshold.
    Modified,
    /// The same bytes.
    Unchanged,
    /// Gone.
    Deleted,
}

impl VersionKind {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Modified => "modified",
            Self::Unchanged => "unchanged",
            Self::Deleted => "deleted",
        }
    }

    /// The kind of this word.
    pub fn from_word(word: &str) -> Self {
        match word {
            "new" => Self::New,
            "modified" => Self::Modified,
            "deleted" => Self::Deleted,
            _ => Self::Unchanged,
        }
    }
}

/// Where a record is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarcLocation {
    /// Name of the file in the collection's folder.
    pub file: String,
    pub offset: u64,
    pub length: u64,
}

/// Something that was seen at an address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageVersion {
    /// From 1 within the item.
    pub number: u32,
    pub run: ArchiveRunId,
    pub at: Timestamp,
    pub kind: VersionKind,
    /// HTTP status.
    pub status: u16,
    /// Where it was after redirects, when that is elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_url: Option<String>,
    pub media_type: String,
    /// SHA-256 of the payload; empty of what is gone.
    pub digest: String,
    pub bytes: u64,
    /// The record of this visit.
    pub record: WarcLocation,
    /// The record that holds the payload: the same one, unless the payload was kept before.
    pub payload: WarcLocation,
    /// How alike the version before was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub likeness: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<f64>,
    pub title: String,
    /// What it says about itself.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub metadata: serde_json::Value,
}

/// A visit, to be noted.
#[derive(Debug, Clone, PartialEq)]
pub struct NewPageVersion {
    pub url: String,
    pub role: ItemRole,
    /// Its `number` is given by the store.
    pub version: PageVersion,
    /// For comparing the next version.
    pub sketch: Vec<u8>,
    /// The state of the result of this address, if it is one.
    pub result: Option<RankedResult>,
}

/// What is known of an address before a visit.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownPage {
    pub id: ArchivedPageId,
    pub url: String,
    pub role: ItemRole,
    /// The latest visit that found something, whatever is current.
    pub digest: String,
    pub payload: WarcLocation,
    pub sketch: Vec<u8>,
    /// The latest visit found it gone.
    pub gone: bool,
    pub at: Timestamp,
}

/// A payload that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPayload {
    pub url: String,
    pub at: Timestamp,
    pub place: WarcLocation,
}

/// An item with the version that is current.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CurrentPage {
    pub id: ArchivedPageId,
    pub url: String,
    pub role: ItemRole,
    /// Greatest weight it had as a result.
    pub weight: f64,
    /// When the item, as it is, began: the latest `new` version up to the current one.
    pub created: Timestamp,
    /// When it was last modified, by a visit or a rollback, if it was.
    pub modified: Option<Timestamp>,
    pub version: PageVersion,
    /// A person chose this version.
    pub chosen: bool,
}

/// A choice of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VersionChoice {
    pub at: Timestamp,
    /// Which version is current since then.
    pub version: u32,
    /// Who chose.
    pub who: String,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub note: String,
}

/// All that happened to an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageHistory {
    pub url: String,
    pub role: ItemRole,
    /// Oldest first.
    pub versions: Vec<PageVersion>,
    /// Oldest first.
    pub choices: Vec<VersionChoice>,
    /// The version that is current; `None` when it is gone.
    pub current: Option<u32>,
}

/// A note of a person on a collection or an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveNote {
    pub at: Timestamp,
    pub who: String,
    /// `None`: on the collection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    pub text: String,
}
