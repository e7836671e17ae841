//! What goes in and out of a store.

use crate::focus::Bearing;
use crate::record::{Record, Theme};
use geotrawl_kinds::connectors::Harvested;
use geotrawl_kinds::model::{CatalogueRecord, Resource, Status};
use serde::{Deserialize, Serialize};

/// One run of a task (a task that finished and is started again has a new run).
pub type RunId = i64;
/// A host: scheme, name and port together (`https://example.org`, `http://example.org:8080`).
pub type HostId = i64;
/// A frontier item; becomes the page's id when it is done.
pub type ItemId = i64;

/// What a person asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskSpec {
    pub name: String,
    pub seeds: Vec<String>,
    /// Everything else (depth, scope, limits, ordering ...), as the crawler's own JSON.
    pub options: serde_json::Value,
}

/// State of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskState {
    Running,
    Paused,
    Finished,
}

/// A task that is ready to crawl.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenTask {
    pub run: RunId,
    /// An unfinished run is continued.
    pub resumed: bool,
    /// What the run was started with; equals the spec given unless the run is resumed.
    pub spec: TaskSpec,
    pub counters: Counters,
}

/// A link to add to the frontier. `url` is canonical; `key` is what makes it the same request
/// (intent key + URL): the exact known-URL set is over `key`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewLink {
    pub key: String,
    pub url: String,
    /// Scheme, host and port, e.g. `https://example.org`.
    pub host: String,
    /// [`geotrawl_kinds::probe::Intent`] as text.
    pub intent: String,
    /// Smaller is sooner.
    pub priority: u32,
    pub depth: u32,
    /// The page that showed it.
    pub parent: Option<ItemId>,
    pub way: String,
    pub words: String,
    /// How many redirects led here in a row.
    pub hops: u32,
    /// Where it stands in its run.
    pub bearing: Bearing,
}

impl NewLink {
    /// What makes a request of this intent to this URL the same as another.
    pub fn key_of(intent: &geotrawl_kinds::probe::Intent, url: &str) -> String {
        let mut key = intent.key();
        key.push(' ');
        key.push_str(url);
        key
    }
}

/// A pending item of the frontier.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Item {
    pub id: ItemId,
    pub host: HostId,
    pub url: String,
    pub intent: String,
    pub priority: u32,
    pub depth: u32,
    pub parent: Option<ItemId>,
    pub way: String,
    pub words: String,
    pub hops: u32,
    /// Failed attempts so far that are worth repeating.
    pub attempts: u32,
    /// Where it stands in its run.
    pub bearing: Bearing,
}

/// A host with pending items.
#[derive(Debug, Clone, PartialEq)]
pub struct HostWork {
    pub host: HostId,
    /// Scheme, host and port.
    pub name: String,
    pub pending: u64,
    pub best_priority: u32,
    /// Items of this host done in this run.
    pub done: u64,
    pub robots: Option<RobotsRecord>,
    /// Whoever asked this host last wants it left alone for so long.
    pub rest: std::time::Duration,
}

/// What robots.txt said, kept so that a restart need not ask again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RobotsRecord {
    /// Scheme, host and port.
    pub host: String,
    pub fetched_at: jiff::Timestamp,
    pub verdict: RobotsVerdict,
}

/// Outcome of fetching robots.txt (RFC 9309).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RobotsVerdict {
    /// The text, cut at the size limit.
    Rules(String),
    /// 4xx: no rules.
    AllowAll,
    /// 5xx, timeout, unreachable: nothing may be fetched; the reason in words.
    DenyAll(String),
}

/// A batch of finished items.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    pub run: RunId,
    pub done: Vec<Done>,
    pub robots: Vec<RobotsRecord>,
    pub now: jiff::Timestamp,
}

/// One finished item and all it gave.
#[derive(Debug, Clone)]
pub struct Done {
    /// As [`crate::Store::pending`] gave it: host, priority and id find it again.
    pub item: Item,
    pub outcome: PageOutcome,
    pub links: Vec<NewLink>,
    pub found: Vec<FoundResource>,
    /// What a page of a catalogue held.
    pub harvest: Option<Box<Harvested>>,
}

/// What became of a request, in words a person understands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageOutcome {
    /// Stable class for counting: `ok`, `redirect`, `http-404`, `dns`, `connect`, `tls`, `timeout`,
    /// `robots`, `too-large`, `blocked`, `trap`, `exception`, `login`, ...
    pub class: String,
    /// One sentence, e.g. "The server did not finish its answer within 60 s".
    pub reason: String,
    pub status: Option<u16>,
    pub ip: Option<String>,
    pub bytes: u64,
    pub millis: u32,
    pub requests: u32,
    pub title: Option<String>,
    pub language: Option<String>,
    pub simhash: Option<u64>,
    /// Canonical URL of the redirect's target. The item's URL becomes an alias of what is proven there;
    /// links with one hop more than the item count as its targets too.
    pub redirect_to: Option<String>,
    /// The failure may pass (5xx, reset): put the item back with `attempts + 1` instead of closing it.
    pub retry: bool,
}

/// How an outcome counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tally {
    /// The server answered as a server should.
    Answered,
    /// It was requested in vain.
    Failed,
    /// It was not requested, by rule or by choice.
    Skipped,
}

impl PageOutcome {
    /// How it counts in [`Counters`].
    pub fn tally(&self) -> Tally {
        match self.class.as_str() {
            "ok" | "redirect" | "exception" | "login" => Tally::Answered,
            "robots" | "trap" | "scope" | "limit" | "filtered" | "skipped" => Tally::Skipped,
            _ => Tally::Failed,
        }
    }
}

/// A resource as proven by one item.
#[derive(Debug, Clone)]
pub struct FoundResource {
    pub resource: Resource,
    pub status: Status,
    pub reason: String,
    pub evidence: Evidence,
    pub ip: Option<String>,
    /// What it is about; replaces what is stored when its content does.
    pub themes: Vec<Theme>,
}

/// Why we believe it: enough to repeat and to argue with.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The exact request URL that was answered.
    pub request: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    pub at: jiff::Timestamp,
    pub status: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    pub bytes: u64,
    pub millis: u32,
    /// SHA-256 (hex) of the answer's bytes as read.
    pub hash: String,
    /// The rule that decided.
    pub rule: String,
}

/// What adding links did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Added {
    pub new: u64,
    pub known: u64,
    /// Hosts that have gained pending items.
    pub hosts: Vec<HostId>,
    /// The best place among the new ones of each of these hosts.
    pub heads: Vec<(HostId, u32)>,
    /// How many of the new ones are neither pages nor sitemaps, by the item that showed them.
    pub probes: Vec<(ItemId, u32)>,
}

/// What a commit did.
#[derive(Debug, Clone, Default)]
pub struct Committed {
    pub added: Added,
    /// Records that were born, changed or proven for the first time in their run in this batch, for
    /// printing and events.
    pub resources: Vec<StoredResource>,
    /// Items of the batch that were not pending (closed by an earlier batch): nothing of them was taken.
    pub ignored: u64,
    /// Which they are; of a host whose loan was lost, all its items.
    pub left_out: Vec<ItemId>,
}

/// A resource after a commit.
#[derive(Debug, Clone)]
pub struct StoredResource {
    pub record: Record,
    /// First time in this catalogue.
    pub born: bool,
    /// First time in this run: printed once.
    pub first_in_run: bool,
    /// The item that proved it; of several in one batch the first.
    pub item: ItemId,
}

/// A page done earlier.
#[derive(Debug, Clone, PartialEq)]
pub struct PastPage {
    pub url: String,
    pub intent: String,
    pub class: String,
    pub reason: String,
    pub simhash: Option<u64>,
    pub found: u32,
}

/// Totals of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Pages requested (robots.txt not counted).
    pub pages: u64,
    pub probes: u64,
    pub failures: u64,
    pub skipped: u64,
    pub bytes: u64,
    /// Distinct resources proven in this run.
    pub resources: u64,
    /// Known URLs.
    pub known: u64,
    pub pending: u64,
    pub hosts: u64,
}

/// Something that happened, in a sequence without end.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    /// Strictly increasing; ask for what came after the last one seen.
    pub seq: i64,
    pub at: jiff::Timestamp,
    pub run: Option<RunId>,
    /// Number of the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<i64>,
    /// `run` (state of a run), `resource-born`, `resource-changed`; for those who watch tasks: `find` (a record
    /// proven for the first time in its run, as a short record) and `state` (of the task).
    pub kind: String,
    pub body: serde_json::Value,
}

/// One address to start from, as a list says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Seed {
    pub url: String,
    /// Kind of resource that the list says is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// ISO 3166 code of the country that it is about or from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

/// A stored list of seeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SeedList {
    pub name: String,
    pub seeds: u64,
    /// Where it came from, and whom to credit.
    pub source: String,
    pub imported: jiff::Timestamp,
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

/// Which records.
#[derive(Debug, Clone, Default)]
pub struct RecordFilter {
    pub kinds: Vec<String>,
    /// Only those a task of this name proved.
    pub task: Option<String>,
    pub status: Vec<Status>,
}

/// Everything known about one URL or id.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Explanation {
    pub resources: Vec<ExplainedResource>,
    pub visits: Vec<Visit>,
}

/// A record, its evidence and how it was reached.
#[derive(Debug, Clone, Serialize)]
pub struct ExplainedResource {
    pub record: Record,
    pub evidence: Vec<Evidence>,
    /// One chain per provenance entry, seed first.
    pub chains: Vec<Vec<ChainLink>>,
}

/// One step from the seed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChainLink {
    pub url: String,
    pub way: String,
    pub words: String,
}

/// What happened to a URL in a task.
#[derive(Debug, Clone, Serialize)]
pub struct Visit {
    pub task: String,
    pub url: String,
    pub intent: String,
    pub depth: u32,
    /// `pending`, or the outcome's class.
    pub state: String,
    pub reason: String,
    pub at: Option<jiff::Timestamp>,
    pub chain: Vec<ChainLink>,
    /// Where it stood in its run.
    pub bearing: Bearing,
    /// How the task orders pages, where it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ordering: Option<String>,
    /// What the task is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
}
