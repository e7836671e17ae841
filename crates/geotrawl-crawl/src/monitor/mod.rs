//! The loop that keeps the catalogue true: takes what is due from the store, has it checked, and gives the results
//! back in batches.
//!
//! Hosts are never hurried: one check at a time for each of them, a bounded number a day, and the guarded client's own
//! politeness within a check. Everything that must survive is in the store: what is under way is leased, so a process
//! that dies loses nothing but time, and a backlog after a stop is drained at the pace of its hosts.

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

/// A batch is committed when it is this old, ...
const OLDEST: Duration = Duration::from_millis(250);
/// ... or holds this many checks.
const MOST_RESULTS: usize = 64;
/// More uncommitted results than this, and nothing new is taken: the store is in trouble.
const MOST_WAITING: usize = 1024;
/// Checks of one host taken at once, to be made one after the other.
const PER_HOST: usize = 4;
/// The schedule is looked at after this time at the latest.
const LOOK: Duration = Duration::from_secs(30);
/// New records get their places this often.
const ENROL: Duration = Duration::from_secs(5);
/// Times a batch is tried when the end is near.
const LAST_TRIES: u32 = 3;

/// Makes one check.
pub trait RecordChecker: Send + Sync {
    /// Asks the resource whether it works. A failure is a result like any other.
    fn check_due<'a>(&'a self, due: &'a DueCheck) -> Pin<Box<dyn Future<Output = CheckResult> + Send + 'a>>;
}

/// What time it is.
pub type MonitorClock = dyn Fn() -> Timestamp + Send + Sync;

/// Who hears of every batch that was kept.
pub type CheckListener = dyn Fn(&[RecordedCheck]) + Send + Sync;

/// How the loop works.
#[derive(Debug, Clone)]
pub struct MonitorSettings {
    /// Bounds of the time between two checks of one record.
    pub limits: ScheduleLimits,
    /// Checks at once, each of another host.
    pub concurrency: usize,
    /// Checks of one host on one day.
    pub per_host_day: u32,
    /// New records are checked within this time.
    pub spread: SignedDuration,
    /// So long nobody else takes what is under way; renewed while it is.
    pub lease: SignedDuration,
    /// So long checks under way may take when the loop is told to stop.
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

/// The loop.
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
    /// A loop over this store.
    pub fn new(
        store: Arc<dyn MonitoringStore>,
        checker: Arc<dyn RecordChecker>,
        settings: MonitorSettings,
        clock: Arc<MonitorClock>,
    ) -> Self {
        let (progress, wake) = (Arc::default(), Arc::default());
        Self { store, checker, settings, clock, progress, wake, watcher: None }
    }

    /// Tells somebody of every batch that was kept.
    #[must_use]
    pub fn with_listener(mut self, watcher: Arc<CheckListener>) -> Self {
        self.watcher = Some(watcher);
        self
    }

    /// What was done so far.
    pub fn progress(&self) -> Arc<MonitorProgress> {
        self.progress.clone()
    }

    /// Looks at the schedule now when notified: a person has asked for a check.
    pub fn wake_signal(&self) -> Arc<Notify> {
        self.wake.clone()
    }

    /// Makes every check that is due and returns when none is left that its host allows today.
    pub async fn run_once(&self) -> Result<MonitorCounts, StoreError> {
        let (_never, stop) = watch::channel(false);
        self.run_loop(stop, true).await?;
        Ok(self.progress.counts())
    }

    /// Works until told to stop (`true`, or the sender is gone). Then what is under way may end within
    /// [`Settings::grace`], the rest is given back, and every result that is there is kept.
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
                    // A host that is free again may have more.
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

    /// Lets what is under way end, gives the rest back, keeps what is there.
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

    /// Takes what is due, and says when to look again when a host becomes free by no other way.
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
                // What is due already belongs to hosts that are busy, and is looked for when they are not.
                let wait = if next.is_some_and(|next| next <= now) { LOOK } else { wait };
                (taken, wait)
            }
            Err(error) => {
                self.report_trouble(&error);
                (Vec::new(), LOOK)
            }
        }
    }

    /// Keeps a batch; when the store fails it is tried again, later each time.
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
        tracing::warn!(%error, "the monitor could not use the store, will try again");
    }

    /// Runs work on the store where it may wait.
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

/// Results on their way to the store.
#[derive(Default)]
struct ResultBatch {
    results: Vec<CheckResult>,
    opened: Option<Instant>,
    /// Not before this moment: the store failed.
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
