//! The monitoring loop: takes due checks from the store, runs them, and records the results in
//! batches.
//!
//! Each host gets one check at a time and a limited number per day, and the guarded client applies
//! the crawl delay within a check. All state that must survive is in the store, and checks in
//! flight are leased: a process that dies loses only time, and a backlog is worked off at the pace
//! of its hosts.

mod flight;
mod progress;
#[cfg(test)]
mod tests;

pub use progress::{MonitorCounts, MonitorProgress};

use flight::ChecksInFlight;
use geotrawl_model::StoreError;
use geotrawl_model::monitoring::{CheckResult, DueCheck, DueCheckQuery, RecordedCheck};
use geotrawl_model::schedule::ScheduleLimits;
use geotrawl_model::store::MonitoringStore;
use jiff::{SignedDuration, Timestamp};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

/// A batch is committed when it is this old ...
const OLDEST: Duration = Duration::from_millis(250);
/// ... or holds this many checks.
const MOST_RESULTS: usize = 64;
/// With more uncommitted results than this, no more checks are taken, because the store has
/// problems.
const MOST_WAITING: usize = 1024;
/// Number of checks of one host to take at once, to be run one after the other.
const PER_HOST: usize = 4;
/// The schedule is read at least this often.
const LOOK: Duration = Duration::from_secs(30);
/// How often new records are scheduled.
const ENROL: Duration = Duration::from_secs(5);
/// Attempts to commit the last batch at shutdown.
const LAST_TRIES: u32 = 3;

/// Runs one check.
pub trait RecordChecker: Send + Sync {
    /// Checks whether the resource works. A failure is a result like any other.
    fn check_due<'a>(&'a self, due: &'a DueCheck) -> Pin<Box<dyn Future<Output = CheckResult> + Send + 'a>>;
}

/// Returns the current time.
pub type MonitorClock = dyn Fn() -> Timestamp + Send + Sync;

/// Called after every recorded batch.
pub type CheckListener = dyn Fn(&[RecordedCheck]) + Send + Sync;

/// Settings of the monitoring loop.
#[derive(Debug, Clone)]
pub struct MonitorSettings {
    /// Bounds of the time between two checks of a record.
    pub limits: ScheduleLimits,
    /// Maximum number of concurrent checks, each of a different host.
    pub concurrency: usize,
    /// Maximum number of checks per host and day.
    pub per_host_day: u32,
    /// New records are first checked within this time.
    pub spread: SignedDuration,
    /// Lease of a check in flight; renewed while it runs.
    pub lease: SignedDuration,
    /// How long checks in flight may take at shutdown.
    pub grace: Duration,
}

impl Default for MonitorSettings {
    fn default() -> Self {
        Self {
            limits: ScheduleLimits::default(),
            concurrency: 32,
            per_host_day: 500,
            spread: SignedDuration::from_hours(24),
            lease: SignedDuration::from_mins(15),
            grace: Duration::from_secs(20),
        }
    }
}

/// The monitoring loop.
pub struct Monitor {
    store: Arc<dyn MonitoringStore>,
    checker: Arc<dyn RecordChecker>,
    settings: MonitorSettings,
    clock: Arc<MonitorClock>,
    progress: Arc<MonitorProgress>,
    wake: Arc<Notify>,
    watcher: Option<Arc<CheckListener>>,
}

impl Monitor {
    /// Creates a loop over this store.
    pub fn new(
        store: Arc<dyn MonitoringStore>,
        checker: Arc<dyn RecordChecker>,
        settings: MonitorSettings,
        clock: Arc<MonitorClock>,
    ) -> Self {
        let (progress, wake) = (Arc::default(), Arc::default());
        Self { store, checker, settings, clock, progress, wake, watcher: None }
    }

    /// Sets a listener that is called after every recorded batch.
    #[must_use]
    pub fn with_listener(mut self, watcher: Arc<CheckListener>) -> Self {
        self.watcher = Some(watcher);
        self
    }

    /// Returns the counters.
    pub fn progress(&self) -> Arc<MonitorProgress> {
        self.progress.clone()
    }

    /// Returns a signal that makes the loop read the schedule at once, because a person requested a
    /// check.
    pub fn wake_signal(&self) -> Arc<Notify> {
        self.wake.clone()
    }

    /// Runs every due check; returns once none is left that its host allows today.
    pub async fn run_once(&self) -> Result<MonitorCounts, StoreError> {
        let (_never, stop) = watch::channel(false);
        self.run_loop(stop, true).await?;
        Ok(self.progress.counts())
    }

    /// Runs until stopped (`true`, or the sender is dropped). Checks in flight may then end within
    /// [`MonitorSettings::grace`]; the others are released, and every result is recorded.
    pub async fn run(&self, stop: watch::Receiver<bool>) -> Result<(), StoreError> {
        self.run_loop(stop, false).await
    }

    async fn run_loop(&self, mut stop: watch::Receiver<bool>, once: bool) -> Result<(), StoreError> {
        let mut flight = ChecksInFlight::new(
            self.checker.clone(),
            self.settings.concurrency.max(1),
            self.progress.clone(),
        );
        let mut batch = ResultBatch::default();
        let mut look_at = Instant::now();
        let mut enrol_at = Instant::now();
        let renew_every = Duration::from_secs((self.settings.lease.as_secs() / 3).max(1) as u64);
        let mut renew_at = Instant::now() + renew_every;
        while !*stop.borrow() {
            let now = Instant::now();
            if now >= enrol_at {
                self.enrol().await;
                enrol_at = now + ENROL;
            }
            if now >= renew_at {
                self.renew(flight.leased_records()).await;
                renew_at = now + renew_every;
            }
            if batch.ready(now) {
                self.commit(&mut batch).await;
            }
            if now >= look_at && flight.free_slots() > 0 && batch.results.len() < MOST_WAITING {
                let (taken, wait) = self.take_due(&flight).await;
                let found = !taken.is_empty();
                flight.add_checks(taken);
                look_at = Instant::now() + wait;
                if once && !found && flight.is_empty() {
                    break;
                }
            }
            let mut next = enrol_at.min(renew_at);
            if flight.free_slots() > 0 {
                next = next.min(look_at);
            }
            next = batch.due().map_or(next, |due| next.min(due));
            tokio::select! {
                ended = flight.next_ended(), if !flight.is_empty() => {
                    batch.extend(ended.result);
                    // A free host may have more due checks.
                    if ended.host_is_free {
                        look_at = Instant::now();
                    }
                }
                () = self.wake.notified() => look_at = Instant::now(),
                () = tokio::time::sleep_until(next) => {}
                changed = stop.changed() => if changed.is_err() { break },
            }
        }
        self.end(flight, batch).await
    }

    /// Waits for checks in flight, releases the others, and records all results.
    async fn end(&self, mut flight: ChecksInFlight, mut batch: ResultBatch) -> Result<(), StoreError> {
        let mut unmade = flight.drop_waiting();
        let deadline = Instant::now() + self.settings.grace;
        while !flight.is_empty() {
            match tokio::time::timeout_at(deadline, flight.next_ended()).await {
                Ok(ended) => batch.extend(ended.result),
                Err(_elapsed) => break,
            }
        }
        unmade.extend(flight.abort_all());
        let mut result = Ok(());
        for _ in 0..LAST_TRIES {
            result = self.record_batch(&mut batch).await;
            if result.is_ok() {
                break;
            }
        }
        let released = self.blocking(move |store| store.release_check_leases(&unmade)).await;
        result.and(released)
    }

    async fn enrol(&self) {
        let (now, over) = ((self.clock)(), self.settings.spread);
        match self.blocking(move |store| store.enrol_records(now, over)).await {
            Ok(new) => self.progress.add_enrolled(new),
            Err(error) => self.report_trouble(&error),
        }
    }

    async fn renew(&self, ids: Vec<String>) {
        let until = self.lease_end();
        if ids.is_empty() {
            return;
        }
        if let Err(error) = self.blocking(move |store| store.renew_check_leases(&ids, until)).await {
            self.report_trouble(&error);
        }
    }

    /// Takes due checks; returns when to look again if no host becomes free before.
    async fn take_due(&self, flight: &ChecksInFlight) -> (Vec<DueCheck>, Duration) {
        let take = DueCheckQuery {
            now: (self.clock)(),
            limit: flight.free_slots() * PER_HOST,
            hosts: flight.free_slots(),
            per_host: PER_HOST,
            per_host_day: self.settings.per_host_day,
            until: self.lease_end(),
        };
        let (now, limit) = (take.now, flight.free_slots());
        let hosts = flight.busy_hosts();
        let looked = self
            .blocking(move |store| {
                let taken = store.take_due_checks(&take, &|host| hosts.contains(host))?;
                let next = if taken.len() < limit { store.next_due_time()? } else { None };
                Ok((taken, next))
            })
            .await;
        match looked {
            Ok((taken, next)) => {
                self.progress.add_taken(&taken, now);
                let wait = next.map_or(LOOK, |next| {
                    Duration::try_from(next.duration_since(now)).unwrap_or_default().clamp(OLDEST, LOOK)
                });
                // Checks that are already due belong to busy hosts, and are taken when these become
                // free.
                let wait = if next.is_some_and(|next| next <= now) { LOOK } else { wait };
                (taken, wait)
            }
            Err(error) => {
                self.report_trouble(&error);
                (Vec::new(), LOOK)
            }
        }
    }

    /// Commits a batch; if the store fails, the next attempt is delayed more each time.
    async fn commit(&self, batch: &mut ResultBatch) {
        if let Err(error) = self.record_batch(batch).await {
            self.report_trouble(&error);
            batch.put_off();
        }
    }

    async fn record_batch(&self, batch: &mut ResultBatch) -> Result<(), StoreError> {
        if batch.results.is_empty() {
            return Ok(());
        }
        let results = Arc::new(std::mem::take(&mut batch.results));
        let (given, limits, now) = (results.clone(), self.settings.limits.clone(), (self.clock)());
        match self.blocking(move |store| store.record_checks(&given, &limits, now)).await {
            Ok(recorded) => {
                batch.cleared();
                self.progress.add_recorded(&recorded);
                if let Some(watcher) = &self.watcher {
                    watcher(&recorded);
                }
                Ok(())
            }
            Err(error) => {
                batch.results = Arc::try_unwrap(results).unwrap_or_else(|shared| shared.to_vec());
                Err(error)
            }
        }
    }

    fn lease_end(&self) -> Timestamp {
        (self.clock)().checked_add(self.settings.lease).unwrap_or(Timestamp::MAX)
    }

    fn report_trouble(&self, error: &StoreError) {
        self.progress.add_trouble();
        tracing::warn!(%error, "the monitor could not access the store and will retry");
    }

    /// Runs store access on a blocking thread.
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn MonitoringStore) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = self.store.clone();
        tokio::task::spawn_blocking(move || work(&*store)).await.unwrap_or_else(|error| {
            Err(StoreError::Engine { doing: "monitoring".to_owned(), cause: error.to_string() })
        })
    }
}

/// Results that are not recorded yet.
#[derive(Default)]
struct ResultBatch {
    results: Vec<CheckResult>,
    opened: Option<Instant>,
    /// Not before this moment, because the store failed.
    held: Option<Instant>,
    failures: u32,
}

impl ResultBatch {
    fn extend(&mut self, result: Option<CheckResult>) {
        if let Some(result) = result {
            self.results.push(result);
            self.opened.get_or_insert_with(Instant::now);
        }
    }

    fn due(&self) -> Option<Instant> {
        let due = match self.results.len() {
            MOST_RESULTS.. => self.opened,
            _ => self.opened.map(|opened| opened + OLDEST),
        };
        self.held.or(due).filter(|_| !self.results.is_empty())
    }

    fn ready(&self, now: Instant) -> bool {
        self.due().is_some_and(|due| now >= due)
    }

    fn cleared(&mut self) {
        (self.opened, self.held, self.failures) = (None, None, 0);
    }

    fn put_off(&mut self) {
        self.failures = (self.failures + 1).min(6);
        self.held = Some(Instant::now() + Duration::from_secs(1 << self.failures));
    }
}
