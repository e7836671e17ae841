//! Tasks as people see them: asked for, started, paused, watched, scheduled. The web side writes what is
//! wanted, the worker side what is; they meet only in these rows.

use crate::accounts::UserId;
use crate::record::{Host, Record};
use crate::{Counters, Event, Result, RunId};
use geotrawl_kinds::kinds::KINDS;
use geotrawl_kinds::model::{Bbox, Status};
use geotrawl_rank::ORDERINGS;
use jiff::Timestamp;
use jiff::tz::Offset;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::str::FromStr;
use url::Url;

/// Number of a task.
pub type JobId = i64;

/// What a task does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobKind {
    Crawl,
    Harvest,
}

/// What a person asks for. Stored whole, shown and cloned as given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JobSpec {
    /// For people.
    pub title: String,
    pub kind: JobKind,
    /// What it is about; kept with the task, and used by the orderings that know words.
    pub keywords: Vec<String>,
    /// Addresses to start from.
    pub seeds: Vec<String>,
    /// Stored lists of seeds to start from.
    pub lists: Vec<String>,
    pub depth: u32,
    /// Groups of ten seeds that are opened at most, the best ones first, each when the one before is exhausted;
    /// `None`: all seeds at once.
    pub width: Option<u32>,
    /// Links of one page that are followed at most; `None`: all.
    pub links_per_page: Option<u32>,
    /// Search engines that are asked for seeds with the keywords, by the names of their configuration.
    pub engines: Vec<String>,
    /// Languages (ISO 639-1) in which engines are asked and pages are followed; empty: all.
    pub languages: Vec<String>,
    /// Minutes after which the task ends.
    pub max_minutes: Option<u32>,
    /// A group of seeds, or a branch of a site, ends after this many pages in a row that gave nothing new; 0: never.
    pub patience: Option<u32>,
    pub max_pages: Option<u64>,
    pub max_per_host: Option<u64>,
    /// `host`, `domain`, `any`.
    pub scope: String,
    /// Kinds that are wanted; empty: all.
    pub kinds: Vec<String>,
    pub area: Option<Bbox>,
    /// One of [`geotrawl_rank::ORDERINGS`].
    pub ordering: String,
    /// Let a browser look at map applications.
    pub render: bool,
    /// Cron text (five fields, UTC) for tasks that repeat.
    pub schedule: Option<String>,
    /// Everybody may look at it.
    pub public: bool,
}

impl Default for JobSpec {
    fn default() -> Self {
        Self {
            title: String::new(),
            kind: JobKind::Crawl,
            keywords: Vec::new(),
            seeds: Vec::new(),
            lists: Vec::new(),
            depth: 2,
            width: None,
            links_per_page: None,
            engines: Vec::new(),
            languages: Vec::new(),
            max_minutes: None,
            patience: None,
            max_pages: Some(10_000),
            max_per_host: None,
            scope: "domain".into(),
            kinds: Vec::new(),
            area: None,
            ordering: ORDERINGS[0].name.into(),
            render: false,
            schedule: None,
            public: false,
        }
    }
}

/// State of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// Never started.
    Draft,
    /// Waits for a worker.
    Queued,
    Running,
    /// Its worker is finishing what is in flight.
    Pausing,
    Paused,
    /// Its worker is finishing what is in flight; will not go on.
    Stopping,
    /// Ended by a person before its frontier was empty.
    Stopped,
    /// Ended by itself.
    Finished,
    /// Ended by a fault, which `error` names.
    Failed,
}

impl JobState {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Draft,
        Self::Queued,
        Self::Running,
        Self::Pausing,
        Self::Paused,
        Self::Stopping,
        Self::Stopped,
        Self::Finished,
        Self::Failed,
    ];

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Pausing => "pausing",
            Self::Paused => "paused",
            Self::Stopping => "stopping",
            Self::Stopped => "stopped",
            Self::Finished => "finished",
            Self::Failed => "failed",
        }
    }

    /// The state of this word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// Whether it takes one of its owner's places: it waits for a worker or has one.
    pub fn is_active(self) -> bool {
        matches!(self, Self::Queued | Self::Running | Self::Pausing | Self::Stopping)
    }

    /// What a wish makes of a task in this state; `None` when it cannot be had now.
    pub fn after(self, wish: Wish) -> Option<Self> {
        match (wish, self) {
            (Wish::Start, Self::Draft | Self::Stopped | Self::Finished | Self::Failed)
            | (Wish::Resume, Self::Paused | Self::Failed) => Some(Self::Queued),
            (Wish::Pause, Self::Queued) => Some(Self::Paused),
            (Wish::Pause, Self::Running) => Some(Self::Pausing),
            (Wish::Stop, Self::Queued | Self::Paused) => Some(Self::Stopped),
            (Wish::Stop, Self::Running | Self::Pausing) => Some(Self::Stopping),
            _ => None,
        }
    }
}

/// A task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    pub id: JobId,
    /// Unique name of the crawler's task; tasks of the command line have no owner.
    pub name: String,
    pub owner: Option<UserId>,
    pub spec: JobSpec,
    pub state: JobState,
    pub error: Option<String>,
    pub created: Timestamp,
    /// Of the latest run.
    pub run: Option<RunId>,
    pub started: Option<Timestamp>,
    pub ended: Option<Timestamp>,
    /// When the schedule starts it next.
    pub next_run: Option<Timestamp>,
    pub counters: Counters,
}

/// What a person wants of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wish {
    Start,
    Pause,
    Resume,
    Stop,
}

/// What became of a wish.
#[derive(Debug, Clone, PartialEq)]
pub enum Wished {
    /// Noted; the task as it is now.
    Noted(Box<Job>),
    /// The task's state does not allow it.
    NotNow(JobState),
    /// The owner already runs as many as allowed.
    TooMany(u32),
    /// There is no such task.
    Unknown,
}

/// Which tasks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JobFilter {
    /// Those of this person ...
    pub owner: Option<UserId>,
    /// ... and those that everybody may look at.
    pub or_public: bool,
    pub states: Vec<JobState>,
    pub offset: u64,
    pub limit: u64,
}

/// What is going on right now in a running task; overwritten about twice a second, never a history.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Live {
    pub run: RunId,
    pub at: Timestamp,
    pub counters: Counters,
    pub in_flight: u32,
    pub active_hosts: u32,
    pub pages_per_second: f32,
    pub finds_per_minute: f32,
    pub tallies: Tallies,
    /// Latest requests, newest last, at most 30: those without `millis` are being fetched now.
    pub fetches: Vec<Fetch>,
}

/// A request of a running task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Fetch {
    pub url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub millis: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
}

/// Sums of a run by what they are of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tallies {
    /// Pages read at each depth.
    pub pages_by_depth: BTreeMap<u32, u64>,
    /// Resources proven at each depth.
    pub finds_by_depth: BTreeMap<u32, u64>,
    pub kinds: BTreeMap<String, u64>,
    /// Outcomes of requests by class.
    pub outcomes: BTreeMap<String, u64>,
}

impl Tallies {
    /// Adds other sums to these.
    pub fn add(&mut self, more: &Self) {
        fn add<K: Ord + Clone>(sums: &mut BTreeMap<K, u64>, more: &BTreeMap<K, u64>) {
            for (key, count) in more {
                *sums.entry(key.clone()).or_default() += count;
            }
        }
        add(&mut self.pages_by_depth, &more.pages_by_depth);
        add(&mut self.finds_by_depth, &more.finds_by_depth);
        add(&mut self.kinds, &more.kinds);
        add(&mut self.outcomes, &more.outcomes);
    }
}

/// A point of a run's history.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    pub at: Timestamp,
    pub pages: u64,
    pub probes: u64,
    pub failures: u64,
    pub resources: u64,
    pub pending: u64,
    pub bytes: u64,
}

/// Tasks of a store. One contract suite runs over every backend.
pub trait Jobs: Send + Sync {
    /// Adds a task (a draft).
    fn add_job(&self, owner: Option<UserId>, spec: &JobSpec, now: Timestamp) -> Result<Job>;
    /// A task.
    fn job(&self, id: JobId) -> Result<Option<Job>>;
    /// The task that a run belongs to.
    fn job_of_run(&self, run: RunId) -> Result<Option<JobId>>;
    /// Tasks, newest first, and how many there are.
    fn jobs(&self, filter: &JobFilter) -> Result<(Vec<Job>, u64)>;
    /// Changes what is asked for; only while it does not run. `None` when there is no such task or it runs.
    fn change_job(&self, id: JobId, spec: &JobSpec, now: Timestamp) -> Result<Option<Job>>;
    /// Removes a task that does not run, with its frontier, pages and events. What it found stays, and so do
    /// the name of the task and the pages on the way to what it found: records name them.
    fn remove_job(&self, id: JobId) -> Result<bool>;
    /// Notes what a person wants, in one transaction with the check that the owner's places (for tasks that are
    /// queued, running, pausing, stopping) suffice. `usual` is how many a person has for whom nothing else is set;
    /// those who administer have as many as they like.
    fn wish(&self, id: JobId, wish: Wish, usual: u32, now: Timestamp) -> Result<Wished>;

    /// The next queued task for a worker, marked as running (fair: the owner with the fewest running first,
    /// then the oldest). `None` when nothing waits.
    fn take_job(&self, now: Timestamp) -> Result<Option<Job>>;
    /// Whether the worker should go on with a task it runs.
    fn job_wanted(&self, id: JobId) -> Result<JobState>;
    /// Says which run a task is in.
    fn job_run(&self, id: JobId, run: RunId) -> Result<()>;
    /// Says how a run of a task ended.
    fn end_job(&self, id: JobId, state: JobState, error: Option<&str>, now: Timestamp) -> Result<()>;
    /// At start-up of the only worker: tasks that were running when it died are queued again.
    fn requeue_orphans(&self, now: Timestamp) -> Result<u64>;
    /// Queues the tasks whose schedule is due and that do not run; says how many. One whose owner has no place free
    /// (see [`Jobs::wish`]) stays due until there is one.
    fn queue_due(&self, usual: u32, now: Timestamp) -> Result<u64>;

    /// Writes what is going on in a run, and a point of its history when one is due. The history of a run is
    /// thinned so that it stays below 600 points.
    fn write_live(&self, live: &Live) -> Result<()>;
    /// The same of one of several processes on a run: its sums are added to those that are written, in one
    /// transaction.
    fn add_live(&self, live: &Live) -> Result<()>;
    /// What is going on in these runs.
    fn live(&self, runs: &[RunId]) -> Result<Vec<Live>>;
    /// The history of a run.
    fn samples(&self, run: RunId) -> Result<Vec<Sample>>;

    /// Events after a sequence number, in order; of one run or of all.
    fn events(&self, after: i64, run: Option<RunId>, limit: usize) -> Result<Vec<Event>>;
    /// `find` and `state` events of a task after a sequence number, in order.
    fn task_events(&self, task: JobId, after: i64, limit: usize) -> Result<Vec<Event>>;
    /// The last sequence number.
    fn last_event(&self) -> Result<i64>;
    /// `find` events of a run in the order of finding, after a sequence number. The store keeps at least those
    /// of the latest run of every task.
    fn finds(&self, run: RunId, after: i64, limit: usize) -> Result<Vec<Event>>;
}

/// A find as watchers see it: the body of `find` events.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ShortRecord {
    pub id: String,
    pub kind: String,
    pub url: String,
    #[serde(default)]
    pub title: Option<String>,
    pub status: Status,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bbox: Option<Bbox>,
    pub host: Host,
    pub dataset_count: u64,
    /// The page that showed it.
    pub page: String,
    pub depth: u32,
}

impl ShortRecord {
    /// Of a record, as a task of this name found it.
    pub fn of(record: &Record, task: &str) -> Self {
        let ways = &record.provenance;
        let way = ways.iter().find(|way| way.task == task).or_else(|| ways.first());
        Self {
            id: record.id.clone(),
            kind: record.resource.kind.clone(),
            url: record.resource.url.clone(),
            title: record.resource.title.clone(),
            status: record.status,
            bbox: record.resource.bbox,
            host: record.host.clone(),
            dataset_count: record.resource.dataset_count,
            page: way.map(|way| way.page.clone()).unwrap_or_default(),
            depth: way.map(|way| way.depth).unwrap_or_default(),
        }
    }
}

/// The first moment after `now` that a cron text (five fields, UTC) names; else what is wrong with it.
pub fn next_after(text: &str, now: Timestamp) -> std::result::Result<Timestamp, String> {
    const HOW: &str = "write minute, hour, day of month, month and day of week, as in \"30 4 * * 1\" for every \
                       Monday at 4:30 UTC";
    if text.len() > 200 || text.split_whitespace().count() != 5 {
        return Err(format!("a schedule has five fields: {HOW}"));
    }
    let cron = croner::Cron::from_str(text.trim())
        .map_err(|error| format!("this is no schedule ({error}): {HOW}"))?;
    let next = cron
        .find_next_occurrence(&Offset::UTC.to_datetime(now), false)
        .map_err(|_never| "this schedule names no moment that will ever come".to_owned())?;
    Offset::UTC.to_timestamp(next).map_err(|_far| "this schedule names no moment of our calendar".to_owned())
}

/// Most seeds of a task.
pub const MOST_SEEDS: usize = 1_000;
/// Most words of a task.
pub const MOST_KEYWORDS: usize = 50;
/// Greatest depth of a task.
pub const MOST_DEPTH: u32 = 50;
/// Greatest of the other numbers of a task.
pub const MOST_COUNT: u64 = 1_000_000_000;

/// Whether a task can be kept: the member at fault and what is wrong with it, if not.
pub fn check_spec(spec: &JobSpec, now: Timestamp) -> std::result::Result<(), (&'static str, String)> {
    let fail = |member: &'static str, message: String| Err((member, message));
    let unclean = |text: &str| text.chars().any(char::is_control);
    if spec.title.chars().count() > 200 || unclean(&spec.title) {
        return fail("title", "a title is one line of at most 200 characters".into());
    }
    if spec.keywords.len() > MOST_KEYWORDS {
        return fail("keywords", format!("a task has at most {MOST_KEYWORDS} keywords"));
    }
    if spec.keywords.iter().any(|word| word.trim().is_empty() || word.chars().count() > 100 || unclean(word))
    {
        return fail("keywords", "a keyword has 1 to 100 characters".into());
    }
    if spec.seeds.is_empty() && spec.lists.is_empty() && spec.engines.is_empty() {
        return fail("seeds", "name at least one address, list or search engine to start from".into());
    }
    if !spec.engines.is_empty() && spec.keywords.is_empty() {
        return fail("keywords", "search engines are asked with keywords; give at least one".into());
    }
    if spec.engines.len() > 20 || spec.engines.iter().any(|name| name.is_empty() || name.chars().count() > 60)
    {
        return fail("engines", "a task asks at most 20 search engines, by name".into());
    }
    let is_language = |code: &String| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_lowercase());
    if spec.languages.len() > 50 || !spec.languages.iter().all(is_language) {
        return fail("languages", "languages are two-letter codes (ISO 639-1), e.g. de".into());
    }
    if spec.max_minutes.is_some_and(|minutes| minutes == 0 || minutes > 60 * 24 * 366) {
        return fail("max_minutes", "a task may run from 1 minute to a year".into());
    }
    if spec.patience.is_some_and(|pages| u64::from(pages) > MOST_COUNT) {
        return fail("patience", format!("a number from 0 to {MOST_COUNT}"));
    }
    if spec.seeds.len() > MOST_SEEDS {
        return fail("seeds", format!("a task has at most {MOST_SEEDS} seeds; import more as a list"));
    }
    for seed in &spec.seeds {
        check_seed(seed).or_else(|message| fail("seeds", message))?;
    }
    if spec.lists.len() > 50 || spec.lists.iter().any(|list| list.is_empty() || list.chars().count() > 200) {
        return fail("lists", "a task has at most 50 lists, by name".into());
    }
    if spec.depth > MOST_DEPTH {
        return fail("depth", format!("the depth is at most {MOST_DEPTH}"));
    }
    for (member, number) in [("width", spec.width), ("links_per_page", spec.links_per_page)] {
        if number.is_some_and(|number| number == 0 || u64::from(number) > MOST_COUNT) {
            return fail(member, "the number is at least 1; leave it out for all".into());
        }
    }
    for (member, number) in [("max_pages", spec.max_pages), ("max_per_host", spec.max_per_host)] {
        if number.is_some_and(|number| !(1..=MOST_COUNT).contains(&number)) {
            return fail(member, format!("a number from 1 to {MOST_COUNT}"));
        }
    }
    if !["host", "domain", "any"].contains(&spec.scope.as_str()) {
        return fail("scope", "one of host, domain, any".into());
    }
    if !ORDERINGS.iter().any(|choice| choice.name == spec.ordering) {
        let names: Vec<_> = ORDERINGS.iter().map(|choice| choice.name).collect();
        return fail("ordering", format!("one of {}", names.join(", ")));
    }
    if let Some(kind) = spec.kinds.iter().find(|kind| !KINDS.iter().any(|known| known.doc().id == **kind)) {
        let kind: String = kind.chars().take(60).collect();
        return fail("kinds", format!("'{kind}' is not a kind"));
    }
    if spec.kinds.len() > KINDS.len() {
        return fail("kinds", "a kind is named twice".into());
    }
    if let Some(area) = spec.area {
        let lon = |degrees: f64| (-180.0..=180.0).contains(&degrees);
        let lat = |degrees: f64| (-90.0..=90.0).contains(&degrees);
        if !(lon(area.west)
            && lon(area.east)
            && lat(area.south)
            && lat(area.north)
            && area.south <= area.north)
        {
            return fail("area", "west, south, east, north in degrees, south not above north".into());
        }
    }
    match &spec.schedule {
        Some(text) => next_after(text, now).map(|_| ()).or_else(|message| fail("schedule", message)),
        None => Ok(()),
    }
}

fn check_seed(seed: &str) -> std::result::Result<(), String> {
    let shown: String = seed.chars().take(200).collect();
    if seed.len() > 4_000 {
        return Err(format!("'{shown}...' is too long for an address"));
    }
    let with_scheme = if seed.contains("://") { seed.to_owned() } else { format!("http://{seed}") };
    match Url::parse(&with_scheme) {
        Ok(url) if !matches!(url.scheme(), "http" | "https") => {
            Err(format!("'{shown}': only http and https addresses can be crawled"))
        }
        Ok(url) if url.host_str().is_none() => Err(format!("'{shown}' names no host")),
        Ok(url) if !url.username().is_empty() || url.password().is_some() => Err(format!(
            "'{}' carries a name or password; seeds must not",
            url.host_str().unwrap_or_default()
        )),
        Ok(_) => Ok(()),
        Err(error) => Err(format!("'{shown}' is not a web address: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn schedules_are_five_fields_in_utc() {
        let now = at("2026-11-16T06:15:10Z");
        assert_eq!(next_after("30 4 * * 1", now).unwrap(), at("2026-11-23T04:30:00Z"));
        assert_eq!(next_after("*/15 * * * *", now).unwrap(), at("2026-11-16T06:30:00Z"));
        assert_eq!(next_after("15 6 * * *", at("2026-11-16T06:15:00Z")).unwrap(), at("2026-11-17T06:15:00Z"));
        for bad in ["", "* * * *", "* * * * * *", "61 * * * *", "a b c d e", "0 0 31 2 *", "@daily"] {
            let message = next_after(bad, now).unwrap_err();
            assert!(message.contains("schedule"), "{bad}: {message}");
        }
    }

    #[test]
    fn what_cannot_be_kept_is_named() {
        let now = at("2026-11-16T06:15:10Z");
        let good = JobSpec { seeds: vec!["https://example.org/".into()], ..JobSpec::default() };
        assert_eq!(check_spec(&good, now), Ok(()));
        let fault = |change: &dyn Fn(&mut JobSpec)| {
            let mut spec = good.clone();
            change(&mut spec);
            check_spec(&spec, now).unwrap_err().0
        };
        assert_eq!(fault(&|spec| spec.seeds.clear()), "seeds");
        assert_eq!(fault(&|spec| spec.seeds = vec!["ftp://example.org/".into()]), "seeds");
        assert_eq!(fault(&|spec| spec.seeds = vec!["http://a:b@example.org/".into()]), "seeds");
        assert_eq!(fault(&|spec| spec.seeds = vec!["http://a.example/".into(); 1001]), "seeds");
        assert_eq!(fault(&|spec| spec.depth = 51), "depth");
        assert_eq!(fault(&|spec| spec.scope = "moon".into()), "scope");
        assert_eq!(fault(&|spec| spec.kinds = vec!["nonsense".into()]), "kinds");
        assert_eq!(fault(&|spec| spec.schedule = Some("often".into())), "schedule");
        assert_eq!(fault(&|spec| spec.title = "x".repeat(201)), "title");
        let area = Bbox { west: 0.0, south: 10.0, east: 5.0, north: -10.0 };
        assert_eq!(fault(&|spec| spec.area = Some(area)), "area");
        assert_eq!(fault(&|spec| spec.max_pages = Some(0)), "max_pages");
    }
}
