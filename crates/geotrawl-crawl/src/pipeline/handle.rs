//! Handle of a running crawl, and how to stop it.

use super::{CrawlError, CrawlSummary};
use crate::frontier::SchedulerSignal;
use crossbeam_channel::Sender;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Flags shared by the threads of a crawl.
#[derive(Default)]
pub struct CrawlFlags {
    /// The scheduler has nothing to do before the next commit.
    pub(crate) hungry: AtomicBool,
    /// The crawl should stop.
    pub(crate) stop: AtomicBool,
    /// The run continues in another process.
    pub(crate) leave: AtomicBool,
    /// Another process has ended the run.
    pub(crate) closed: AtomicBool,
}

/// Stops a crawl from another thread.
#[derive(Clone)]
pub struct CrawlStopper {
    pub(crate) signals: Sender<SchedulerSignal>,
    pub(crate) flags: Arc<CrawlFlags>,
}

impl CrawlStopper {
    /// Stops the crawl: requests in flight are finished and committed.
    pub fn stop(&self) {
        self.flags.stop.store(true, Ordering::Release);
        // Only wakes the scheduler; if the queue is full, it is awake anyway.
        let _ = self.signals.try_send(SchedulerSignal::Stop);
    }

    /// Stops the crawl in this process and releases all leases, so that other processes continue
    /// the run.
    pub fn leave_run(&self) {
        self.flags.leave.store(true, Ordering::Release);
        self.stop();
    }

    /// Stops the crawl because another process has ended its run.
    pub(crate) fn close_run(&self) {
        self.flags.closed.store(true, Ordering::Release);
        self.stop();
    }
}

/// A crawl that runs on its own threads.
pub struct CrawlHandle {
    pub(super) stopper: CrawlStopper,
    pub(super) thread: JoinHandle<Result<CrawlSummary, CrawlError>>,
}

impl CrawlHandle {
    /// Returns a handle that stops the crawl.
    pub fn stopper(&self) -> CrawlStopper {
        self.stopper.clone()
    }

    /// Returns whether the crawl has ended.
    pub fn is_over(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits for the end of the crawl. Panics if the crawl panicked.
    pub fn wait(self) -> Result<CrawlSummary, CrawlError> {
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
