//! A store that waits for a database that is away.
//!
//! A crawl on a shared store asks through this: what cannot be had because the database is not reached is asked for
//! again, with growing pauses, until it is back. Meanwhile nothing is lost: finished batches wait in the writer, and
//! the scheduler hands out nothing. Whoever stops the crawl need not wait for the database longer than a moment.

use crate::loans::Loans;
use crate::pipeline::Flags;
use geotrawl_store::focus::{Focus, Level, RankedSeed, SavedModel, Term, Width};
use geotrawl_store::leases::Leases;
use geotrawl_store::record::Record;
use geotrawl_store::{
    Added, Batch, Committed, Counters, Explanation, HarvestedRecord, HostId, HostWork, Item, ItemId, NewLink,
    OpenTask, PastPage, RecordFilter, Result, RunId, Seed, SeedList, Store, TaskSpec, TaskState,
};
use jiff::Timestamp;
use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// First pause before the store is asked again, doubled each time ...
const FIRST: Duration = Duration::from_millis(100);
/// ... up to this.
const LONGEST: Duration = Duration::from_secs(5);
/// How often a wait looks whether somebody wants to stop.
const LOOK: Duration = Duration::from_millis(50);
/// One who wants to stop waits so long for what is finished to be taken.
const GRACE: Duration = Duration::from_secs(10);

/// Asks a store until it answers.
pub(crate) struct Patient<'a> {
    pub store: &'a dyn Store,
    pub loans: &'a Loans,
    pub flags: &'a Flags,
}

impl Patient<'_> {
    fn ask<T>(&self, mut attempt: impl FnMut() -> Result<T>) -> Result<T> {
        self.ask_while(|| true, &mut attempt)
    }

    /// Asks again while `again` says that it may be: what has handed something out cannot begin anew.
    fn ask_while<T>(&self, again: impl Fn() -> bool, attempt: &mut dyn FnMut() -> Result<T>) -> Result<T> {
        let mut pause = FIRST;
        let mut waited: Option<Instant> = None;
        let mut stop_by: Option<Instant> = None;
        loop {
            let outcome = attempt();
            self.loans.reached(&outcome);
            match outcome {
                Err(error) if error.is_unavailable() && again() => {
                    if waited.is_none() {
                        tracing::warn!("{error}; waiting for it");
                    }
                    waited.get_or_insert_with(Instant::now);
                    // Not all at the same moment: a database that starts has enough to do.
                    let until = Instant::now() + pause.mul_f64(0.5 + fastrand::f64() / 2.0);
                    while Instant::now() < until {
                        if self.flags.stop.load(Ordering::Acquire) {
                            let by = *stop_by.get_or_insert_with(|| Instant::now() + GRACE);
                            if Instant::now() >= by {
                                return Err(error);
                            }
                        }
                        std::thread::sleep(LOOK.min(pause));
                    }
                    pause = (pause * 2).min(LONGEST);
                }
                outcome => {
                    if let (Some(since), Ok(_)) = (waited, &outcome) {
                        tracing::info!("the database is back after {:.1} s", since.elapsed().as_secs_f64());
                    }
                    return outcome;
                }
            }
        }
    }
}

impl Leases for Patient<'_> {
    fn is_shared(&self) -> bool {
        self.store.is_shared()
    }
    fn may_ask(&self, run: RunId, host: HostId) -> bool {
        self.store.may_ask(run, host)
    }
    fn renew_every(&self) -> Duration {
        self.store.renew_every()
    }
    /// Once: whoever renews has a pace of its own.
    fn renew_leases(&self) -> Result<Vec<HostId>> {
        self.store.renew_leases()
    }
    fn give_back(&self, run: RunId, hosts: &[(HostId, Duration)]) -> Result<()> {
        self.ask(|| self.store.give_back(run, hosts))
    }
    fn claim_pages(&self, run: RunId, most: u64, wanted: i64) -> Result<u64> {
        self.ask(|| self.store.claim_pages(run, most, wanted))
    }
    fn is_exhausted(&self, run: RunId) -> Result<bool> {
        self.ask(|| self.store.is_exhausted(run))
    }
    fn held_elsewhere(&self, run: RunId) -> Result<bool> {
        self.ask(|| self.store.held_elsewhere(run))
    }
}

impl Focus for Patient<'_> {
    fn widths(&self, run: RunId) -> Result<Vec<Width>> {
        self.ask(|| self.store.widths(run))
    }
    fn open_width(&self, run: RunId, width: u32, seeds: u64, now: Timestamp) -> Result<()> {
        self.ask(|| self.store.open_width(run, width, seeds, now))
    }
    fn end_width(&self, run: RunId, width: u32, why: &str, given_up: bool, now: Timestamp) -> Result<()> {
        self.ask(|| self.store.end_width(run, width, why, given_up, now))
    }
    fn depths(&self, run: RunId) -> Result<Vec<Level>> {
        self.ask(|| self.store.depths(run))
    }
    fn levels(&self, run: RunId) -> Result<Vec<Level>> {
        self.ask(|| self.store.levels(run))
    }
    fn terms(&self, run: RunId, most: usize) -> Result<Vec<Term>> {
        self.ask(|| self.store.terms(run, most))
    }
    fn add_terms(&self, run: RunId, terms: &[Term]) -> Result<()> {
        self.ask(|| self.store.add_terms(run, terms))
    }
    fn ranked_seeds(&self, run: RunId) -> Result<Vec<RankedSeed>> {
        self.ask(|| self.store.ranked_seeds(run))
    }
    fn keep_ranked_seeds(&self, run: RunId, seeds: &[RankedSeed]) -> Result<()> {
        self.ask(|| self.store.keep_ranked_seeds(run, seeds))
    }
    fn model(&self, ordering: &str) -> Result<Option<SavedModel>> {
        self.ask(|| self.store.model(ordering))
    }
    fn model_saved(&self, ordering: &str) -> Result<Option<Timestamp>> {
        self.ask(|| self.store.model_saved(ordering))
    }
    fn save_model(
        &self,
        ordering: &str,
        bytes: &[u8],
        now: Timestamp,
        over: Option<Timestamp>,
    ) -> Result<Option<Timestamp>> {
        self.ask(|| self.store.save_model(ordering, bytes, now, over))
    }
    fn next_items(&self, run: RunId, most: usize) -> Result<Vec<Item>> {
        self.ask(|| self.store.next_items(run, most))
    }
    fn time_taken(&self, run: RunId) -> Result<u64> {
        self.ask(|| self.store.time_taken(run))
    }
    fn add_time(&self, run: RunId, millis: u64) -> Result<()> {
        self.ask(|| self.store.add_time(run, millis))
    }
}

impl Store for Patient<'_> {
    fn open_task(&self, spec: &TaskSpec, now: Timestamp) -> Result<OpenTask> {
        self.ask(|| self.store.open_task(spec, now))
    }
    fn set_task_state(&self, task: RunId, state: TaskState, now: Timestamp) -> Result<()> {
        self.ask(|| self.store.set_task_state(task, state, now))
    }
    fn end_run(&self, task: RunId, state: TaskState, now: Timestamp) -> Result<bool> {
        self.ask(|| self.store.end_run(task, state, now))
    }
    fn run_is_open(&self, task: RunId) -> Result<bool> {
        self.ask(|| self.store.run_is_open(task))
    }
    fn open_runs(&self) -> Result<Vec<OpenTask>> {
        self.ask(|| self.store.open_runs())
    }
    fn add_links(&self, task: RunId, links: &[NewLink]) -> Result<Added> {
        self.ask(|| self.store.add_links(task, links))
    }
    fn commit(&self, batch: &Batch) -> Result<Committed> {
        self.ask(|| self.store.commit(batch))
    }
    fn hosts_with_work(
        &self,
        task: RunId,
        limit: usize,
        skip: &dyn Fn(HostId) -> bool,
    ) -> Result<Vec<HostWork>> {
        self.ask(|| self.store.hosts_with_work(task, limit, skip))
    }
    fn pending(
        &self,
        task: RunId,
        host: HostId,
        limit: usize,
        skip: &dyn Fn(ItemId) -> bool,
    ) -> Result<Vec<Item>> {
        self.ask(|| self.store.pending(task, host, limit, skip))
    }
    fn host_history(&self, task: RunId, host: HostId, limit: usize) -> Result<Vec<PastPage>> {
        self.ask(|| self.store.host_history(task, host, limit))
    }
    fn counters(&self, task: RunId) -> Result<Counters> {
        self.ask(|| self.store.counters(task))
    }
    fn records(&self, filter: &RecordFilter, visit: &mut dyn FnMut(Record) -> bool) -> Result<()> {
        let begun = Cell::new(false);
        self.ask_while(|| !begun.get(), &mut || {
            self.store.records(filter, &mut |record| {
                begun.set(true);
                visit(record)
            })
        })
    }
    fn harvested_at(&self, catalogue: &str, connector: &str) -> Result<Option<Timestamp>> {
        self.ask(|| self.store.harvested_at(catalogue, connector))
    }
    fn harvested(
        &self,
        catalogue: Option<&str>,
        visit: &mut dyn FnMut(HarvestedRecord) -> bool,
    ) -> Result<()> {
        let begun = Cell::new(false);
        self.ask_while(|| !begun.get(), &mut || {
            self.store.harvested(catalogue, &mut |record| {
                begun.set(true);
                visit(record)
            })
        })
    }
    fn import_seeds(&self, list: &str, source: &str, seeds: &[Seed], now: Timestamp) -> Result<u64> {
        self.ask(|| self.store.import_seeds(list, source, seeds, now))
    }
    fn seed_lists(&self) -> Result<Vec<SeedList>> {
        self.ask(|| self.store.seed_lists())
    }
    fn seeds(&self, list: &str, visit: &mut dyn FnMut(Seed) -> bool) -> Result<()> {
        let begun = Cell::new(false);
        self.ask_while(|| !begun.get(), &mut || {
            self.store.seeds(list, &mut |seed| {
                begun.set(true);
                visit(seed)
            })
        })
    }
    fn explain(&self, what: &str) -> Result<Explanation> {
        self.ask(|| self.store.explain(what))
    }
}
