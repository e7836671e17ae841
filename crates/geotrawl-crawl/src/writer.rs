//! The one writer: gathers finished visits into batches and commits each as one transaction.

use crate::focus::PageNote;
use crate::focus::keeper::Keeper;
use crate::focus::lessons::{Lessons, Pupil};
use crate::frontier::Signal;
use crate::known::KnownPages;
use crate::loans::Loans;
use crate::observe::Observer;
use crate::traces::Label;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use geotrawl_store::{Batch, Done, ItemId, RobotsRecord, RunId, Store, StoreError};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A batch is committed when it is this old, ...
const OLDEST: Duration = Duration::from_millis(250);
/// (this when somebody waits for what it teaches,)
const OLDEST_LESSON: Duration = Duration::from_millis(100);
/// ... holds this many pages, ...
const MOST_PAGES: usize = 512;
/// ... or this many links.
const MOST_LINKS: usize = 30_000;

/// What reaches the writer.
pub enum Finished {
    /// A visit is over; what orderings want to know of a page that was read.
    Visit(Box<Done>, Option<Box<PageNote>>),
    /// A robots.txt was read.
    Robots(RobotsRecord),
}

/// Whom the writer tells what.
pub struct Hearers<'a> {
    pub scheduler: &'a Sender<Signal>,
    /// Set by the scheduler when it has nothing left to do before the next commit: then waiting for a fuller batch
    /// would only cost time.
    pub hungry: &'a AtomicBool,
    pub known: &'a KnownPages,
    pub loans: &'a Loans,
    pub observer: &'a Arc<dyn Observer>,
    pub label: &'a Label,
}

/// Runs until every sender is gone, then commits the rest.
pub fn run(
    store: &dyn Store,
    run: RunId,
    finished: &Receiver<Finished>,
    hearers: &Hearers<'_>,
    lessons: &mut Lessons,
    keeper: &mut Keeper<'_>,
) -> Result<(), StoreError> {
    let hungry = hearers.hungry;
    let oldest = if lessons.learns() { OLDEST_LESSON } else { OLDEST };
    let mut batch = Batch { run, ..Batch::default() };
    // One for each visit of the batch.
    let mut pupils = Vec::new();
    let mut links = 0;
    let mut opened: Option<Instant> = None;
    loop {
        let patience = match opened {
            None => Duration::from_hours(1),
            Some(_) if hungry.load(Ordering::Acquire) => Duration::from_millis(1),
            Some(at) => oldest.saturating_sub(at.elapsed()).min(Duration::from_millis(20)),
        };
        let ended = match finished.recv_timeout(patience) {
            Ok(Finished::Visit(done, note)) => {
                links += done.links.len();
                pupils.push(lessons.arrived(&done, note));
                if let Some(turned) = lessons.many_turned() {
                    let early = Signal::Committed { ids: Vec::new(), gained: Vec::new(), turned };
                    let _ = hearers.scheduler.send(early);
                }
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
            at.elapsed() >= oldest
                || (finished.is_empty() && hungry.load(Ordering::Acquire))
                || batch.done.len() >= MOST_PAGES
                || links >= MOST_LINKS
        });
        if (due || ended) && opened.is_some() {
            batch.now = jiff::Timestamp::now();
            let span = hearers.label.commit(&batch, links).entered();
            let committed = store.commit(&batch)?;
            span.record("records", committed.resources.len());
            tracing::debug!(new = committed.added.new, "committed");
            drop(span);
            hearers.loans.committed(committed.ignored);
            hearers.known.take(&batch, &committed);
            let ids = batch.done.iter().map(|done| done.item.id).collect();
            leave_out(&committed.left_out, &mut batch.done, &mut pupils);
            hearers.observer.committed(&batch, &committed);
            lessons.committed(&mut batch.done, &mut pupils, &committed);
            batch.robots.clear();
            links = 0;
            opened = None;
            let (gained, turned) = (committed.added.heads, lessons.take_turned());
            // The scheduler is gone only when the crawl is over.
            let _ = hearers.scheduler.send(Signal::Committed { ids, gained, turned });
            keeper.look(lessons)?;
        }
        if ended {
            return Ok(());
        }
    }
}

/// Takes out what was not taken: whoever has the host now will tell of it.
fn leave_out(items: &[ItemId], done: &mut Vec<Done>, pupils: &mut Vec<Pupil>) {
    if items.is_empty() {
        return;
    }
    let items: HashSet<ItemId> = items.iter().copied().collect();
    let mut kept = done.iter().map(|done| !items.contains(&done.item.id)).collect::<Vec<_>>().into_iter();
    pupils.retain(|_| kept.next().unwrap_or(true));
    done.retain(|done| !items.contains(&done.item.id));
}
