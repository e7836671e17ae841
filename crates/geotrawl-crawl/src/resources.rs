//! Resources shared by all crawls of a process: the guarded client (so that crawl delays apply
//! across crawls), the runtime, the parsing threads, memory for bodies, and the request budget.

use crate::body::BodyPool;
use crate::cpu::CpuPool;
use crate::fetch::{FetchConfig, GuardedClient};
use crate::leased::LeaseRegistry;
use crate::pipeline::{CrawlError, FinishedWork};
use crate::registry::Registry;
use crossbeam_channel::Sender;
use geotrawl_model::{RobotsRecord, RunId};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::runtime::{Handle, Runtime};

/// How long requests and deliveries in flight may take when the resources are dropped.
const RUNTIME_GRACE: Duration = Duration::from_secs(2);

/// Shared resources. Tasks on the runtime must not hold them, because dropping them shuts it down.
pub struct SharedResources {
    pub client: GuardedClient,
    pub cpu: CpuPool,
    pub lanes: BodyPool,
    /// Budget of concurrent requests.
    pub requests: RequestBudget,
    pub robots: Arc<RobotsRelay>,
    /// Leases of hosts on a shared store, and the figures of the worker.
    pub leases: Arc<LeaseRegistry>,
    pub fetch: FetchConfig,
    /// How long a stopped crawl waits for requests in flight; the others are requested again later.
    pub shutdown_grace: Duration,
    /// Connectors and vocabularies in use.
    pub registry: Registry,
    runtime: Option<Runtime>,
    handle: Handle,
}

/// Options of [`SharedResources`].
pub struct ResourceOptions {
    /// Parsing threads; 0 for one per core.
    pub cpu_threads: usize,
    /// How long a stopped crawl waits for requests in flight.
    pub shutdown_grace: Duration,
    /// Connectors and vocabularies in use.
    pub registry: Registry,
}

impl Default for ResourceOptions {
    fn default() -> Self {
        Self { cpu_threads: 0, shutdown_grace: Duration::from_secs(10), registry: Registry::default() }
    }
}

impl SharedResources {
    /// Starts the client, the runtime and the parsing threads.
    pub fn start(fetch: &FetchConfig, options: ResourceOptions) -> Result<Arc<Self>, CrawlError> {
        let ResourceOptions { cpu_threads, shutdown_grace, registry } = options;
        let runtime = build_io_runtime()?;
        let handle = runtime.handle().clone();
        let _inside = handle.enter();
        let robots = Arc::new(RobotsRelay::default());
        let relay = Arc::clone(&robots);
        let leases = Arc::new(LeaseRegistry::default());
        let client = GuardedClient::builder(fetch.clone())
            .with_leases(Arc::clone(&leases))
            .on_robots(Box::new(move |record| relay.forward_record(record)))
            .build()
            .map_err(|error| CrawlError::Start(error.to_string()))?;
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        let threads = if cpu_threads == 0 { cores } else { cpu_threads };
        Ok(Arc::new(Self {
            client,
            cpu: CpuPool::new(threads).map_err(CrawlError::from_thread_error)?,
            lanes: BodyPool::default(),
            requests: RequestBudget::new(fetch.concurrency),
            robots,
            leases,
            fetch: fetch.clone(),
            shutdown_grace,
            registry,
            runtime: Some(runtime),
            handle: handle.clone(),
        }))
    }

    /// Returns the I/O runtime.
    pub fn runtime(&self) -> &Handle {
        &self.handle
    }

    /// Returns the maximum number of concurrent requests.
    pub fn concurrency(&self) -> usize {
        self.fetch.concurrency.max(1)
    }
}

impl Drop for SharedResources {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(RUNTIME_GRACE);
        }
    }
}

/// Builds the I/O runtime.
pub fn build_io_runtime() -> Result<Runtime, CrawlError> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("io")
        .enable_all()
        .build()
        .map_err(|error| CrawlError::Start(error.to_string()))
}

/// Passes robots.txt records from the client to the commit stage of one of the crawls. They are
/// stored with the host, whichever crawl requested it.
#[derive(Default)]
pub struct RobotsRelay {
    takers: Mutex<Vec<(RunId, Sender<FinishedWork>)>>,
}

/// A crawl's subscription to the relay, until it is dropped.
pub struct RobotsSubscription {
    relay: Arc<RobotsRelay>,
    run: RunId,
}

impl RobotsRelay {
    /// Adds the commit stage of a crawl.
    pub(crate) fn subscribe(
        self: &Arc<Self>,
        run: RunId,
        commits: Sender<FinishedWork>,
    ) -> RobotsSubscription {
        self.takers.lock().unwrap_or_else(PoisonError::into_inner).push((run, commits));
        RobotsSubscription { relay: Arc::clone(self), run }
    }

    fn forward_record(&self, record: RobotsRecord) {
        let takers = self.takers.lock().unwrap_or_else(PoisonError::into_inner);
        // Cloned, so that the lock is not held while sending, which may block.
        let taker = takers.first().map(|(_, writer)| writer.clone());
        drop(takers);
        if let Some(taker) = taker {
            let _ = taker.send(FinishedWork::Robots(record));
        }
    }
}

impl Drop for RobotsSubscription {
    fn drop(&mut self) {
        let mut takers = self.relay.takers.lock().unwrap_or_else(PoisonError::into_inner);
        takers.retain(|(run, _)| *run != self.run);
    }
}

/// Shares concurrent requests fairly: each of n crawls may use one n-th, and whatever the others
/// leave.
pub struct RequestBudget {
    total: usize,
    members: Arc<Mutex<Vec<Weak<AtomicUsize>>>>,
}

/// The share of a crawl.
pub struct CrawlShare {
    total: usize,
    own: Arc<AtomicUsize>,
    members: Arc<Mutex<Vec<Weak<AtomicUsize>>>>,
}

impl RequestBudget {
    /// Creates a budget of `total` concurrent requests.
    pub fn new(total: usize) -> Self {
        Self { total: total.max(1), members: Arc::default() }
    }

    /// Adds a crawl until its share is dropped.
    pub fn add_crawl(&self) -> CrawlShare {
        let own = Arc::new(AtomicUsize::new(0));
        self.members.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&own));
        CrawlShare { total: self.total, own, members: Arc::clone(&self.members) }
    }
}

impl CrawlShare {
    /// Returns how many requests the crawl may have in flight now, given how many it has.
    pub fn allowance(&self, in_flight: usize) -> usize {
        self.report_in_flight(in_flight);
        let mut members = self.members.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut crawls, mut all) = (0, 0);
        members.retain(|member| {
            let Some(count) = member.upgrade() else { return false };
            crawls += 1;
            all += count.load(Ordering::Relaxed);
            true
        });
        let others = all.saturating_sub(in_flight);
        // At least one, so that no crawl stalls.
        (self.total / crawls.max(1)).max(self.total.saturating_sub(others)).max(1)
    }

    /// Reports how many requests the crawl has in flight.
    pub fn report_in_flight(&self, in_flight: usize) {
        self.own.store(in_flight, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crawl_has_its_part_and_what_others_leave() {
        let share = RequestBudget::new(100);
        let first = share.add_crawl();
        assert_eq!(first.allowance(100), 100, "alone it may have all");
        let second = share.add_crawl();
        assert_eq!(
            second.allowance(0),
            50,
            "a part of it for the newcomer, also before the first gives it back"
        );
        second.report_in_flight(50);
        assert_eq!(first.allowance(100), 50);
        second.report_in_flight(10);
        assert_eq!(first.allowance(50), 90, "what the other leaves");
        drop(second);
        assert_eq!(first.allowance(50), 100);
    }
}
