//! Archive collections: pages and documents about a subject, kept as they were, version by version.
//!
//! A *collection* is asked for by a person. A *run* fetches what it names and what search engines name, and notes
//! what became of every address. An *item* is an address of the collection; its *versions* are the times it was
//! seen: new, modified, unchanged, or gone. What is *current* at a moment is the latest version that changed
//! something, unless a person chose another since (a rollback). An *object* is what harvesters get: the collection as it was,
//! identified by acronym and run; a run makes a new one only when an item appeared, went away or changed beyond the threshold,
//! else it modifies the latest.
//!
//! Bytes are not in here: versions say where they are in the WARC files of the collection.

use crate::Result;
use crate::accounts::UserId;
use crate::jobs::next_after;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use url::Url;

/// Number of a collection.
pub type CollectionId = i64;
/// Number of a run of a collection.
pub type ArchiveRunId = i64;
/// Number of an item.
pub type ArchiveItemId = i64;

/// Most questions, pages and engines of a collection.
pub const MOST_NAMED: usize = 200;
/// Greatest depth of a collection.
pub const MOST_DEPTH: u32 = 5;

/// What a person asks for. Stored whole, shown as given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CollectionSpec {
    /// For people.
    pub title: String,
    pub description: String,
    /// What search engines are asked; with none, the title and the acronym, as in the paper.
    pub queries: Vec<String>,
    /// Names of configured engines; empty: none is asked.
    pub engines: Vec<String>,
    /// Results of each engine that count (`B` of the paper).
    pub top: u32,
    /// Pages that belong to it whatever engines say.
    pub pages: Vec<String>,
    /// Pages that say what it is about; empty: nothing is off topic.
    pub about: Vec<String>,
    /// Levels of links that are followed from a result.
    pub depth: u32,
    /// `host`, `domain` or `any`: where followed links may lead.
    pub scope: String,
    /// Below this likeness (0 to 1) a changed page is a new item, else a modification.
    pub likeness: f64,
    /// Below this aboutness (0 to 1) a result is rejected.
    pub aboutness: f64,
    /// Pages and documents of one run.
    pub max_pages: u32,
    /// Images, style sheets and the like of one run.
    pub max_requisites: u32,
    /// Bytes of one thing.
    pub max_bytes: u64,
    /// Bytes of one run.
    pub max_run_bytes: u64,
    /// Cron text (five fields, UTC) for collections that are run again and again.
    pub schedule: Option<String>,
    /// Everybody may look at it.
    pub public: bool,
}

impl Default for CollectionSpec {
    fn default() -> Self {
        Self {
            title: String::new(),
            description: String::new(),
            queries: Vec::new(),
            engines: Vec::new(),
            top: 10,
            pages: Vec::new(),
            about: Vec::new(),
            depth: 1,
            scope: "domain".into(),
            likeness: 0.7,
            aboutness: 0.1,
            max_pages: 500,
            max_requisites: 2_000,
            max_bytes: 20 << 20,
            max_run_bytes: 1 << 30,
            schedule: None,
            public: true,
        }
    }
}

impl CollectionSpec {
    /// What engines are asked.
    pub fn questions(&self, acronym: &str) -> Vec<String> {
        if self.queries.is_empty() { vec![format!("{} {acronym}", self.title)] } else { self.queries.clone() }
    }
}

/// Whether an acronym can be one: a name of a folder, of a set, and of part of an identifier.
pub fn check_acronym(acronym: &str) -> std::result::Result<(), String> {
    let good = (1..=40).contains(&acronym.len())
        && acronym.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        && acronym.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric);
    if good {
        Ok(())
    } else {
        Err("an acronym has 1 to 40 letters, digits, '-' or '_' and begins with a letter or digit".into())
    }
}

/// Whether a collection can be kept: the member at fault and what is wrong with it, if not.
pub fn check_collection(
    spec: &CollectionSpec,
    now: Timestamp,
) -> std::result::Result<(), (&'static str, String)> {
    let fail = |member: &'static str, message: &str| Err((member, message.to_owned()));
    let line = |text: &str, most: usize| text.chars().count() <= most && !text.chars().any(char::is_control);
    if spec.title.trim().is_empty() || !line(&spec.title, 200) {
        return fail("title", "a title is one line of 1 to 200 characters");
    }
    if spec.description.chars().count() > 10_000 {
        return fail("description", "at most 10000 characters");
    }
    let lists = [
        ("queries", &spec.queries),
        ("engines", &spec.engines),
        ("pages", &spec.pages),
        ("about", &spec.about),
    ];
    for (member, values) in lists {
        if values.len() > MOST_NAMED {
            return fail(member, "at most 200 of them");
        }
        if values.iter().any(|value| value.trim().is_empty() || !line(value, 2_000)) {
            return fail(member, "each is one line of 1 to 2000 characters");
        }
    }
    for (member, values) in [("pages", &spec.pages), ("about", &spec.about)] {
        for value in values {
            match Url::parse(value) {
                Ok(url)
                    if matches!(url.scheme(), "http" | "https")
                        && url.host_str().is_some()
                        && url.username().is_empty()
                        && url.password().is_none() => {}
                _ => return fail(member, "addresses begin with http:// or https:// and carry no password"),
            }
        }
    }
    if spec.pages.is_empty() && spec.engines.is_empty() {
        return fail("pages", "name pages or engines to ask; there would be nothing to archive");
    }
    if !(1..=100).contains(&spec.top) {
        return fail("top", "1 to 100");
    }
    if spec.depth > MOST_DEPTH {
        return fail("depth", "at most 5");
    }
    if !["host", "domain", "any"].contains(&spec.scope.as_str()) {
        return fail("scope", "one of host, domain, any");
    }
    for (member, value) in [("likeness", spec.likeness), ("aboutness", spec.aboutness)] {
        if !(0.0..=1.0).contains(&value) {
            return fail(member, "a number from 0 to 1");
        }
    }
    if !(1..=100_000).contains(&spec.max_pages) {
        return fail("max_pages", "1 to 100000");
    }
    if spec.max_requisites > 1_000_000 {
        return fail("max_requisites", "at most 1000000");
    }
    if !(1_024..=256 << 20).contains(&spec.max_bytes) {
        return fail("max_bytes", "from 1 KiB to 256 MiB");
    }
    if !(spec.max_bytes..=1 << 40).contains(&spec.max_run_bytes) {
        return fail("max_run_bytes", "from max_bytes to 1 TiB");
    }
    match &spec.schedule {
        Some(text) => next_after(text, now).map(|_| ()).or_else(|message| fail("schedule", &message)),
        None => Ok(()),
    }
}

/// A collection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Collection {
    pub id: CollectionId,
    pub acronym: String,
    pub owner: Option<UserId>,
    pub spec: CollectionSpec,
    pub created: Timestamp,
    /// A run is wanted and waits for a worker.
    pub queued: bool,
    /// When the schedule runs it next.
    pub next_run: Option<Timestamp>,
    /// The latest run.
    pub last_run: Option<ArchiveRun>,
    /// Items that are there now.
    pub items: u64,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// Under way, or interrupted: then the next run goes on with it.
    Running,
    Finished,
    /// Ended by a fault, which `error` names.
    Failed,
}

impl RunState {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Failed => "failed",
        }
    }

    /// The state of this word.
    pub fn of(word: &str) -> Self {
        match word {
            "finished" => Self::Finished,
            "failed" => Self::Failed,
            _ => Self::Running,
        }
    }
}

/// What a run did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunCounts {
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

/// A run of a collection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArchiveRun {
    pub id: ArchiveRunId,
    pub collection: CollectionId,
    /// Its timestamp: the second part of the object's identifier.
    pub at: Timestamp,
    pub state: RunState,
    pub ended: Option<Timestamp>,
    pub error: Option<String>,
    pub counts: RunCounts,
}

/// Which engine named a result, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultPlace {
    pub engine: String,
    #[serde(default)]
    pub query: String,
    pub rank: u32,
}

/// A result of a run, in the ranked list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankedResult {
    pub url: String,
    #[serde(default)]
    pub title: String,
    /// Sum over the engines of `B - rank + 1`; 0 for pages that a person named.
    pub weight: f64,
    #[serde(default)]
    pub named: Vec<ResultPlace>,
    /// `html`, `document`, or empty as long as it is not known.
    #[serde(default)]
    pub sort: String,
    /// `waiting`, `kept`, `rejected`, `failed`, `gone`.
    pub state: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<f64>,
    /// Why it is not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What an item is in its collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
    pub fn of(word: &str) -> Self {
        match word {
            "result" => Self::Result,
            "page" => Self::Page,
            _ => Self::Requisite,
        }
    }
}

/// What a visit found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
    pub fn of(word: &str) -> Self {
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
pub struct WarcPlace {
    /// Name of the file in the collection's folder.
    pub file: String,
    pub offset: u64,
    pub length: u64,
}

/// Something that was seen at an address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ItemVersion {
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
    pub record: WarcPlace,
    /// The record that holds the payload: the same one, unless the payload was kept before.
    pub payload: WarcPlace,
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
pub struct NewVersion {
    pub url: String,
    pub role: ItemRole,
    /// Its `number` is given by the store.
    pub version: ItemVersion,
    /// For comparing the next version.
    pub sketch: Vec<u8>,
    /// The state of the result of this address, if it is one.
    pub result: Option<RankedResult>,
}

/// What is known of an address before a visit.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownItem {
    pub id: ArchiveItemId,
    pub url: String,
    pub role: ItemRole,
    /// The latest visit that found something, whatever is current.
    pub digest: String,
    pub payload: WarcPlace,
    pub sketch: Vec<u8>,
    /// The latest visit found it gone.
    pub gone: bool,
    pub at: Timestamp,
}

/// A payload that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptPayload {
    pub url: String,
    pub at: Timestamp,
    pub place: WarcPlace,
}

/// An item with the version that is current.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CurrentItem {
    pub id: ArchiveItemId,
    pub url: String,
    pub role: ItemRole,
    /// Greatest weight it had as a result.
    pub weight: f64,
    /// When the item, as it is, began: the latest `new` version up to the current one.
    pub created: Timestamp,
    /// When it was last modified, by a visit or a rollback, if it was.
    pub modified: Option<Timestamp>,
    pub version: ItemVersion,
    /// A person chose this version.
    pub chosen: bool,
}

/// A choice of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    pub at: Timestamp,
    /// Which version is current since then.
    pub version: u32,
    /// Who chose.
    pub who: String,
    #[serde(default)]
    pub note: String,
}

/// All that happened to an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ItemHistory {
    pub url: String,
    pub role: ItemRole,
    /// Oldest first.
    pub versions: Vec<ItemVersion>,
    /// Oldest first.
    pub choices: Vec<Choice>,
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

/// A complex object: `ACRONYM:run`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveObject {
    pub acronym: String,
    /// The run that made it.
    pub run: Timestamp,
    /// When it was made or last modified.
    pub stamp: Timestamp,
    /// Its content is the collection as of this moment.
    pub as_of: Timestamp,
}

/// Which objects. Ordered by `stamp`, then by acronym and run; `after` is the last one that was had.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ObjectFilter {
    pub acronym: Option<String>,
    /// `stamp` at or after this ...
    pub from: Option<Timestamp>,
    /// ... and at or before this.
    pub until: Option<Timestamp>,
    /// Stamp, acronym and run of the last one that was had.
    pub after: Option<(Timestamp, String, Timestamp)>,
    /// Only collections that everybody may look at.
    pub only_public: bool,
    pub limit: usize,
}

/// Archive collections of a store. One contract suite runs over every backend.
pub trait Collections: Send + Sync {
    /// Adds a collection; `None` when the acronym is taken.
    fn add_collection(
        &self,
        acronym: &str,
        owner: Option<UserId>,
        spec: &CollectionSpec,
        now: Timestamp,
    ) -> Result<Option<Collection>>;
    /// Changes what is asked for.
    fn change_collection(&self, id: CollectionId, spec: &CollectionSpec, now: Timestamp) -> Result<()>;
    /// Removes a collection with all that is known of it. Its files are the caller's to remove.
    fn remove_collection(&self, id: CollectionId) -> Result<bool>;
    /// The collection of this acronym, without regard to case.
    fn collection(&self, acronym: &str) -> Result<Option<Collection>>;
    /// All collections by acronym.
    fn collections(&self) -> Result<Vec<Collection>>;

    /// Asks for a run; `false` when one is wanted already.
    fn want_run(&self, id: CollectionId) -> Result<bool>;
    /// The next collection to run: one that was asked for, one whose run was interrupted, or one whose schedule is due.
    /// It is no longer queued then, and its schedule is set on. `busy`: those that are being run.
    fn take_collection(&self, busy: &[CollectionId], now: Timestamp) -> Result<Option<Collection>>;
    /// Begins a run, or goes on with one that was interrupted (`true`).
    fn begin_archive_run(&self, id: CollectionId, now: Timestamp) -> Result<(ArchiveRun, bool)>;
    /// Writes down how far a run is.
    fn count_archive_run(&self, run: ArchiveRunId, counts: &RunCounts) -> Result<()>;
    /// Ends a run; one that finished makes or modifies the object of the collection.
    fn end_archive_run(
        &self,
        run: ArchiveRunId,
        state: RunState,
        error: Option<&str>,
        now: Timestamp,
    ) -> Result<()>;
    /// Runs of a collection, newest first.
    fn archive_runs(&self, id: CollectionId, limit: usize) -> Result<Vec<ArchiveRun>>;

    /// Puts results into the ranked list of a run; one that is there already is replaced.
    fn put_results(&self, run: ArchiveRunId, results: &[RankedResult]) -> Result<()>;
    /// The ranked list of a run, greatest weight first.
    fn ranked_results(&self, run: ArchiveRunId) -> Result<Vec<RankedResult>>;

    /// What is known of an address.
    fn known_item(&self, id: CollectionId, url: &str) -> Result<Option<KnownItem>>;
    /// Addresses that were there at their last visit, in the order of their coming.
    fn known_items(&self, id: CollectionId) -> Result<Vec<(String, ItemRole)>>;
    /// Addresses that were visited in a run, or could not be.
    fn visited(&self, run: ArchiveRunId) -> Result<Vec<String>>;
    /// The record in which a collection keeps a payload of this digest.
    fn kept_payload(&self, id: CollectionId, digest: &str) -> Result<Option<KeptPayload>>;
    /// Notes visits, in one transaction: when it returns, a crash loses none of it.
    fn note_versions(&self, id: CollectionId, versions: &[NewVersion]) -> Result<()>;
    /// Where the last record of a file ends, as far as versions name it.
    fn file_end(&self, id: CollectionId, file: &str) -> Result<u64>;

    /// Items as they were at a moment, results first and by weight; those that were gone are left out.
    fn items_as_of(
        &self,
        id: CollectionId,
        at: Timestamp,
        offset: u64,
        limit: u64,
    ) -> Result<(Vec<CurrentItem>, u64)>;
    /// An item as it was at a moment.
    fn item_as_of(&self, id: CollectionId, url: &str, at: Timestamp) -> Result<Option<CurrentItem>>;
    /// All that happened to an item.
    fn item_history(&self, id: CollectionId, url: &str) -> Result<Option<ItemHistory>>;
    /// Makes another version current; `false` when there is no such version with content.
    fn choose_version(
        &self,
        id: CollectionId,
        url: &str,
        version: u32,
        who: &str,
        note: &str,
        now: Timestamp,
    ) -> Result<bool>;
    /// Adds a note.
    fn add_archive_note(&self, id: CollectionId, note: &ArchiveNote) -> Result<()>;
    /// Notes, oldest first.
    fn archive_notes(&self, id: CollectionId) -> Result<Vec<ArchiveNote>>;

    /// Objects in a stable order.
    fn objects(&self, filter: &ObjectFilter) -> Result<Vec<ArchiveObject>>;
    /// The object of a run.
    fn object(&self, acronym: &str, run: Timestamp) -> Result<Option<ArchiveObject>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_kept_is_named() {
        let now = "2026-11-16T06:15:10Z".parse().unwrap();
        let good = CollectionSpec {
            title: "Clouds".into(),
            pages: vec!["http://a.example/".into()],
            ..Default::default()
        };
        assert_eq!(check_collection(&good, now), Ok(()));
        let fault = |change: &dyn Fn(&mut CollectionSpec)| {
            let mut spec = good.clone();
            change(&mut spec);
            check_collection(&spec, now).unwrap_err().0
        };
        assert_eq!(fault(&|spec| spec.title.clear()), "title");
        assert_eq!(fault(&|spec| spec.pages = vec!["ftp://a.example/".into()]), "pages");
        assert_eq!(fault(&|spec| spec.about = vec!["http://u:p@a.example/".into()]), "about");
        assert_eq!(fault(&|spec| spec.pages.clear()), "pages");
        assert_eq!(fault(&|spec| spec.depth = 9), "depth");
        assert_eq!(fault(&|spec| spec.scope = "moon".into()), "scope");
        assert_eq!(fault(&|spec| spec.likeness = f64::NAN), "likeness");
        assert_eq!(fault(&|spec| spec.max_bytes = 0), "max_bytes");
        assert_eq!(fault(&|spec| spec.max_run_bytes = 2_000), "max_run_bytes");
        assert_eq!(fault(&|spec| spec.schedule = Some("often".into())), "schedule");
        for bad in ["", "-a", "a b", "../x", "ä", "a:b", &"x".repeat(41)] {
            assert!(check_acronym(bad).is_err(), "{bad}");
        }
        assert!(check_acronym("ISCCP-2_b").is_ok());
    }
}
