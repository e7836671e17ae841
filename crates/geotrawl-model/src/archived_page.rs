//! Archived pages and documents of a collection, and their versions.

use crate::collection::{ArchiveRunId, RankedResult};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Number of an archived page.
pub type ArchivedPageId = i64;

/// Role of an archived page in its collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ItemRole {
    /// Found by a search engine or named by a person.
    Result,
    /// Linked from a result.
    Page,
    /// Embedded in a page: an image, a style sheet and the like.
    Requisite,
}

impl ItemRole {
    /// Returns the stored name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::Page => "page",
            Self::Requisite => "requisite",
        }
    }

    /// Parses a stored name; unknown names become [`Self::Requisite`].
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
    /// Seen for the first time, or changed beyond the threshold.
    New,
    /// Changed within the threshold.
    Modified,
    /// The same bytes.
    Unchanged,
    /// Gone.
    Deleted,
}

impl VersionKind {
    /// Returns the stored name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Modified => "modified",
            Self::Unchanged => "unchanged",
            Self::Deleted => "deleted",
        }
    }

    /// Parses a stored name; unknown names become [`Self::Unchanged`].
    pub fn from_word(word: &str) -> Self {
        match word {
            "new" => Self::New,
            "modified" => Self::Modified,
            "deleted" => Self::Deleted,
            _ => Self::Unchanged,
        }
    }
}

/// Location of a WARC record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarcLocation {
    /// Name of the file in the collection's folder.
    pub file: String,
    pub offset: u64,
    pub length: u64,
}

/// One version of an archived page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageVersion {
    /// Counted from 1 within the page.
    pub number: u32,
    pub run: ArchiveRunId,
    pub at: Timestamp,
    pub kind: VersionKind,
    /// HTTP status.
    pub status: u16,
    /// Final address, if redirects led elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_url: Option<String>,
    pub media_type: String,
    /// SHA-256 of the payload; empty if the page is gone.
    pub digest: String,
    pub bytes: u64,
    /// The record of this visit.
    pub record: WarcLocation,
    /// The record that holds the payload; an earlier one if the payload was already archived.
    pub payload: WarcLocation,
    /// Similarity to the previous version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub likeness: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<f64>,
    pub title: String,
    /// Metadata that the document states about itself.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub metadata: serde_json::Value,
}

/// A version to add.
#[derive(Debug, Clone, PartialEq)]
pub struct NewPageVersion {
    pub url: String,
    pub role: ItemRole,
    /// The version; the store assigns its `number`.
    pub version: PageVersion,
    /// Sketch that the next version is compared with.
    pub sketch: Vec<u8>,
    /// Updated entry in the ranked list, if this address is a search result.
    pub result: Option<RankedResult>,
}

/// What is known about an address before it is visited.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownPage {
    pub id: ArchivedPageId,
    pub url: String,
    pub role: ItemRole,
    /// Digest of the latest version with content, whichever version is current.
    pub digest: String,
    pub payload: WarcLocation,
    pub sketch: Vec<u8>,
    /// Whether the latest visit found the page gone.
    pub gone: bool,
    pub at: Timestamp,
}

/// A payload that is already archived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPayload {
    pub url: String,
    pub at: Timestamp,
    pub place: WarcLocation,
}

/// An archived page with its current version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CurrentPage {
    pub id: ArchivedPageId,
    pub url: String,
    pub role: ItemRole,
    /// Largest weight that it had as a search result.
    pub weight: f64,
    /// When the latest `new` version up to the current one was archived.
    pub created: Timestamp,
    /// When it was last modified by a visit or a rollback, if ever.
    pub modified: Option<Timestamp>,
    pub version: PageVersion,
    /// Whether a person chose this version.
    pub chosen: bool,
}

/// A version that a person chose as current.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VersionChoice {
    pub at: Timestamp,
    /// The version that is current since then.
    pub version: u32,
    /// Name of the person.
    pub who: String,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub note: String,
}

/// History of an archived page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageHistory {
    pub url: String,
    pub role: ItemRole,
    /// Oldest first.
    pub versions: Vec<PageVersion>,
    /// Oldest first.
    pub choices: Vec<VersionChoice>,
    /// Number of the current version; `None` if the page is gone.
    pub current: Option<u32>,
}

/// A note on a collection or an archived page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveNote {
    pub at: Timestamp,
    pub who: String,
    /// Address of the page; `None` if the note is about the collection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    pub text: String,
}
