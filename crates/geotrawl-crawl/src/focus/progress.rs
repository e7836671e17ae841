//! Saves at intervals what would otherwise be lost when the program is killed: what the ordering has learned, the
//! words of good pages, and the time taken.

use super::feedback::RankingFeedback;
use crate::leased::RetryingStore;
use geotrawl_model::focus::SavedModel;
use geotrawl_model::{RunId, StoreError};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often.
const EVERY: Duration = Duration::from_secs(5);
/// How often it is tried to save a model while others save theirs; what is not saved now is saved with the next.
const TRIES: u32 = 4;
/// Writing takes at most this part of the time: a large model is saved less often.
const PART: u32 = 50;

/// Saves the progress of a crawl.
pub struct ProgressSaver {
    store: Arc<RetryingStore>,
    run: RunId,
    /// Name under which the model is kept.
    ordering: String,
    /// What was last read or saved under that name: others, tasks and workers, may save theirs since.
    base: Option<SavedModel>,
    /// Up to when the time is counted, and what the store had counted then.
    counted: Instant,
    taken: u64,
    due: Instant,
    /// Lessons in the model that is saved.
    saved: u64,
}

impl ProgressSaver {
    /// Begins to count the time of a run. `base` is what its ordering began with.
    pub fn new(
        store: &Arc<RetryingStore>,
        run: RunId,
        ordering: &str,
        base: Option<SavedModel>,
    ) -> Result<Self, StoreError> {
        let taken = store.retry(|store| store.time_taken(run))?;
        let (store, now) = (Arc::clone(store), Instant::now());
        let ordering = ordering.to_owned();
        Ok(Self { store, run, ordering, base, counted: now, taken, due: now + EVERY, saved: 0 })
    }

    /// Saves everything when it is due.
    pub fn save_when_due(&mut self, feedback: &mut RankingFeedback) -> Result<(), StoreError> {
        if Instant::now() < self.due { Ok(()) } else { self.save(feedback) }
    }

    /// Saves everything.
    pub fn save(&mut self, feedback: &mut RankingFeedback) -> Result<(), StoreError> {
        let began = Instant::now();
        let millis = began.duration_since(self.counted).as_millis() as u64;
        // The time of a run passes once, however many processes work on it: what others have counted is left out.
        let before = self.taken;
        let others = self.store.retry(|store| store.time_taken(self.run))?.saturating_sub(before);
        let missing = millis.saturating_sub(others);
        if missing > 0 {
            self.store.retry(|store| store.add_time_taken(self.run, missing))?;
        }
        self.taken = before + others + missing;
        self.counted += Duration::from_millis(millis);
        let terms = feedback.terms.take_counts();
        if !terms.is_empty() {
            self.store.retry(|store| store.add_terms(self.run, &terms))?;
        }
        if feedback.learns() && feedback.example_count() > self.saved {
            self.save_model(feedback)?;
        }
        self.due = Instant::now() + EVERY.max(began.elapsed() * PART);
        Ok(())
    }

    /// Saves what was learned here over what was saved before, with what others have saved in between.
    fn save_model(&mut self, feedback: &RankingFeedback) -> Result<(), StoreError> {
        for _ in 0..TRIES {
            let saved_at = self.store.retry(|store| store.model_saved_at(&self.ordering))?;
            if saved_at != self.base.as_ref().map(|base| base.at)
                && let Some(other) = self.store.retry(|store| store.load_model(&self.ordering))?
            {
                feedback.merge_model(self.base.as_ref().map(|base| &*base.bytes), &other.bytes);
                self.base = Some(other);
            }
            let bytes = feedback.model_bytes();
            if bytes.is_empty() {
                return Ok(());
            }
            let over = self.base.as_ref().map(|base| base.at);
            let now = jiff::Timestamp::now();
            let saved = self.store.retry(|store| store.save_model(&self.ordering, &bytes, now, over))?;
            if let Some(at) = saved {
                self.base = Some(SavedModel { bytes, at });
                self.saved = feedback.example_count();
                return Ok(());
            }
        }
        Ok(())
    }
}
