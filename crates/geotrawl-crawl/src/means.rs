//! What a crawl works with, and several crawls at once share: the guarded client (so that pauses hold for all of
//! them together), the runtime, the parsing threads, memory for bodies, and the requests under way.

use crate::body::Lanes;
use crate::cpu::CpuPool;
use crate::fetch::{Client, FetchConfig};
use crate::loans::Loans;
use crate::pipeline::CrawlError;
use crate::writer::Finished;
use crossbeam_channel::Sender;
use geotrawl_store::{RobotsRecord, RunId};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::runtime::{Handle, Runtime};

/// What crawls share.
pub struct Means {
    pub client: Client,
    pub runtime: Handle,
    pub cpu: CpuPool,
    pub lanes: Lanes,
    pub share: Share,
    pub robots: Arc<RobotsRelay>,
    /// Hosts on loan, where the store is shared.
    pub loans: Arc<Loans>,
    /// How long a crawl that is stopped waits for what is under way; the rest is asked for again later.
    pub patience: Duration,
}

impl Means {
    /// The usual means, with so many threads that parse (0: one per core).
    pub fn new(fetch: &FetchConfig, cpu_threads: usize, runtime: Handle) -> Result<Self, CrawlError> {
        let robots = Arc::new(RobotsRelay::default());
        let relay = Arc::clone(&robots);
        let loans = Arc::new(Loans::default());
        let client = Client::builder(fetch.clone())
            .loans(Arc::clone(&loans))
            .on_robots(Box::new(move |record| relay.pass(record)))
            .build()
            .map_err(|error| CrawlError::Start(error.to_string()))?;
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        let threads = if cpu_threads == 0 { cores } else { cpu_threads };
        Ok(Self {
            client,
            runtime,
            cpu: CpuPool::new(threads).map_err(|error| CrawlError::Start(error.to_string()))?,
            lanes: Lanes::default(),
            share: Share::of(fetch.concurrency),
            robots,
            loans,
            patience: Duration::from_secs(10),
        })
    }

    /// With another patience.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }
}

/// The runtime that does all I/O.
pub fn io_runtime() -> Result<Runtime, CrawlError> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("io")
        .enable_all()
        .build()
        .map_err(|error| CrawlError::Start(error.to_string()))
}

/// Brings what robots.txt files say from the client to the writer of one of the crawls: they are kept with the
/// host, whoever asked.
#[derive(Default)]
pub struct RobotsRelay {
    takers: Mutex<Vec<(RunId, Sender<Finished>)>>,
}

/// A crawl's place in the relay; given back when dropped.
pub struct Relayed {
    relay: Arc<RobotsRelay>,
    run: RunId,
}

impl RobotsRelay {
    /// Takes a crawl's writer in.
    pub(crate) fn join(self: &Arc<Self>, run: RunId, writer: Sender<Finished>) -> Relayed {
        self.takers.lock().unwrap_or_else(PoisonError::into_inner).push((run, writer));
        Relayed { relay: Arc::clone(self), run }
    }

    fn pass(&self, record: RobotsRecord) {
        let takers = self.takers.lock().unwrap_or_else(PoisonError::into_inner);
        let taker = takers.first().map(|(_, writer)| writer.clone());
        drop(takers);
        if let Some(taker) = taker {
            let _ = taker.send(Finished::Robots(record));
        }
    }
}

impl Drop for Relayed {
    fn drop(&mut self) {
        let mut takers = self.relay.takers.lock().unwrap_or_else(PoisonError::into_inner);
        takers.retain(|(run, _)| *run != self.run);
    }
}

/// Requests under way, shared fairly: each of n crawls may have its n-th part, and whatever the others leave.
pub struct Share {
    total: usize,
    members: Arc<Mutex<Vec<Weak<AtomicUsize>>>>,
}

/// A crawl's part.
pub struct Part {
    total: usize,
    own: Arc<AtomicUsize>,
    members: Arc<Mutex<Vec<Weak<AtomicUsize>>>>,
}

impl Share {
    /// So many in all.
    pub fn of(total: usize) -> Self {
        Self { total: total.max(1), members: Arc::default() }
    }

    /// Takes part until the part is dropped.
    pub fn join(&self) -> Part {
        let own = Arc::new(AtomicUsize::new(0));
        self.members.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&own));
        Part { total: self.total, own, members: Arc::clone(&self.members) }
    }
}

impl Part {
    /// How many requests the crawl may have under way now, given those it has.
    pub fn allowance(&self, in_flight: usize) -> usize {
        self.report(in_flight);
        let mut members = self.members.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut crawls, mut all) = (0, 0);
        members.retain(|member| {
            let Some(count) = member.upgrade() else { return false };
            crawls += 1;
            all += count.load(Ordering::Relaxed);
            true
        });
        let others = all.saturating_sub(in_flight);
        (self.total / crawls.max(1)).max(self.total.saturating_sub(others)).max(1)
    }

    /// Tells how many requests the crawl has under way.
    pub fn report(&self, in_flight: usize) {
        self.own.store(in_flight, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crawl_has_its_part_and_what_others_leave() {
        let share = Share::of(100);
        let first = share.join();
        assert_eq!(first.allowance(100), 100, "alone it may have all");
        let second = share.join();
        assert_eq!(
            second.allowance(0),
            50,
            "a part of it for the newcomer, also before the first gives it back"
        );
        second.report(50);
        assert_eq!(first.allowance(100), 50);
        second.report(10);
        assert_eq!(first.allowance(50), 90, "what the other leaves");
        drop(second);
        assert_eq!(first.allowance(50), 100);
    }
}
