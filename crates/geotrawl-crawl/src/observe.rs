//! What a crawl tells those who watch it.

use geotrawl_model::{Batch, Committed};
use std::time::Duration;

/// Someone who watches. Called from the crawl's own threads: be quick.
pub trait Observer: Send + Sync {
    /// The number of the task in the web, if it has one.
    fn task(&self) -> Option<i64> {
        None
    }
    /// A request to this URL begins.
    fn fetching(&self, url: &str);
    /// A request is answered (status, or 0) or has failed (class); its body may still be on its way.
    fn fetched(&self, _url: &str, _took: Duration, _status: u16, _failure: Option<&'static str>) {}
    /// A batch is safe on disk.
    fn committed(&self, batch: &Batch, committed: &Committed);
    /// How many requests are in flight and how many hosts are active.
    fn pulse(&self, in_flight: usize, hosts: usize);
}

/// Nobody watches.
pub struct Nobody;

impl Observer for Nobody {
    fn fetching(&self, _: &str) {}
    fn committed(&self, _: &Batch, _: &Committed) {}
    fn pulse(&self, _: usize, _: usize) {}
}
