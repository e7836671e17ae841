//! Hosts on loan, as the threads of a worker see them: whether a request may be sent now, who is told when a loan is
//! lost, and the figures of it all.
//!
//! A store that belongs to one process lends nothing: then all of this is switched off, and asking costs one look at
//! a flag. On a shared one two threads keep watch for each crawl. One renews the loans (for all crawls of the process
//! together: the first of them does it); it may hang as long as the database does. The other never asks the database:
//! it looks a few times a second whether loans still last, so that requests stop in time whatever the others wait for.

use crate::frontier::Signal;
use crate::pipeline::Flags;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use geotrawl_store::{HostId, RunId, Store, StoreError};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often is looked whether loans still last.
const LOOK: Duration = Duration::from_millis(100);
/// Loans that could not be renewed are tried again after this, doubled each time up to how often they are renewed.
const AGAIN: Duration = Duration::from_millis(200);

/// The loans of a process.
#[derive(Default)]
pub struct Loans {
    /// Something is lent at all.
    on: AtomicBool,
    hosts: Mutex<HashMap<Box<str>, Loan>>,
    /// The crawls that are told of losses.
    members: Mutex<Vec<(RunId, Sender<Signal>)>>,
    /// Held by the thread that renews.
    renewing: Mutex<()>,
    figures: Figures,
}

struct Loan {
    allowed: bool,
    holders: Vec<(RunId, HostId)>,
}

/// Counts of what goes on between a worker and a shared store.
#[derive(Default)]
struct Figures {
    commits: AtomicU64,
    left_out: AtomicU64,
    lost: AtomicU64,
    away: Mutex<Away>,
}

#[derive(Default)]
struct Away {
    since: Option<Instant>,
    before: Duration,
}

/// What a worker tells of itself.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WorkerFigures {
    /// Hosts that it holds now.
    pub hosts_on_loan: u64,
    /// Batches that are safe.
    pub commits: u64,
    /// Finished items that were not taken, because their host had been lost.
    pub left_out: u64,
    /// Loans that ran out.
    pub lost_loans: u64,
    /// Seconds during which the store could not be reached.
    pub store_away_seconds: f64,
    /// It cannot be reached now.
    pub store_is_away: bool,
}

/// A crawl's place among those who are told of losses; given back when dropped.
pub(crate) struct Member<'a> {
    loans: &'a Loans,
    run: RunId,
}

impl Drop for Member<'_> {
    fn drop(&mut self) {
        self.loans.members().retain(|(run, _)| *run != self.run);
        self.loans.hosts().retain(|_, loan| {
            loan.holders.retain(|(run, _)| *run != self.run);
            !loan.holders.is_empty()
        });
    }
}

impl Loans {
    /// Whether a request to this host (scheme, name and port) may be sent now. Hosts that are not on loan here (a
    /// script elsewhere, say) are not held back.
    pub fn allows(&self, host: &str) -> bool {
        !self.on.load(Ordering::Relaxed) || self.hosts().get(host).is_none_or(|loan| loan.allowed)
    }

    /// The figures so far.
    pub fn figures(&self) -> WorkerFigures {
        let away = self.away();
        let lasting = away.since.map_or(Duration::ZERO, |since| since.elapsed());
        WorkerFigures {
            hosts_on_loan: self.hosts().len() as u64,
            commits: self.figures.commits.load(Ordering::Relaxed),
            left_out: self.figures.left_out.load(Ordering::Relaxed),
            lost_loans: self.figures.lost.load(Ordering::Relaxed),
            store_away_seconds: (away.before + lasting).as_secs_f64(),
            store_is_away: away.since.is_some(),
        }
    }

    /// Whether the store could not be reached when it was last asked.
    pub fn store_is_away(&self) -> bool {
        self.on.load(Ordering::Relaxed) && self.away().since.is_some()
    }

    /// Takes note of whether the store was reached.
    pub(crate) fn reached<T>(&self, outcome: &Result<T, StoreError>) {
        let mut away = self.away();
        match outcome {
            Err(error) if error.is_unavailable() => {
                away.since.get_or_insert_with(Instant::now);
            }
            _ => {
                if let Some(since) = away.since.take() {
                    away.before += since.elapsed();
                }
            }
        }
    }

    /// Counts a batch.
    pub(crate) fn committed(&self, left_out: u64) {
        self.figures.commits.fetch_add(1, Ordering::Relaxed);
        self.figures.left_out.fetch_add(left_out, Ordering::Relaxed);
    }

    /// Takes a crawl in: it is told of losses until the member is dropped.
    pub(crate) fn join(&self, run: RunId, signals: Sender<Signal>) -> Member<'_> {
        self.on.store(true, Ordering::Relaxed);
        self.members().push((run, signals));
        Member { loans: self, run }
    }

    /// A host was borrowed.
    pub(crate) fn hold(&self, run: RunId, host: HostId, name: &str) {
        let mut hosts = self.hosts();
        let loan = hosts
            .entry(name.into())
            .or_insert_with(|| Loan { allowed: true, holders: Vec::with_capacity(1) });
        loan.allowed = true;
        if !loan.holders.contains(&(run, host)) {
            loan.holders.push((run, host));
        }
    }

    /// A host was given back or lost.
    pub(crate) fn release(&self, run: RunId, name: &str) {
        let mut hosts = self.hosts();
        if let Some(loan) = hosts.get_mut(name) {
            loan.holders.retain(|(holder, _)| *holder != run);
            if loan.holders.is_empty() {
                hosts.remove(name);
            }
        }
    }

    /// Renews the loans until `over`; also ends the crawl when somebody else has ended its run.
    pub(crate) fn renew(
        &self,
        store: &dyn Store,
        run: RunId,
        flags: &Flags,
        signals: &Sender<Signal>,
        over: &Receiver<()>,
    ) {
        let every = store.renew_every();
        let mut pause = every;
        loop {
            match over.recv_timeout(pause) {
                Err(RecvTimeoutError::Timeout) => {}
                _ => return,
            }
            pause = every;
            if let Ok(_first) = self.renewing.try_lock() {
                let known = self.store_is_away();
                let renewed = store.renew_leases();
                self.reached(&renewed);
                match renewed {
                    Ok(lost) => self.tell_lost(&lost),
                    Err(error) => {
                        // Once for every time that it is away.
                        if !known {
                            tracing::warn!("loans cannot be renewed: {error}");
                        }
                        pause = AGAIN.min(every);
                    }
                }
            }
            let open = store.run_is_open(run);
            if let Ok(false) = open {
                flags.closed.store(true, Ordering::Release);
                flags.stop.store(true, Ordering::Release);
                let _ = signals.try_send(Signal::Stop);
            }
        }
    }

    fn tell_lost(&self, lost: &[HostId]) {
        if lost.is_empty() {
            return;
        }
        tracing::warn!(hosts = lost.len(), "loans of hosts ran out");
        self.figures.lost.fetch_add(lost.len() as u64, Ordering::Relaxed);
        let known: HashSet<HostId> = lost.iter().copied().collect();
        for loan in self.hosts().values_mut() {
            if loan.holders.iter().any(|(_, host)| known.contains(host)) {
                loan.allowed = false;
            }
        }
        let members: Vec<Sender<Signal>> =
            self.members().iter().map(|(_, signals)| signals.clone()).collect();
        for signals in members {
            // One that is over hears nothing any more; one that waits for the store has room for this.
            let _ = signals.send_timeout(Signal::Lost(lost.to_vec()), LOOK);
        }
    }

    /// Looks whether the loans of a run still last, until `over`.
    pub(crate) fn watch(&self, store: &dyn Store, run: RunId, over: &Receiver<()>) {
        while let Err(RecvTimeoutError::Timeout) = over.recv_timeout(LOOK) {
            for loan in self.hosts().values_mut() {
                if let Some((_, host)) = loan.holders.iter().find(|(holder, _)| *holder == run) {
                    loan.allowed = store.may_ask(run, *host);
                }
            }
        }
    }

    fn hosts(&self) -> MutexGuard<'_, HashMap<Box<str>, Loan>> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn members(&self) -> MutexGuard<'_, Vec<(RunId, Sender<Signal>)>> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn away(&self) -> MutexGuard<'_, Away> {
        self.figures.away.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
