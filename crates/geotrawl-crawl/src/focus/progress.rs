//! Periodically saves what a killed process would lose: the learned model, the words of good pages,
//! and the running time.

use super::feedback::RankingFeedback;
use crate::leased::RetryingStore;
use geotrawl_model::focus::SavedModel;
use geotrawl_model::{RunId, StoreError};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often progress is saved.
const EVERY: Duration = Duration::from_secs(5);
/// Attempts to save a model while other processes save theirs. What is not saved is saved next
/// time.
const TRIES: u32 = 4;
/// Saving may take one part in this many of the time, so large models are saved less often.
const PART: u32 = 50;

/// Saves the progress of a crawl.
pub struct ProgressSaver {
    store: Arc<RetryingStore>,
    run: RunId,
    /// Name under which the model is saved.
    ordering: String,
    /// The model last read or saved under that name. Other tasks and workers may have saved one
    /// since.
    base: Option<SavedModel>,
    /// Time up to which running time is counted, followed by the total in the store at that time.
    counted: Instant,
    taken: u64,
    due: Instant,
    /// Number of examples in the saved model.
    saved: u64,
}

impl ProgressSaver {
    /// Starts counting the running time of a run. `base` is the model that its ranking began with.
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

    /// Saves everything if the interval has passed.
    pub fn save_when_due(&mut self, feedback: &mut RankingFeedback) -> Result<(), StoreError> {
        if Instant::now() < self.due { Ok(()) } else { self.save(feedback) }
    }

    /// Saves everything.
    pub fn save(&mut self, feedback: &mut RankingFeedback) -> Result<(), StoreError> {
        let began = Instant::now();
        let millis = began.duration_since(self.counted).as_millis() as u64;
        // Several processes on one run share its clock: time that others have already counted is
        // subtracted.
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

    /// Saves the model, merged with what other processes have saved in between.
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
