//! Writes down at intervals what would otherwise be lost when the program is killed: what the ordering has learned,
//! the words of good pages, and the time taken.

use super::lessons::Lessons;
use geotrawl_store::focus::SavedModel;
use geotrawl_store::{RunId, Store, StoreError};
use std::time::{Duration, Instant};

/// How often.
const EVERY: Duration = Duration::from_secs(5);
/// How often it is tried to save a model while others save theirs; what is not saved now is saved with the next.
const TRIES: u32 = 4;
/// Writing takes at most this part of the time: a large model is saved less often.
const PART: u32 = 50;

/// Keeps what a crawl has learned.
pub struct Keeper<'a> {
    store: &'a dyn Store,
    run: RunId,
    /// Name under which the model is kept.
    ordering: String,
    /// What was last read or saved under that name: others, tasks and workers, may save theirs since.
    base: Option<SavedModel>,
    /// Up to when the time is counted.
    counted: Instant,
    /// What the store had counted then, where others may count too.
    told: Option<u64>,
    due: Instant,
    /// Lessons in the model that is saved.
    saved: u64,
}

impl<'a> Keeper<'a> {
    /// Begins to count the time of a run. `base` is what its ordering began with.
    pub fn new(
        store: &'a dyn Store,
        run: RunId,
        ordering: &str,
        base: Option<SavedModel>,
    ) -> Result<Self, StoreError> {
        let told = if store.is_shared() { Some(store.time_taken(run)?) } else { None };
        let now = Instant::now();
        let ordering = ordering.to_owned();
        Ok(Self { store, run, ordering, base, counted: now, told, due: now + EVERY, saved: 0 })
    }

    /// Writes everything down when it is due.
    pub fn look(&mut self, lessons: &mut Lessons) -> Result<(), StoreError> {
        if Instant::now() < self.due {
            return Ok(());
        }
        self.keep(lessons)
    }

    /// Writes everything down.
    pub fn keep(&mut self, lessons: &mut Lessons) -> Result<(), StoreError> {
        let began = Instant::now();
        let millis = began.duration_since(self.counted).as_millis() as u64;
        match self.told {
            None => self.store.add_time(self.run, millis)?,
            // The time of a run passes once, however many work on it: what others have counted is not counted again.
            Some(before) => {
                let others = self.store.time_taken(self.run)?.saturating_sub(before);
                let missing = millis.saturating_sub(others);
                if missing > 0 {
                    self.store.add_time(self.run, missing)?;
                }
                self.told = Some(before + others + missing);
            }
        }
        self.counted += Duration::from_millis(millis);
        let terms = lessons.terms.take();
        if !terms.is_empty() {
            self.store.add_terms(self.run, &terms)?;
        }
        if lessons.learns() && lessons.taught() > self.saved {
            self.keep_model(lessons)?;
        }
        self.due = Instant::now() + EVERY.max(began.elapsed() * PART);
        Ok(())
    }

    /// Saves what was learned here over what was saved before, with what others have saved in between.
    fn keep_model(&mut self, lessons: &Lessons) -> Result<(), StoreError> {
        for _ in 0..TRIES {
            if self.store.model_saved(&self.ordering)? != self.base.as_ref().map(|base| base.at)
                && let Some(other) = self.store.model(&self.ordering)?
            {
                lessons.take_in(self.base.as_ref().map(|base| &*base.bytes), &other.bytes);
                self.base = Some(other);
            }
            let bytes = lessons.save();
            if bytes.is_empty() {
                return Ok(());
            }
            let over = self.base.as_ref().map(|base| base.at);
            if let Some(at) = self.store.save_model(&self.ordering, &bytes, jiff::Timestamp::now(), over)? {
                self.base = Some(SavedModel { bytes, at });
                self.saved = lessons.taught();
                return Ok(());
            }
        }
        Ok(())
    }
}
