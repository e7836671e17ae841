//! A simulated web, and crawlers on one shared store.

use crate::pool::{ProcessStore, SharedTestStore};
use geotrawl_crawl::fetch::FetchConfig;
use geotrawl_crawl::options::CrawlOptions;
use geotrawl_crawl::pipeline::{CrawlHandle, CrawlRun, CrawlSpec, CrawlSummary};
use geotrawl_crawl::resources::{ResourceOptions, SharedResources};
use geotrawl_model::live::WorkerFigures;
use geotrawl_model::store::CrawlStore;
use geotrawl_model::{OpenTask, RecordFilter};
use geotrawl_simweb::{LogEntry, LogSink, ServerHandle, SimWeb, SimWebConfig};
use std::collections::{BTreeSet, HashMap};
use std::net::TcpListener;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Concurrent requests of one crawler.
pub const CONCURRENCY: usize = 8;

pub struct SharedLab {
    pub sim: SimWeb,
    web: ServerHandle,
    pub pool: Arc<SharedTestStore>,
    pub fetch: FetchConfig,
    _data: tempfile::TempDir,
    _runtime: tokio::runtime::Runtime,
}

/// A running crawler with its own resources, as in a separate process.
pub struct LabCrawler {
    pub crawl: CrawlHandle,
    resources: Arc<SharedResources>,
}

impl LabCrawler {
    pub fn finish(self) -> (CrawlSummary, WorkerFigures) {
        (self.crawl.wait().unwrap(), self.resources.leases.worker_figures())
    }
}

impl SharedLab {
    pub fn new(hosts: usize, pages: usize, latency: Duration, delay: Duration) -> Self {
        let config = SimWebConfig { seed: 4, hosts, pages: Some(pages), latency, ..SimWebConfig::default() };
        let sim = SimWeb::generate(config);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let web = runtime.block_on(async { sim.serve(listener, Some(LogSink::memory())).unwrap() });
        let mut fetch = FetchConfig {
            resolve: vec![format!("*={address}").parse().unwrap()],
            concurrency: CONCURRENCY,
            ..FetchConfig::default()
        };
        fetch.set_delay(delay);
        fetch.politeness.crawl_delay_cap = delay;
        fetch.politeness.adaptive_cap = delay;
        fetch.politeness.backoff = Duration::from_millis(50);
        fetch.politeness.backoff_cap = Duration::from_millis(200);
        fetch.timeouts.first_byte = Duration::from_secs(2);
        fetch.timeouts.idle = Duration::from_secs(2);
        fetch.timeouts.total = Duration::from_secs(3);
        fetch.timeouts.longest = Duration::from_secs(3);
        fetch.politeness.per_ip = 0;
        let data = tempfile::tempdir().unwrap();
        let pool = SharedTestStore::new(data.path());
        Self { sim, web, pool, fetch, _data: data, _runtime: runtime }
    }

    pub fn crawl_options() -> CrawlOptions {
        CrawlOptions { depth: 6, attempts: 2, ordering: "fifo".into(), ..CrawlOptions::default() }
    }

    /// Starts a crawler, which opens the run or joins `joined`.
    pub fn start_crawler(
        &self,
        desk: &Arc<ProcessStore>,
        options: &CrawlOptions,
        joined: Option<OpenTask>,
    ) -> LabCrawler {
        let shared = ResourceOptions { cpu_threads: 1, ..ResourceOptions::default() };
        let resources = SharedResources::start(&self.fetch, shared).unwrap();
        let (name, seeds, options) = ("together".into(), self.sim.seeds(), options.clone());
        let spec = CrawlSpec { name, seeds, lists: Vec::new(), options };
        let crawl = CrawlRun::builder(desk.clone(), &resources, spec);
        let crawl = match joined {
            Some(task) => crawl.join_run(task),
            None => crawl,
        };
        LabCrawler { crawl: crawl.start().unwrap(), resources }
    }

    /// Starts a crawler that joins the open run.
    pub fn join_crawler(&self, desk: &Arc<ProcessStore>, options: &CrawlOptions) -> LabCrawler {
        let task = desk.open_runs().unwrap().remove(0);
        self.start_crawler(desk, options, Some(task))
    }

    pub fn record_urls(&self) -> BTreeSet<String> {
        let mut urls = BTreeSet::new();
        let mut take = |record: geotrawl_model::Record| {
            urls.insert(format!("{} {}", record.resource.kind, record.resource.url))
        };
        self.pool
            .store
            .visit_records(&RecordFilter::default(), &mut |record| {
                assert!(take(record), "a record is there twice");
                true
            })
            .unwrap();
        urls
    }

    pub fn log(&self) -> Vec<LogEntry> {
        self.web.log()
    }

    /// Returns the number of requests per URL.
    pub fn request_counts(&self) -> HashMap<String, u64> {
        let mut counts = HashMap::new();
        for entry in self.log().iter().filter(|entry| entry.target != "/robots.txt") {
            *counts.entry(format!("{}{}", entry.host, entry.target)).or_default() += 1;
        }
        counts
    }
}

/// Waits until a condition holds.
pub fn wait_until(what: &str, so: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_mins(1);
    while !so() {
        assert!(Instant::now() < patience, "waited in vain for {what}");
        std::thread::park_timeout(Duration::from_millis(5));
    }
}
