//! The one writer: gathers finished visits into batches and commits each as one transaction.

use crate::frontier::Signal;
use crate::known::KnownPages;
use crate::observe::Observer;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use geotrawl_store::{Batch, Done, RobotsRecord, RunId, Store, StoreError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A batch is committed when it is this old, ...
const OLDEST: Duration = Duration::from_millis(250);
/// ... holds this many pages, ...
const MOST_PAGES: usize = 512;
/// ... or this many links.
const MOST_LINKS: usize = 30_000;

/// What reaches the writer.
pub enum Finished {
    /// A visit is over.
    Visit(Box<Done>),
    /// A robots.txt was read.
    Robots(RobotsRecord),
}

/// Runs until every sender is gone, then commits the rest. `hungry` is set by the scheduler when it has
/// nothing left to do before the next commit: then waiting for a fuller batch would only cost time.
pub fn run(
    store: &dyn Store,
    run: RunId,
    finished: &Receiver<Finished>,
    scheduler: &Sender<Signal>,
    hungry: &AtomicBool,
    known: &KnownPages,
    observer: &Arc<dyn Observer>,
) -> Result<(), StoreError> {
    let mut batch = Batch { run, ..Batch::default() };
    let mut links = 0;
    let mut opened: Option<Instant> = None;
    loop {
        let patience = match opened {
            None => Duration::from_hours(1),
            Some(_) if hungry.load(Ordering::Acquire) => Duration::from_millis(1),
            Some(at) => OLDEST.saturating_sub(at.elapsed()).min(Duration::from_millis(20)),
        };
        let ended = match finished.recv_timeout(patience) {
            Ok(Finished::Visit(done)) => {
                links += done.links.len();
                batch.done.push(*done);
                opened.get_or_insert_with(Instant::now);
                false
            }
            Ok(Finished::Robots(record)) => {
                batch.robots.push(record);
                opened.get_or_insert_with(Instant::now);
                false
            }
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => true,
        };
        let due = opened.is_some_and(|at| {
            at.elapsed() >= OLDEST
                || (finished.is_empty() && hungry.load(Ordering::Acquire))
                || batch.done.len() >= MOST_PAGES
                || links >= MOST_LINKS
        });
        if (due || ended) && opened.is_some() {
            batch.now = jiff::Timestamp::now();
            let committed = store.commit(&batch)?;
            known.take(&batch, &committed);
            observer.committed(&batch, &committed);
            let ids = batch.done.iter().map(|done| done.item.id).collect();
            let gained = committed.added.hosts;
            batch.done.clear();
            batch.robots.clear();
            links = 0;
            opened = None;
            // The scheduler is gone only when the crawl is over.
            let _ = scheduler.send(Signal::Committed { ids, gained });
        }
        if ended {
            return Ok(());
        }
    }
}
