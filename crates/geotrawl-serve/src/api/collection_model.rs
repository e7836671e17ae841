//! Collections as the API shows them.

use super::task_model::may_change;
use crate::auth::Caller;
use geotrawl_store::collections::{
    ArchiveNote, ArchiveRun, Collection, CollectionSpec, CurrentItem, ItemHistory, ItemVersion, RankedResult,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a collection is asked to be. Absent members have their usual values.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CollectionWish {
    pub title: String,
    pub description: String,
    /// What search engines are asked; with none, title and acronym.
    pub queries: Vec<String>,
    /// Names of engines; empty: none is asked.
    pub engines: Vec<String>,
    /// Results of each engine that count.
    #[schema(minimum = 1, maximum = 100)]
    pub top: u32,
    /// Pages that belong to it whatever engines say.
    pub pages: Vec<String>,
    /// Pages that say what it is about; empty: nothing is off topic.
    pub about: Vec<String>,
    /// Levels of links that are followed.
    #[schema(minimum = 0, maximum = 5)]
    pub depth: u32,
    /// `host`, `domain` or `any`.
    pub scope: String,
    /// Below this likeness a changed page is a new item.
    #[schema(minimum = 0, maximum = 1)]
    pub likeness: f64,
    /// Below this aboutness a result is rejected.
    #[schema(minimum = 0, maximum = 1)]
    pub aboutness: f64,
    pub max_pages: u32,
    pub max_requisites: u32,
    pub max_bytes: u64,
    pub max_run_bytes: u64,
    /// Cron text (five fields, UTC).
    pub schedule: Option<String>,
    /// Everybody may look at it.
    pub public: bool,
}

/// A new collection.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct NewCollection {
    /// 1 to 40 letters, digits, `-` or `_`.
    pub acronym: String,
    /// Run it at once.
    pub run: Option<bool>,
    #[serde(flatten)]
    pub wish: CollectionWish,
}

impl Default for CollectionWish {
    fn default() -> Self {
        Self::from(&CollectionSpec::default())
    }
}

impl From<&CollectionSpec> for CollectionWish {
    fn from(spec: &CollectionSpec) -> Self {
        let spec = spec.clone();
        Self {
            title: spec.title,
            description: spec.description,
            queries: spec.queries,
            engines: spec.engines,
            top: spec.top,
            pages: spec.pages,
            about: spec.about,
            depth: spec.depth,
            scope: spec.scope,
            likeness: spec.likeness,
            aboutness: spec.aboutness,
            max_pages: spec.max_pages,
            max_requisites: spec.max_requisites,
            max_bytes: spec.max_bytes,
            max_run_bytes: spec.max_run_bytes,
            schedule: spec.schedule,
            public: spec.public,
        }
    }
}

impl From<CollectionWish> for CollectionSpec {
    fn from(wish: CollectionWish) -> Self {
        Self {
            title: wish.title,
            description: wish.description,
            queries: wish.queries,
            engines: wish.engines,
            top: wish.top,
            pages: wish.pages,
            about: wish.about,
            depth: wish.depth,
            scope: wish.scope,
            likeness: wish.likeness,
            aboutness: wish.aboutness,
            max_pages: wish.max_pages,
            max_requisites: wish.max_requisites,
            max_bytes: wish.max_bytes,
            max_run_bytes: wish.max_run_bytes,
            schedule: wish.schedule,
            public: wish.public,
        }
    }
}

/// What a run did.
#[derive(Debug, Serialize, ToSchema)]
pub struct RunView {
    /// Its timestamp: the second part of the object's identifier.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// `running`, `finished`, `failed`.
    pub state: String,
    #[schema(value_type = Option<String>, format = DateTime)]
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
            state: run.state.as_str().to_owned(),
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
    pub spec: CollectionWish,
    #[schema(value_type = String, format = DateTime)]
    pub created: Timestamp,
    /// The caller's own.
    pub mine: bool,
    /// What the caller may do: `run`, `edit`, `rollback`, `delete`.
    pub may: Vec<String>,
    /// A run waits for a worker.
    pub queued: bool,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub next_run: Option<Timestamp>,
    pub last_run: Option<RunView>,
    /// Items that are there now.
    pub items: u64,
}

impl CollectionView {
    /// A collection as this caller sees it.
    pub fn of(collection: &Collection, caller: &Caller) -> Self {
        let may = if may_change(caller, collection.owner) {
            ["run", "edit", "rollback", "delete"].map(str::to_owned).to_vec()
        } else {
            Vec::new()
        };
        Self {
            acronym: collection.acronym.clone(),
            spec: CollectionWish::from(&collection.spec),
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

/// Which engine named a result, and where.
#[derive(Debug, Serialize, ToSchema)]
pub struct NamedView {
    pub engine: String,
    pub query: String,
    pub rank: u32,
}

/// A result of a run.
#[derive(Debug, Serialize, ToSchema)]
pub struct ResultView {
    pub url: String,
    pub title: String,
    /// Sum over the engines of `B - rank + 1`.
    pub weight: f64,
    pub named: Vec<NamedView>,
    /// `html`, `document` or empty as long as it is not known.
    pub sort: String,
    /// `waiting`, `kept`, `rejected`, `failed`, `gone`.
    pub state: String,
    pub about: Option<f64>,
    pub reason: Option<String>,
}

impl From<RankedResult> for ResultView {
    fn from(result: RankedResult) -> Self {
        let named = result.named.into_iter();
        Self {
            url: result.url,
            title: result.title,
            weight: result.weight,
            named: named.map(|by| NamedView { engine: by.engine, query: by.query, rank: by.rank }).collect(),
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
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// `new`, `modified`, `unchanged`, `deleted`.
    pub kind: String,
    pub status: u16,
    pub final_url: Option<String>,
    pub media_type: String,
    pub sha256: String,
    pub bytes: u64,
    pub likeness: Option<f64>,
    pub about: Option<f64>,
    pub title: String,
    /// Where it is in the WARC files.
    pub warc: String,
    /// What it says about itself.
    #[schema(value_type = Object)]
    pub metadata: serde_json::Value,
}

impl From<ItemVersion> for VersionView {
    fn from(version: ItemVersion) -> Self {
        let place = &version.payload;
        Self {
            number: version.number,
            at: version.at,
            kind: version.kind.as_str().to_owned(),
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

/// An item at a moment.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemView {
    pub url: String,
    /// `result`, `page`, `requisite`.
    pub role: String,
    pub weight: f64,
    #[schema(value_type = String, format = DateTime)]
    pub created: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub modified: Option<Timestamp>,
    /// A person chose this version.
    pub chosen: bool,
    /// Where it is shown again.
    pub replay: String,
    pub version: VersionView,
}

impl ItemView {
    /// An item as of a moment.
    pub fn of(item: CurrentItem, acronym: &str, at: Timestamp) -> Self {
        Self {
            replay: geotrawl_archive::shelf::replay_address("", acronym, at, &item.url),
            url: item.url,
            role: item.role.as_str().to_owned(),
            weight: item.weight,
            created: item.created,
            modified: item.modified,
            chosen: item.chosen,
            version: item.version.into(),
        }
    }
}

/// Items at a moment.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemList {
    #[schema(value_type = String, format = DateTime)]
    pub as_of: Timestamp,
    pub total: u64,
    pub results: Vec<ItemView>,
}

/// A choice of a person.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChoiceView {
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    pub version: u32,
    pub who: String,
    pub note: String,
}

/// All that happened to an item.
#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryView {
    pub url: String,
    pub role: String,
    /// The version that is current; none when it is gone.
    pub current: Option<u32>,
    pub versions: Vec<VersionView>,
    pub choices: Vec<ChoiceView>,
}

impl From<ItemHistory> for HistoryView {
    fn from(history: ItemHistory) -> Self {
        let choices = history.choices.into_iter();
        Self {
            url: history.url,
            role: history.role.as_str().to_owned(),
            current: history.current,
            versions: history.versions.into_iter().map(VersionView::from).collect(),
            choices: choices
                .map(|choice| ChoiceView {
                    at: choice.at,
                    version: choice.version,
                    who: choice.who,
                    note: choice.note,
                })
                .collect(),
        }
    }
}

/// Which version should be current.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rollback {
    pub url: String,
    pub version: u32,
    /// Why.
    #[serde(default)]
    #[schema(max_length = 2000)]
    pub note: String,
}

/// A note of a person.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoteView {
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    pub who: String,
    /// The item; none: the collection.
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

/// A note to be kept.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewNote {
    #[schema(min_length = 1, max_length = 10_000)]
    pub text: String,
    #[serde(default)]
    pub url: Option<String>,
}
