//! Tests the worker on a simulated web: many tasks, one client.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use geotrawl_crawl::apps::ScriptAnalyzer;
use geotrawl_crawl::fetch::FetchConfig;
use geotrawl_crawl::resources::{ResourceOptions, SharedResources};
use geotrawl_crawl::worker::{SHUTDOWN_GRACE, Worker, WorkerHandle};
use geotrawl_model::RecordFilter;
use geotrawl_model::store::{CrawlStore, JobStore, TaskStore};
use geotrawl_model::task::{Job, JobCommand, JobCommandOutcome, JobId, JobSpec, JobState};
use geotrawl_simweb::report;
use geotrawl_simweb::{LogEntry, LogSink, ServerHandle, SimWeb, SimWebConfig};
use geotrawl_store::EmbeddedStore;
use jiff::Timestamp;
use std::collections::{BTreeSet, HashMap};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Concurrent requests.
const CONCURRENCY: usize = 32;

/// A simulated web, a store and a worker.
struct WorkerLab {
    sim: SimWeb,
    web: ServerHandle,
    store: Arc<EmbeddedStore>,
    fetch: FetchConfig,
    working: Option<WorkerHandle>,
    _data: tempfile::TempDir,
    _runtime: tokio::runtime::Runtime,
}

impl WorkerLab {
    fn new(config: SimWebConfig, delay: Duration) -> Self {
        let sim = SimWeb::generate(config);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let web = runtime.block_on(async { sim.serve(listener, Some(LogSink::memory())).unwrap() });
        let mut fetch = FetchConfig {
            resolve: vec![format!("*={address}").parse().unwrap()],
            concurrency: CONCURRENCY,
            ..FetchConfig::default()
        };
        fetch.set_delay(delay);
        // The hosts ask for delays of seconds. Shorter ones are
        // enough to check that delays are kept.
        fetch.politeness.crawl_delay_cap = delay;
        fetch.politeness.adaptive_cap = delay;
        fetch.politeness.backoff = Duration::from_millis(50);
        fetch.politeness.backoff_cap = Duration::from_millis(200);
        // Some services never respond. Detect that quickly, and do not retry three times.
        fetch.timeouts.first_byte = Duration::from_secs(2);
        fetch.timeouts.idle = Duration::from_secs(2);
        fetch.timeouts.total = Duration::from_secs(4);
        fetch.timeouts.longest = Duration::from_secs(4);
        // The whole simulated web has one address, so throttle by host name only.
        fetch.politeness.per_ip = 0;
        let data = tempfile::tempdir().unwrap();
        let store = Arc::new(EmbeddedStore::open(data.path()).unwrap());
        Self { sim, web, store, fetch, working: None, _data: data, _runtime: runtime }
    }

    fn work(&mut self) {
        let store: Arc<dyn TaskStore> = self.store.clone();
        let options = ResourceOptions { shutdown_grace: SHUTDOWN_GRACE, ..ResourceOptions::default() };
        let resources = SharedResources::start(&self.fetch, options).unwrap();
        let mut worker = Worker::new(store, resources, ScriptAnalyzer::Here);
        worker.defaults.attempts = 2;
        self.working = Some(worker.start().unwrap());
    }

    /// Stops the worker like a shutdown of the program.
    fn rest(&mut self) {
        if let Some(worker) = self.working.take() {
            worker.stop();
            worker.wait().unwrap();
        }
    }

    fn spec(&self) -> JobSpec {
        let seeds = self.sim.seeds();
        JobSpec { seeds, depth: 6, scope: "any".into(), max_pages: None, ..JobSpec::default() }
    }

    fn start(&self, owner: i64, spec: &JobSpec) -> JobId {
        let job = self.store.add_job(Some(owner), spec, Timestamp::now()).unwrap();
        self.wish(job.id, JobCommand::Start);
        job.id
    }

    fn wish(&self, id: JobId, wish: JobCommand) {
        let wished = self.store.apply_job_command(id, wish, 99, Timestamp::now()).unwrap();
        assert!(matches!(wished, JobCommandOutcome::Noted(_)), "{wished:?}");
        if let Some(worker) = &self.working {
            worker.wake();
        }
    }

    fn job(&self, id: JobId) -> Job {
        self.store.find_job(id).unwrap().unwrap()
    }

    /// Waits until a task meets a condition.
    fn until(&self, id: JobId, what: &str, so: impl Fn(&Job) -> bool) -> Job {
        let patience = Instant::now() + Duration::from_mins(2);
        loop {
            let job = self.job(id);
            if so(&job) {
                return job;
            }
            assert!(Instant::now() < patience, "waited in vain for {what}: {job:#?}");
            std::thread::yield_now();
            std::thread::park_timeout(Duration::from_millis(10));
        }
    }

    fn finished(&self, id: JobId) -> Job {
        self.until(id, "its end", |job| !job.state.is_active())
    }

    fn urls(&self) -> BTreeSet<String> {
        let mut urls = BTreeSet::new();
        self.store
            .visit_records(&RecordFilter::default(), &mut |record| {
                urls.insert(format!("{} {}", record.resource.kind, record.resource.url));
                true
            })
            .unwrap();
        urls
    }

    fn log(&self) -> Vec<LogEntry> {
        self.web.log()
    }
}

impl Drop for WorkerLab {
    fn drop(&mut self) {
        self.rest();
    }
}

fn small(hosts: usize, pages: usize) -> SimWebConfig {
    SimWebConfig { seed: 4, hosts, pages: Some(pages), ..SimWebConfig::default() }
}

/// Returns the number of requests per page.
fn requests(log: &[LogEntry]) -> HashMap<String, u64> {
    let mut counts = HashMap::new();
    for entry in log.iter().filter(|entry| entry.target != "/robots.txt") {
        *counts.entry(format!("{}{}", entry.host, entry.target)).or_default() += 1;
    }
    counts
}

#[test]
fn two_tasks_of_two_people_go_on_at_once_and_stay_polite_together() {
    let delay = Duration::from_millis(60);
    let mut lab = WorkerLab::new(small(6, 90), delay);
    let (one, two) = (lab.start(1, &lab.spec()), lab.start(2, &lab.spec()));
    lab.work();
    lab.until(one, "both at work", |_| {
        [one, two].iter().all(|id| {
            let job = lab.job(*id);
            assert!(job.state.is_active(), "it ended before both were seen at work: {job:#?}");
            job.state == JobState::Running && job.counters.pages > 3
        })
    });
    let (first, second) = (lab.finished(one), lab.finished(two));
    assert_eq!(
        (first.state, second.state),
        (JobState::Finished, JobState::Finished),
        "{first:#?} {second:#?}"
    );
    assert!(first.counters.resources > 0);
    assert_eq!(first.counters.resources, second.counters.resources);
    let judged = report::measure_politeness(&lab.log(), delay.as_secs_f64());
    assert!(judged.overlapping.is_empty(), "{:#?}", judged.overlapping.first());
    assert!(judged.too_close.is_empty(), "{:#?}", judged.too_close.first());
    let live = lab.store.live_figures(&[first.run.unwrap()]).unwrap().remove(0);
    assert_eq!(live.tallies.kinds.values().sum::<u64>(), first.counters.resources);
    assert_eq!(live.tallies.pages_by_depth.values().sum::<u64>(), first.counters.pages);
    assert_eq!(live.in_flight, 0);
    let finds = lab.store.list_finds(first.run.unwrap(), 0, 10_000).unwrap();
    assert_eq!(finds.len() as u64, first.counters.resources);
}

#[test]
fn pausing_resuming_and_a_restart_lose_nothing() {
    let mut whole = WorkerLab::new(small(12, 300), Duration::ZERO);
    let all = whole.start(1, &whole.spec());
    whole.work();
    let expected = whole.finished(all).counters;
    let found = whole.urls();
    let usual = requests(&whole.log());

    let config = SimWebConfig { latency: Duration::from_millis(20), ..small(12, 300) };
    let mut lab = WorkerLab::new(config, Duration::ZERO);
    let id = lab.start(1, &lab.spec());
    lab.work();
    lab.until(id, "some pages", |job| job.counters.pages > 20);
    let asked = Instant::now();
    lab.wish(id, JobCommand::Pause);
    let paused = lab.until(id, "the pause", |job| !job.state.is_active());
    assert!(asked.elapsed() < Duration::from_secs(30), "{:?}", asked.elapsed());
    assert_eq!(paused.state, JobState::Paused);
    let run = paused.run;
    lab.wish(id, JobCommand::Resume);
    lab.until(id, "more pages", |job| job.counters.pages > paused.counters.pages);
    lab.rest();
    assert!(matches!(lab.job(id).state, JobState::Queued | JobState::Finished));
    lab.work();
    let ended = lab.finished(id);
    assert_eq!((ended.state, ended.run), (JobState::Finished, run), "it is one run all the time");
    assert_eq!(lab.urls(), found);
    assert_eq!((ended.counters.resources, ended.counters.pending), (expected.resources, expected.pending));
    let live = lab.store.live_figures(&[run.unwrap()]).unwrap().remove(0);
    assert_eq!(live.tallies.kinds.values().sum::<u64>(), ended.counters.resources, "tallies go on");
    let finds = lab.store.list_finds(run.unwrap(), 0, 10_000).unwrap();
    let once: BTreeSet<_> = finds.iter().map(|find| find.body["id"].to_string()).collect();
    assert_eq!(once.len(), finds.len(), "each is told once");
    let again: u64 = requests(&lab.log())
        .iter()
        .map(|(target, times)| times.saturating_sub(usual.get(target).copied().unwrap_or(1)))
        .sum();
    // Each of the two interruptions repeats only the requests that were in progress.
    assert!(again <= 2 * CONCURRENCY as u64, "{again} requests were repeated");
}

#[test]
fn a_stopped_task_starts_anew_and_one_that_fails_leaves_the_others_alone() {
    let config = SimWebConfig { latency: Duration::from_millis(20), ..small(12, 300) };
    let mut lab = WorkerLab::new(config, Duration::ZERO);
    let id = lab.start(1, &lab.spec());
    let dead = JobSpec { seeds: vec!["http://127.0.0.2:9/".into()], ..JobSpec::default() };
    lab.fetch.resolve.clear();
    lab.fetch.resolve.push(format!("*.test={}", lab.web.address()).parse().unwrap());
    let refused = lab.start(2, &dead);
    let lists = JobSpec { lists: vec!["nowhere".into()], ..lab.spec() };
    let listless = lab.start(3, &lists);
    lab.work();
    let refused = lab.finished(refused);
    assert_eq!(refused.state, JobState::Failed);
    let error = refused.error.unwrap();
    assert!(error.contains("127.0.0.2") && error.ends_with('.'), "{error}");
    let listless = lab.finished(listless);
    assert_eq!(listless.state, JobState::Failed);
    assert!(listless.error.unwrap().contains("nowhere"));
    let running = lab.until(id, "some pages", |job| job.counters.pages > 5 || !job.state.is_active());
    if running.state == JobState::Running {
        lab.wish(id, JobCommand::Stop);
    }
    let stopped = lab.finished(id);
    assert!(matches!(stopped.state, JobState::Stopped | JobState::Finished), "{stopped:#?}");
    lab.wish(id, JobCommand::Start);
    let again = lab.until(id, "a new run", |job| job.run != stopped.run);
    assert_ne!(again.run, stopped.run);
}
