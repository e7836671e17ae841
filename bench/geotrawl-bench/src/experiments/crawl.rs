//! A real crawl of a simulated web that records every page in the order of reading.

use anyhow::Result;
use geotrawl_crawl::apps::ScriptAnalyzer;
use geotrawl_crawl::fetch::FetchConfig;
use geotrawl_crawl::observe::CrawlObserver;
use geotrawl_crawl::options::CrawlOptions;
use geotrawl_crawl::pipeline::{CrawlRun, CrawlSpec};
use geotrawl_crawl::resources::{ResourceOptions, SharedResources};
use geotrawl_model::{CommitSummary, CrawlBatch, Intent, OutcomeTally};
use geotrawl_simweb::report::ResourceAliases;
use geotrawl_simweb::{GroundTruth, SimWeb};
use geotrawl_store::EmbeddedStore;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Delay of every answer, so that the crawl can learn from one page before it has requested the
/// next hundred.
pub const LATENCY: Duration = Duration::from_millis(2);
/// Concurrent requests. Few, because each goes to another host, and more of them leave less choice
/// to the ranking.
pub const CONCURRENCY: usize = 2;

/// A page, as read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRead {
    pub url: String,
    pub depth: u32,
    pub width: u32,
    /// Services and files first found between this page and the next.
    pub gained: u32,
}

/// Results of a crawl.
#[derive(Debug, Default)]
pub struct CrawlTrace {
    pub pages: Vec<PageRead>,
    /// Kind and address of everything found.
    pub claims: HashSet<(String, String)>,
    /// Numbers of the services and files of the ground truth that were found through any alias.
    pub found: HashSet<usize>,
    /// Depth of each find: one more than that of the page that links to it.
    pub find_depths: Vec<u32>,
    pub requests: u64,
}

struct TraceObserver {
    truth: GroundTruth,
    trace: Mutex<CrawlTrace>,
}

impl CrawlObserver for TraceObserver {
    fn on_fetch_start(&self, _: &str) {}

    fn on_commit(&self, batch: &CrawlBatch, _: &CommitSummary) {
        let doors = ResourceAliases::from_truth(&self.truth);
        let mut trace = self.trace.lock().unwrap_or_else(PoisonError::into_inner);
        for done in &batch.done {
            trace.requests += u64::from(done.outcome.requests);
            if done.item.intent == Intent::Page
                && done.outcome.tally() != OutcomeTally::Skipped
                && !done.outcome.retry
            {
                let (url, depth, width) = (done.item.url.clone(), done.item.depth, done.item.bearing.width);
                trace.pages.push(PageRead { url, depth, width, gained: 0 });
            }
            for found in &done.found {
                let resource = &found.resource;
                trace.claims.insert((resource.kind.clone(), resource.url.clone()));
                let Some(number) = doors.resource_index(&resource.kind, &resource.url) else { continue };
                if self.truth.resources[number].profile_of.is_none() && trace.found.insert(number) {
                    trace.find_depths.push(done.item.depth);
                    if let Some(last) = trace.pages.last_mut() {
                        last.gained += 1;
                    }
                }
            }
        }
    }

    fn on_pulse(&self, _: usize, _: usize) {}
}

/// Crawls `web` from `seeds` into a new store.
pub fn run(web: &SimWeb, seeds: Vec<String>, options: CrawlOptions) -> Result<CrawlTrace> {
    run_with(web, seeds, options, CONCURRENCY)
}

/// Crawls with this number of concurrent requests.
pub fn run_with(
    web: &SimWeb,
    seeds: Vec<String>,
    options: CrawlOptions,
    concurrency: usize,
) -> Result<CrawlTrace> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let server = runtime.block_on(async {
        let listener = geotrawl_simweb::listen(([127, 0, 0, 1], 0).into())?;
        web.serve(listener, None)
    })?;
    let mut fetch = FetchConfig { concurrency, ..FetchConfig::default() };
    fetch.set_delay(Duration::ZERO);
    // A delay of twice the response time would let other hosts decide the order, which is
    // politeness, not ranking.
    fetch.politeness.adaptive_factor = 0.0;
    fetch.timeouts.total = Duration::from_secs(12);
    fetch.resolve.push(format!("*={}", server.address()).parse().map_err(anyhow::Error::msg)?);
    let data = tempfile::tempdir()?;
    let store = Arc::new(EmbeddedStore::open(data.path())?);
    let notes = Arc::new(TraceObserver { truth: web.truth().clone(), trace: Mutex::default() });
    let shared = ResourceOptions { cpu_threads: 1, ..ResourceOptions::default() };
    let resources = SharedResources::start(&fetch, shared)?;
    let spec = CrawlSpec { name: "experiment".into(), seeds, lists: Vec::new(), options };
    // The scripts are our own, so they need no separate process.
    let crawl = CrawlRun::builder(store, &resources, spec)
        .with_observer(notes.clone())
        .with_analyzer(ScriptAnalyzer::Here);
    crawl.start()?.wait()?;
    runtime.block_on(server.stop());
    let mut trace = notes.trace.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(std::mem::take(&mut *trace))
}
