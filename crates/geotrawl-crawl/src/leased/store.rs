//! A store wrapper that retries while the database is unavailable.
//!
//! Every request of a crawl to its store goes through [`RetryingStore::retry`]. An outage loses
//! nothing: finished batches wait in the commit stage, and the scheduler dispatches nothing. A
//! crawl that is stopped meanwhile waits for the database only for a short time. An embedded store
//! is never unavailable.

use super::registry::LeaseRegistry;
use crate::pipeline::CrawlFlags;
use geotrawl_model::store::{CrawlStore, Result};
use geotrawl_model::{RunId, TaskState};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Wait before the first retry, doubled for each further one ...
const FIRST_WAIT: Duration = Duration::from_millis(100);
/// ... up to this.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// How often a wait checks whether the crawl was stopped.
const STOP_CHECK: Duration = Duration::from_millis(50);
/// How long a stopped crawl waits for its finished work to be committed.
const GRACE: Duration = Duration::from_secs(10);

/// Wraps a store and retries while the database is unavailable.
pub struct RetryingStore {
    store: Arc<dyn CrawlStore>,
    leases: Arc<LeaseRegistry>,
    flags: Arc<CrawlFlags>,
}

impl RetryingStore {
    /// Wraps `store`. Outages are recorded in `leases`; `flags` says whether the crawl was stopped.
    pub fn new(store: Arc<dyn CrawlStore>, leases: Arc<LeaseRegistry>, flags: Arc<CrawlFlags>) -> Self {
        Self { store, leases, flags }
    }

    /// Runs `request` until the database answers.
    pub fn retry<T>(&self, request: impl FnMut(&dyn CrawlStore) -> Result<T>) -> Result<T> {
        self.retry_while(|| true, request)
    }

    /// Like [`Self::retry`], but retries only while `may_retry` returns `true`: a request that has
    /// already passed rows to its caller must not be repeated.
    pub fn retry_while<T>(
        &self,
        may_retry: impl Fn() -> bool,
        mut request: impl FnMut(&dyn CrawlStore) -> Result<T>,
    ) -> Result<T> {
        let mut wait = FIRST_WAIT;
        let mut since: Option<Instant> = None;
        let mut stop_by: Option<Instant> = None;
        loop {
            let outcome = request(&*self.store);
            self.leases.note_outcome(&outcome);
            match outcome {
                Err(error) if error.is_unavailable() && may_retry() => {
                    if since.is_none() {
                        tracing::warn!("{error}; retrying until the database answers");
                    }
                    since.get_or_insert_with(Instant::now);
                    // Jitter, so that the workers do not all return at once to a database that has just started.
                    let until = Instant::now() + wait.mul_f64(0.5 + fastrand::f64() / 2.0);
                    while Instant::now() < until {
                        if self.flags.stop.load(Ordering::Acquire) {
                            let by = *stop_by.get_or_insert_with(|| Instant::now() + GRACE);
                            if Instant::now() >= by {
                                return Err(error);
                            }
                        }
                        std::thread::sleep(STOP_CHECK.min(wait));
                    }
                    wait = (wait * 2).min(LONGEST_WAIT);
                }
                outcome => {
                    if let (Some(since), Ok(_)) = (since, &outcome) {
                        tracing::info!("the database is back after {:.1} s", since.elapsed().as_secs_f64());
                    }
                    return outcome;
                }
            }
        }
    }

    /// Returns the store itself, for requests that must not be repeated.
    pub(super) fn without_retries(&self) -> &Arc<dyn CrawlStore> {
        &self.store
    }

    /// Ends the run or pauses it; returns `false` when another process has done so or continues it.
    pub fn end_run(&self, run: RunId, interrupted: bool) -> Result<bool> {
        let leaves = self.flags.leave.load(Ordering::Acquire);
        if interrupted && (leaves || self.retry(|store| store.is_leased_elsewhere(run))?) {
            return Ok(false);
        }
        let state = if interrupted { TaskState::Paused } else { TaskState::Finished };
        self.retry(|store| store.end_run(run, state, jiff::Timestamp::now()))
    }
}
