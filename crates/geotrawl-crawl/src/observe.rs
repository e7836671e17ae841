//! Events of a crawl for observers.

use geotrawl_model::{CommitSummary, CrawlBatch};
use std::time::Duration;

/// Observes a crawl. Called from the crawl's own threads, so implementations must return quickly.
pub trait CrawlObserver: Send + Sync {
    /// Returns the number of the task in the web interface, if it has one.
    fn task_number(&self) -> Option<i64> {
        None
    }
    /// Called when a request to this URL starts.
    fn on_fetch_start(&self, url: &str);
    /// Called when a request is answered (status, or 0) or fails (class); the body may still be in
    /// transit.
    fn on_fetch_end(&self, _url: &str, _took: Duration, _status: u16, _failure: Option<&'static str>) {}
    /// Called when a batch is on disk.
    fn on_commit(&self, batch: &CrawlBatch, committed: &CommitSummary);
    /// Called with the number of requests in flight and of active hosts.
    fn on_pulse(&self, in_flight: usize, hosts: usize);
}

/// An observer that ignores everything.
pub struct NoObserver;

impl CrawlObserver for NoObserver {
    fn on_fetch_start(&self, _: &str) {}
    fn on_commit(&self, _: &CrawlBatch, _: &CommitSummary) {}
    fn on_pulse(&self, _: usize, _: usize) {}
}
