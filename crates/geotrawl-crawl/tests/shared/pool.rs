//! A shared store for tests: several processes use one embedded store. Leases, fencing and outages
//! are simulated in memory.

use geotrawl_model::account::UserId;
use geotrawl_model::focus::{DepthYield, IndicativeTerm, SavedModel, SeedGroup};
use geotrawl_model::live::{LiveFigures, Sample};
use geotrawl_model::store::{CrawlStore, FocusStore, JobStore, LeaseStore, Result};
use geotrawl_model::task::{Job, JobCommand, JobCommandOutcome, JobFilter, JobId, JobSpec, JobState};
use geotrawl_model::{
    AddedLinks, CommitSummary, CrawlBatch, Explanation, FrontierEntry, FrontierEntryId, HarvestedRecord,
    HostId, HostWork, NewLink, OpenTask, PastPage, RankedSeed, Record, RecordFilter, RunCounters, RunId,
    Seed, SeedList, StoreError, StreamEvent, TaskSpec, TaskState,
};
use geotrawl_store::EmbeddedStore;
use jiff::Timestamp;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Duration of a lease, and how long before its end no request is sent.
const LASTS: Duration = Duration::from_secs(8);
const MARGIN: Duration = Duration::from_secs(4);

/// The store and the leases that all processes share.
pub struct SharedTestStore {
    pub store: EmbeddedStore,
    book: Mutex<LeaseTable>,
    away: AtomicBool,
    desks: AtomicU64,
}

#[derive(Default)]
struct LeaseTable {
    loans: HashMap<HostId, TestLease>,
    rests: HashMap<HostId, Instant>,
    claims: HashMap<RunId, u64>,
    opened: BTreeMap<RunId, OpenTask>,
    closed: HashSet<RunId>,
    /// How often each run was ended.
    ended: HashMap<RunId, u32>,
}

struct TestLease {
    desk: u64,
    token: u64,
    until: Instant,
}

/// The store as one process sees it.
pub struct ProcessStore {
    pub pool: Arc<SharedTestStore>,
    id: u64,
    /// Leases that it believes to hold.
    own: Mutex<HashMap<HostId, (u64, Instant)>>,
    /// Whether this process alone cannot reach the store.
    pub cut_off: AtomicBool,
    pub commits: AtomicU64,
    pub left_out: AtomicU64,
}

impl SharedTestStore {
    pub fn new(directory: &Path) -> Arc<Self> {
        let store = EmbeddedStore::open(directory).unwrap();
        Arc::new(Self {
            store,
            book: Mutex::default(),
            away: AtomicBool::new(false),
            desks: AtomicU64::new(0),
        })
    }

    pub fn connect_process(self: &Arc<Self>) -> Arc<ProcessStore> {
        let id = self.desks.fetch_add(1, Ordering::SeqCst);
        Arc::new(ProcessStore {
            pool: Arc::clone(self),
            id,
            own: Mutex::default(),
            cut_off: AtomicBool::new(false),
            commits: AtomicU64::new(0),
            left_out: AtomicU64::new(0),
        })
    }

    pub fn set_unreachable(&self, away: bool) {
        self.away.store(away, Ordering::SeqCst);
    }

    /// Ends the leases of a process as if they had expired unnoticed; returns their number.
    pub fn revoke_leases(&self, desk: &ProcessStore) -> usize {
        let mut book = self.book();
        let before = book.loans.len();
        book.loans.retain(|_, loan| loan.desk != desk.id);
        before - book.loans.len()
    }

    pub fn end_count(&self, run: RunId) -> u32 {
        self.book().ended.get(&run).copied().unwrap_or_default()
    }

    /// Returns the number of pages claimed from a run's budget.
    pub fn claimed_pages(&self, run: RunId) -> u64 {
        self.book().claims.get(&run).copied().unwrap_or_default()
    }

    pub fn leased_hosts(&self) -> usize {
        self.book().loans.len()
    }

    fn book(&self) -> MutexGuard<'_, LeaseTable> {
        self.book.lock().unwrap()
    }
}

impl ProcessStore {
    fn away(&self) -> Result<()> {
        if self.pool.away.load(Ordering::SeqCst) || self.cut_off.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable { doing: "asking".into(), cause: "it is away".into() });
        }
        Ok(())
    }

    fn own(&self) -> MutexGuard<'_, HashMap<HostId, (u64, Instant)>> {
        self.own.lock().unwrap()
    }
}

/// Methods that fail while the store is unreachable, and are delegated to it otherwise.
macro_rules! where_reachable {
    ($(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        $(fn $name(&self, $($argument: $type),*) -> $result {
            self.away()?;
            self.pool.store.$name($($argument),*)
        })*
    };
}

impl LeaseStore for ProcessStore {
    fn is_shared(&self) -> bool {
        true
    }
    fn may_send_request(&self, _run: RunId, host: HostId) -> bool {
        self.own().get(&host).is_some_and(|(_, until)| Instant::now() + MARGIN < *until)
    }
    fn renewal_interval(&self) -> Duration {
        Duration::from_millis(50)
    }
    fn renew_leases(&self) -> Result<Vec<HostId>> {
        self.away()?;
        let until = Instant::now() + LASTS;
        let mut book = self.pool.book();
        let mut lost = Vec::new();
        self.own().retain(|host, (token, own_until)| match book.loans.get_mut(host) {
            Some(loan) if loan.desk == self.id && loan.token == *token => {
                loan.until = until;
                *own_until = until;
                true
            }
            _ => {
                lost.push(*host);
                false
            }
        });
        Ok(lost)
    }
    fn release_leases(&self, _run: RunId, hosts: &[(HostId, Duration)]) -> Result<()> {
        self.away()?;
        let mut book = self.pool.book();
        for (host, rest) in hosts {
            self.own().remove(host);
            if book.loans.get(host).is_some_and(|loan| loan.desk == self.id) {
                book.loans.remove(host);
                book.rests.insert(*host, Instant::now() + *rest);
            }
        }
        Ok(())
    }
    fn claim_pages(&self, run: RunId, most: u64, wanted: i64) -> Result<u64> {
        self.away()?;
        let mut book = self.pool.book();
        let claimed = book.claims.entry(run).or_default();
        if wanted < 0 {
            *claimed = claimed.saturating_sub(wanted.unsigned_abs());
            return Ok(0);
        }
        let given = most.saturating_sub(*claimed).min(wanted.unsigned_abs());
        *claimed += given;
        Ok(given)
    }
    fn is_exhausted(&self, run: RunId) -> Result<bool> {
        self.away()?;
        Ok(self.pool.store.run_counters(run)?.pending == 0)
    }
    fn is_leased_elsewhere(&self, run: RunId) -> Result<bool> {
        self.away()?;
        let book = self.pool.book();
        for (host, loan) in &book.loans {
            if loan.desk != self.id
                && loan.until > Instant::now()
                && !self.pool.store.pending_entries(run, *host, 1, &|_| false)?.is_empty()
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl CrawlStore for ProcessStore {
    fn open_task(&self, spec: &TaskSpec, now: Timestamp) -> Result<OpenTask> {
        self.away()?;
        let task = self.pool.store.open_task(spec, now)?;
        let mut book = self.pool.book();
        book.closed.remove(&task.run);
        book.opened.insert(task.run, task.clone());
        Ok(task)
    }
    fn set_task_state(&self, task: RunId, state: TaskState, now: Timestamp) -> Result<()> {
        self.away()?;
        self.pool.book().closed.insert(task);
        self.pool.store.set_task_state(task, state, now)
    }
    fn end_run(&self, task: RunId, state: TaskState, now: Timestamp) -> Result<bool> {
        self.away()?;
        let mut book = self.pool.book();
        if !book.closed.insert(task) {
            return Ok(false);
        }
        *book.ended.entry(task).or_default() += 1;
        self.pool.store.set_task_state(task, state, now)?;
        Ok(true)
    }
    fn run_is_open(&self, task: RunId) -> Result<bool> {
        self.away()?;
        Ok(!self.pool.book().closed.contains(&task))
    }
    fn open_runs(&self) -> Result<Vec<OpenTask>> {
        self.away()?;
        let book = self.pool.book();
        let open = book.opened.values().filter(|task| !book.closed.contains(&task.run));
        Ok(open.cloned().map(|task| OpenTask { resumed: true, ..task }).collect())
    }
    fn commit(&self, batch: &CrawlBatch) -> Result<CommitSummary> {
        self.away()?;
        let book = self.pool.book();
        let own = self.own().clone();
        let ours = |host: &HostId| {
            let loan = book.loans.get(host).filter(|loan| loan.desk == self.id);
            loan.is_some_and(|loan| own.get(host).is_some_and(|(token, _)| *token == loan.token))
        };
        let mut taken = batch.clone();
        taken.done.retain(|done| ours(&done.item.host));
        let lost = batch.done.iter().filter(|done| !ours(&done.item.host)).map(|done| done.item.id);
        let lost: Vec<FrontierEntryId> = lost.collect();
        let mut committed = self.pool.store.commit(&taken)?;
        committed.ignored += lost.len() as u64;
        self.left_out.fetch_add(lost.len() as u64, Ordering::SeqCst);
        self.commits.fetch_add(taken.done.len() as u64, Ordering::SeqCst);
        committed.left_out.extend(lost);
        Ok(committed)
    }
    fn hosts_with_work(
        &self,
        task: RunId,
        limit: usize,
        skip: &dyn Fn(HostId) -> bool,
    ) -> Result<Vec<HostWork>> {
        self.away()?;
        let mut book = self.pool.book();
        let now = Instant::now();
        let lent = |host: HostId| book.loans.get(&host).is_some_and(|loan| loan.until > now);
        let mut hosts = self.pool.store.hosts_with_work(task, limit, &|host| skip(host) || lent(host))?;
        let mut own = self.own();
        for work in &mut hosts {
            let rest = book.rests.get(&work.host).copied();
            work.rest = rest.map_or(Duration::ZERO, |until| until.saturating_duration_since(now));
            let token = book.loans.get(&work.host).map_or(1, |loan| loan.token + 1);
            book.loans.insert(work.host, TestLease { desk: self.id, token, until: now + LASTS });
            own.insert(work.host, (token, now + LASTS));
        }
        Ok(hosts)
    }
    where_reachable! {
        fn pending_entries(
            task: RunId, host: HostId, limit: usize, skip: &dyn Fn(FrontierEntryId) -> bool
        ) -> Result<Vec<FrontierEntry>>;
        fn visit_records(filter: &RecordFilter, visit: &mut dyn FnMut(Record) -> bool) -> Result<()>;
        fn visit_harvested_records(
            catalogue: Option<&str>, visit: &mut dyn FnMut(HarvestedRecord) -> bool
        ) -> Result<()>;
        fn visit_seeds(list: &str, visit: &mut dyn FnMut(Seed) -> bool) -> Result<()>;
        fn add_links(task: RunId, links: &[NewLink]) -> Result<AddedLinks>;
        fn host_history(task: RunId, host: HostId, limit: usize) -> Result<Vec<PastPage>>;
        fn run_counters(task: RunId) -> Result<RunCounters>;
        fn last_harvest_start(catalogue: &str, connector: &str) -> Result<Option<Timestamp>>;
        fn import_seeds(list: &str, source: &str, seeds: &[Seed], now: Timestamp) -> Result<u64>;
        fn seed_lists() -> Result<Vec<SeedList>>;
        fn explain(what: &str) -> Result<Explanation>;
    }
}

impl FocusStore for ProcessStore {
    where_reachable! {
        fn list_seed_groups(run: RunId) -> Result<Vec<SeedGroup>>;
        fn open_seed_group(run: RunId, width: u32, seeds: u64, now: Timestamp) -> Result<()>;
        fn end_seed_group(run: RunId, width: u32, why: &str, given_up: bool, now: Timestamp) -> Result<()>;
        fn yield_by_depth(run: RunId) -> Result<Vec<DepthYield>>;
        fn yield_by_seed_group(run: RunId) -> Result<Vec<DepthYield>>;
        fn indicative_terms(run: RunId, most: usize) -> Result<Vec<IndicativeTerm>>;
        fn add_terms(run: RunId, terms: &[IndicativeTerm]) -> Result<()>;
        fn ranked_seeds(run: RunId) -> Result<Vec<RankedSeed>>;
        fn save_ranked_seeds(run: RunId, seeds: &[RankedSeed]) -> Result<()>;
        fn load_model(ordering: &str) -> Result<Option<SavedModel>>;
        fn model_saved_at(ordering: &str) -> Result<Option<Timestamp>>;
        fn save_model(
            ordering: &str, bytes: &[u8], now: Timestamp, over: Option<Timestamp>
        ) -> Result<Option<Timestamp>>;
        fn next_entries(run: RunId, most: usize) -> Result<Vec<FrontierEntry>>;
        fn time_taken(run: RunId) -> Result<u64>;
        fn add_time_taken(run: RunId, millis: u64) -> Result<()>;
    }
}

impl JobStore for ProcessStore {
    where_reachable! {
        fn add_job(owner: Option<UserId>, spec: &JobSpec, now: Timestamp) -> Result<Job>;
        fn find_job(id: JobId) -> Result<Option<Job>>;
        fn job_of_run(run: RunId) -> Result<Option<JobId>>;
        fn list_jobs(filter: &JobFilter) -> Result<(Vec<Job>, u64)>;
        fn change_job(id: JobId, spec: &JobSpec, now: Timestamp) -> Result<Option<Job>>;
        fn remove_job(id: JobId) -> Result<bool>;
        fn apply_job_command(id: JobId, wish: JobCommand, usual: u32, now: Timestamp) -> Result<JobCommandOutcome>;
        fn take_job(now: Timestamp) -> Result<Option<Job>>;
        fn wanted_job_state(id: JobId) -> Result<JobState>;
        fn set_job_run(id: JobId, run: RunId) -> Result<()>;
        fn end_job(id: JobId, state: JobState, error: Option<&str>, now: Timestamp) -> Result<()>;
        fn requeue_orphans(now: Timestamp) -> Result<u64>;
        fn queue_due_jobs(usual: u32, now: Timestamp) -> Result<u64>;
        fn write_live(live: &LiveFigures) -> Result<()>;
        fn add_live(live: &LiveFigures) -> Result<()>;
        fn live_figures(runs: &[RunId]) -> Result<Vec<LiveFigures>>;
        fn list_samples(run: RunId) -> Result<Vec<Sample>>;
        fn list_events(after: i64, run: Option<RunId>, limit: usize) -> Result<Vec<StreamEvent>>;
        fn task_events(task: JobId, after: i64, limit: usize) -> Result<Vec<StreamEvent>>;
        fn last_event() -> Result<i64>;
        fn list_finds(run: RunId, after: i64, limit: usize) -> Result<Vec<StreamEvent>>;
    }
}
