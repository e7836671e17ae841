//! Archive collections as the API returns them.

use super::task_model::may_change;
use crate::auth::Caller;
use geotrawl_model::archived_page::{
    ArchiveNote, CurrentPage, ItemRole, PageHistory, PageVersion, VersionChoice, VersionKind,
};
use geotrawl_model::collection::{
    ArchiveRun, Collection, CollectionSpec, RankedResult, ResultPlace, RunState,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A collection to create.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct NewCollection {
    /// 1 to 40 letters, digits, `-` or `_`.
    pub acronym: String,
    /// Start a run immediately.
    pub run: Option<bool>,
    #[serde(flatten)]
    pub wish: CollectionSpec,
}

/// A run and its counts.
#[derive(Debug, Serialize, ToSchema)]
pub struct RunView {
    /// Timestamp of the run, which is the second part of the object's identifier.
    pub at: Timestamp,
    pub state: RunState,
    pub ended: Option<Timestamp>,
    pub error: Option<String>,
    pub results: u64,
    pub fetched: u64,
    pub new: u64,
    pub modified: u64,
    pub unchanged: u64,
    pub deleted: u64,
    pub rejected: u64,
    pub failed: u64,
    pub bytes: u64,
}

impl From<&ArchiveRun> for RunView {
    fn from(run: &ArchiveRun) -> Self {
        let counts = run.counts;
        Self {
            at: run.at,
            state: run.state,
            ended: run.ended,
            error: run.error.clone(),
            results: counts.results,
            fetched: counts.fetched,
            new: counts.new,
            modified: counts.modified,
            unchanged: counts.unchanged,
            deleted: counts.deleted,
            rejected: counts.rejected,
            failed: counts.failed,
            bytes: counts.bytes,
        }
    }
}

/// A collection.
#[derive(Debug, Serialize, ToSchema)]
pub struct CollectionView {
    pub acronym: String,
    pub spec: CollectionSpec,
    pub created: Timestamp,
    /// Whether the caller owns it.
    pub mine: bool,
    /// Actions available to the caller.
    pub may: Vec<CollectionAction>,
    /// Whether a run is waiting for a worker.
    pub queued: bool,
    pub next_run: Option<Timestamp>,
    pub last_run: Option<RunView>,
    /// Number of current items.
    pub items: u64,
}

/// An action on a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CollectionAction {
    Run,
    Edit,
    Rollback,
    Delete,
}

impl CollectionAction {
    const ALL: [Self; 4] = [Self::Run, Self::Edit, Self::Rollback, Self::Delete];
}

impl CollectionView {
    /// Converts a collection, as seen by this caller.
    pub fn from_collection(collection: &Collection, caller: &Caller) -> Self {
        let may =
            if may_change(caller, collection.owner) { CollectionAction::ALL.to_vec() } else { Vec::new() };
        Self {
            acronym: collection.acronym.clone(),
            spec: collection.spec.clone(),
            created: collection.created,
            mine: caller.user.as_ref().is_some_and(|user| collection.owner == Some(user.id)),
            may,
            queued: collection.queued,
            next_run: collection.next_run,
            last_run: collection.last_run.as_ref().map(RunView::from),
            items: collection.items,
        }
    }
}

/// Collections.
#[derive(Debug, Serialize, ToSchema)]
pub struct CollectionList {
    pub total: u64,
    pub results: Vec<CollectionView>,
}

/// Runs, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct RunList {
    pub results: Vec<RunView>,
}

/// A result of a run.
#[derive(Debug, Serialize, ToSchema)]
pub struct ResultView {
    pub url: String,
    pub title: String,
    /// Sum over the engines of `B - rank + 1`.
    pub weight: f64,
    pub named: Vec<ResultPlace>,
    /// `html`, `document`, or empty while not known.
    pub sort: String,
    /// `waiting`, `kept`, `rejected`, `failed`, `gone`.
    pub state: String,
    pub about: Option<f64>,
    pub reason: Option<String>,
}

impl From<RankedResult> for ResultView {
    fn from(result: RankedResult) -> Self {
        Self {
            url: result.url,
            title: result.title,
            weight: result.weight,
            named: result.named,
            sort: result.sort,
            state: result.state,
            about: result.about,
            reason: result.reason,
        }
    }
}

/// The ranked list of a run.
#[derive(Debug, Serialize, ToSchema)]
pub struct ResultList {
    pub run: Option<RunView>,
    pub results: Vec<ResultView>,
}

/// A version of an item.
#[derive(Debug, Serialize, ToSchema)]
pub struct VersionView {
    pub number: u32,
    pub at: Timestamp,
    pub kind: VersionKind,
    pub status: u16,
    pub final_url: Option<String>,
    pub media_type: String,
    pub sha256: String,
    pub bytes: u64,
    pub likeness: Option<f64>,
    pub about: Option<f64>,
    pub title: String,
    /// Location in the WARC files.
    pub warc: String,
    /// Metadata that the document states about itself.
    #[schema(value_type = Object)]
    pub metadata: serde_json::Value,
}

impl From<PageVersion> for VersionView {
    fn from(version: PageVersion) -> Self {
        let place = &version.payload;
        Self {
            number: version.number,
            at: version.at,
            kind: version.kind,
            status: version.status,
            warc: format!("{}:{}+{}", place.file, place.offset, place.length),
            final_url: version.final_url,
            media_type: version.media_type,
            sha256: version.digest,
            bytes: version.bytes,
            likeness: version.likeness,
            about: version.about,
            title: version.title,
            metadata: version.metadata,
        }
    }
}

/// An item as it was at a given time.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemView {
    pub url: String,
    pub role: ItemRole,
    pub weight: f64,
    pub created: Timestamp,
    pub modified: Option<Timestamp>,
    /// Whether a user chose this version.
    pub chosen: bool,
    /// Address of the replay.
    pub replay: String,
    pub version: VersionView,
}

impl ItemView {
    /// Converts an item as of a given time.
    pub fn from_item(item: CurrentPage, acronym: &str, at: Timestamp) -> Self {
        Self {
            replay: geotrawl_archive::collection_files::replay_url("", acronym, at, &item.url),
            url: item.url,
            role: item.role,
            weight: item.weight,
            created: item.created,
            modified: item.modified,
            chosen: item.chosen,
            version: item.version.into(),
        }
    }
}

/// Items as they were at a given time.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemList {
    pub as_of: Timestamp,
    pub total: u64,
    pub results: Vec<ItemView>,
}

/// The history of an item.
#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryView {
    pub url: String,
    pub role: ItemRole,
    /// The current version; absent if the item is gone.
    pub current: Option<u32>,
    pub versions: Vec<VersionView>,
    pub choices: Vec<VersionChoice>,
}

impl From<PageHistory> for HistoryView {
    fn from(history: PageHistory) -> Self {
        Self {
            url: history.url,
            role: history.role,
            current: history.current,
            versions: history.versions.into_iter().map(VersionView::from).collect(),
            choices: history.choices,
        }
    }
}

/// The version to make current.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rollback {
    pub url: String,
    pub version: u32,
    /// Reason for the change.
    #[serde(default)]
    #[schema(max_length = 2000)]
    pub note: String,
}

/// A note by a user.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoteView {
    pub at: Timestamp,
    pub who: String,
    /// URL of the item; absent for a note on the collection.
    pub url: Option<String>,
    pub text: String,
}

impl From<ArchiveNote> for NoteView {
    fn from(note: ArchiveNote) -> Self {
        Self { at: note.at, who: note.who, url: note.url, text: note.text }
    }
}

/// Notes, oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoteList {
    pub results: Vec<NoteView>,
}

/// A note to add.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewNote {
    #[schema(min_length = 1, max_length = 10_000)]
    pub text: String,
    #[serde(default)]
    pub url: Option<String>,
}
