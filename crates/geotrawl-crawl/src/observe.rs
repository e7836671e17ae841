//! What a crawl tells those who watch it.

use geotrawl_model::{CommitSummary, CrawlBatch};
use std::time::Duration;

/// Someone who watches. Called from the crawl's own threads: be quick.
pub trait CrawlObserver: Send + Sync {
    /// The number of the task in the web, if it has one.
    fn task_number(&self) -> Option<i64> {
        None
    }
    /// A request to this URL begins.
    fn on_fetch_start(&self, url: &str);
    /// A request is answered (status, or 0) or has failed (class); its body may still be on its way.
    fn on_fetch_end(&self, _url: &str, _took: Duration, _status: u16, _failure: Option<&'static str>) {}
    /// A batch is safe on disk.
    fn on_commit(&self, batch: &CrawlBatch, committed: &CommitSummary);
    /// How many requests are in flight and how many hosts are active.
    fn on_pulse(&self, in_flight: usize, hosts: usize);
}

/// Nobody watches.
pub struct NoObserver;

impl CrawlObserver for NoObserver {
    fn on_fetch_start(&self, _: &str) {}
    fn on_commit(&self, _: &CrawlBatch, _: &CommitSummary) {}
    fn on_pulse(&self, _: usize, _: usize) {}
}
