//! Tasks as the API shows them.

use crate::auth::Caller;
use geotrawl_kinds::model::Bbox;
use geotrawl_store::Counters;
use geotrawl_store::accounts::UserId;
use geotrawl_store::jobs::{Fetch, Job, JobKind, JobSpec, JobState, Live, Sample, Wish};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// What a task is asked to do.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TaskSpec {
    #[schema(max_length = 200)]
    pub title: String,
    pub kind: TaskKind,
    #[schema(max_items = 50)]
    pub keywords: Vec<String>,
    /// Addresses to start from.
    #[schema(max_items = 1000)]
    pub seeds: Vec<String>,
    /// Stored lists of seeds to start from.
    #[schema(max_items = 50)]
    pub lists: Vec<String>,
    #[schema(minimum = 0, maximum = 50)]
    pub depth: u32,
    /// Groups of ten seeds that are opened at most, each when the one before is exhausted; absent: all at once.
    #[schema(minimum = 1, maximum = 1_000_000_000)]
    pub width: Option<u32>,
    /// Links of one page that are followed at most.
    #[schema(minimum = 1, maximum = 1_000_000_000)]
    pub links_per_page: Option<u32>,
    /// Search engines that are asked for seeds with the keywords.
    #[schema(max_items = 20)]
    pub engines: Vec<String>,
    /// Languages (ISO 639-1) in which engines are asked and pages are followed; none: all.
    #[schema(max_items = 50)]
    pub languages: Vec<String>,
    /// Minutes after which the task ends.
    #[schema(minimum = 1, maximum = 527_040)]
    pub max_minutes: Option<u32>,
    /// A group of seeds, or a branch of a site, ends after so many pages in a row without a new find; 0: never.
    #[schema(minimum = 0, maximum = 1_000_000_000)]
    pub patience: Option<u32>,
    #[schema(minimum = 1, maximum = 1_000_000_000)]
    pub max_pages: Option<u64>,
    #[schema(minimum = 1, maximum = 1_000_000_000)]
    pub max_per_host: Option<u64>,
    /// `host`, `domain` or `any`.
    #[schema(pattern = "^(host|domain|any)$")]
    pub scope: String,
    /// Kinds that are wanted; none: all.
    pub kinds: Vec<String>,
    /// West, south, east, north.
    pub area: Option<[f64; 4]>,
    /// The name of an ordering, as `/api/v1/meta` lists them.
    #[schema(max_length = 60)]
    pub ordering: String,
    pub render: bool,
    /// Cron text: five fields, UTC.
    pub schedule: Option<String>,
    pub public: bool,
}

/// What a task does.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TaskKind {
    Crawl,
    Harvest,
}

impl Default for TaskSpec {
    fn default() -> Self {
        Self::from(&JobSpec::default())
    }
}

impl From<&JobSpec> for TaskSpec {
    fn from(spec: &JobSpec) -> Self {
        Self {
            title: spec.title.clone(),
            kind: match spec.kind {
                JobKind::Crawl => TaskKind::Crawl,
                JobKind::Harvest => TaskKind::Harvest,
            },
            keywords: spec.keywords.clone(),
            seeds: spec.seeds.clone(),
            lists: spec.lists.clone(),
            depth: spec.depth,
            width: spec.width,
            links_per_page: spec.links_per_page,
            engines: spec.engines.clone(),
            languages: spec.languages.clone(),
            max_minutes: spec.max_minutes,
            patience: spec.patience,
            max_pages: spec.max_pages,
            max_per_host: spec.max_per_host,
            scope: spec.scope.clone(),
            kinds: spec.kinds.clone(),
            area: spec.area.map(|b| [b.west, b.south, b.east, b.north]),
            ordering: spec.ordering.clone(),
            render: spec.render,
            schedule: spec.schedule.clone(),
            public: spec.public,
        }
    }
}

impl From<TaskSpec> for JobSpec {
    fn from(spec: TaskSpec) -> Self {
        Self {
            title: spec.title,
            kind: match spec.kind {
                TaskKind::Crawl => JobKind::Crawl,
                TaskKind::Harvest => JobKind::Harvest,
            },
            keywords: spec.keywords,
            seeds: spec.seeds,
            lists: spec.lists,
            depth: spec.depth,
            width: spec.width,
            links_per_page: spec.links_per_page,
            engines: spec.engines,
            languages: spec.languages,
            max_minutes: spec.max_minutes,
            patience: spec.patience,
            max_pages: spec.max_pages,
            max_per_host: spec.max_per_host,
            scope: spec.scope,
            kinds: spec.kinds,
            area: spec.area.map(|[west, south, east, north]| Bbox { west, south, east, north }),
            ordering: spec.ordering,
            render: spec.render,
            schedule: spec.schedule.filter(|text| !text.trim().is_empty()),
            public: spec.public,
        }
    }
}

/// A task to make.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct NewTask {
    #[serde(flatten)]
    pub spec: TaskSpec,
    /// Start it at once.
    #[serde(default)]
    pub start: bool,
}

/// Whose task it is.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Owner {
    pub id: i64,
    pub name: String,
}

/// Totals of the latest run.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[schema(as = TaskTotals)]
pub struct Totals {
    pub pages: u64,
    pub probes: u64,
    pub failures: u64,
    pub skipped: u64,
    pub bytes: u64,
    pub resources: u64,
    pub known: u64,
    pub pending: u64,
    pub hosts: u64,
}

impl From<&Counters> for Totals {
    fn from(c: &Counters) -> Self {
        Self {
            pages: c.pages,
            probes: c.probes,
            failures: c.failures,
            skipped: c.skipped,
            bytes: c.bytes,
            resources: c.resources,
            known: c.known,
            pending: c.pending,
            hosts: c.hosts,
        }
    }
}

/// A task.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Task {
    pub id: i64,
    pub name: String,
    pub owner: Option<Owner>,
    /// It is the caller's own.
    pub mine: bool,
    pub spec: TaskSpec,
    /// `draft`, `queued`, `running`, `pausing`, `paused`, `stopping`, `stopped`, `finished` or `failed`.
    pub state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    pub created: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_run: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<i64>,
    pub counters: Totals,
    /// What the caller may do with it now.
    pub may: Vec<String>,
}

/// Tasks of a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TaskList {
    pub total: u64,
    pub results: Vec<Task>,
}

/// Whether the caller may see a task: one's own, public ones; an admin all.
pub fn may_see(caller: &Caller, owner: Option<UserId>, public: bool) -> bool {
    public || may_change(caller, owner)
}

/// Whether the caller may change a task: its owner and admins.
pub fn may_change(caller: &Caller, owner: Option<UserId>) -> bool {
    caller.is_admin() || caller.user.as_ref().is_some_and(|user| owner == Some(user.id))
}

/// What the caller may do with a task now.
pub fn may(caller: &Caller, job: &Job) -> Vec<String> {
    let mut may = Vec::new();
    if may_change(caller, job.owner) {
        let wishes =
            [("start", Wish::Start), ("pause", Wish::Pause), ("resume", Wish::Resume), ("stop", Wish::Stop)];
        may.extend(wishes.iter().filter(|(_, wish)| job.state.after(*wish).is_some()).map(|(word, _)| *word));
        if !job.state.is_active() {
            may.extend(["edit", "delete"]);
        }
    }
    if caller.user.is_some() && may_see(caller, job.owner, job.spec.public) {
        may.push("clone");
    }
    may.into_iter().map(str::to_owned).collect()
}

impl Task {
    /// A task as this caller sees it.
    pub fn of(job: &Job, owner: Option<Owner>, caller: &Caller) -> Self {
        Self {
            id: job.id,
            name: job.name.clone(),
            mine: caller.user.as_ref().is_some_and(|user| job.owner == Some(user.id)),
            owner,
            spec: TaskSpec::from(&job.spec),
            state: job.state.as_str().to_owned(),
            error: job.error.clone(),
            created: job.created.to_string(),
            started: job.started.map(|at| at.to_string()),
            ended: job.ended.map(|at| at.to_string()),
            next_run: job.next_run.map(|at| at.to_string()),
            run: job.run,
            counters: Totals::from(&job.counters),
            may: may(caller, job),
        }
    }
}

/// What goes on in a running task.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LiveView {
    pub run: i64,
    pub at: String,
    pub counters: Totals,
    pub in_flight: u32,
    pub active_hosts: u32,
    pub pages_per_second: f32,
    pub finds_per_minute: f32,
    pub tallies: TalliesView,
    /// Latest requests, newest last; those without `millis` are under way.
    pub fetches: Vec<FetchView>,
}

/// Sums of a run.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TalliesView {
    pub pages_by_depth: BTreeMap<String, u64>,
    pub finds_by_depth: BTreeMap<String, u64>,
    pub kinds: BTreeMap<String, u64>,
    pub outcomes: BTreeMap<String, u64>,
}

/// A request of a running task.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FetchView {
    pub url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub millis: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
}

impl From<Fetch> for FetchView {
    fn from(fetch: Fetch) -> Self {
        Self { url: fetch.url, millis: fetch.millis, class: fetch.class }
    }
}

impl From<Live> for LiveView {
    fn from(live: Live) -> Self {
        let levels =
            |of: BTreeMap<u32, u64>| of.into_iter().map(|(depth, n)| (depth.to_string(), n)).collect();
        Self {
            run: live.run,
            at: live.at.to_string(),
            counters: Totals::from(&live.counters),
            in_flight: live.in_flight,
            active_hosts: live.active_hosts,
            pages_per_second: live.pages_per_second,
            finds_per_minute: live.finds_per_minute,
            tallies: TalliesView {
                pages_by_depth: levels(live.tallies.pages_by_depth),
                finds_by_depth: levels(live.tallies.finds_by_depth),
                kinds: live.tallies.kinds,
                outcomes: live.tallies.outcomes,
            },
            fetches: live.fetches.into_iter().map(FetchView::from).collect(),
        }
    }
}

/// A point of a run's history.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SampleView {
    pub at: String,
    pub pages: u64,
    pub probes: u64,
    pub failures: u64,
    pub resources: u64,
    pub pending: u64,
    pub bytes: u64,
}

impl From<Sample> for SampleView {
    fn from(sample: Sample) -> Self {
        Self {
            at: sample.at.to_string(),
            pages: sample.pages,
            probes: sample.probes,
            failures: sample.failures,
            resources: sample.resources,
            pending: sample.pending,
            bytes: sample.bytes,
        }
    }
}

/// The history of the latest run.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct History {
    pub samples: Vec<SampleView>,
}

/// Finds of the latest run: short records, each with its number `seq`.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Finds {
    #[schema(value_type = Vec<Object>)]
    pub results: Vec<serde_json::Value>,
    /// Ask again with this as `after` for more; `null` when this was all.
    pub next: Option<i64>,
}

/// A stored list of seeds.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SeedListView {
    pub name: String,
    pub seeds: u64,
    pub source: String,
    pub imported: String,
}

/// Stored lists of seeds.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SeedLists {
    pub results: Vec<SeedListView>,
}

/// A schedule to look at.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScheduleText {
    #[schema(max_length = 200)]
    pub text: String,
}

/// The next moments of a schedule.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ScheduleMoments {
    pub next: Vec<String>,
}

/// The states named in a parameter.
pub fn states(text: Option<&str>) -> Result<Vec<JobState>, String> {
    let words = text.unwrap_or_default().split(',').map(str::trim).filter(|word| !word.is_empty());
    words
        .map(|word| JobState::of(word).ok_or_else(|| "state names a state that does not exist.".to_owned()))
        .collect()
}
