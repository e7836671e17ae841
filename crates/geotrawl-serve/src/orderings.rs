//! The orderings of tasks that people look at, with what they have learned.

use geotrawl_model::store::Store;
use geotrawl_rank::{FrontierRanking, TaskTopic, create_ranking};
use jiff::Timestamp;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Kept at once. What one has learned may take tens of megabytes, and people look at few tasks at a time.
const MOST: usize = 2;

#[derive(PartialEq, Eq)]
struct TaskRankingKey {
    name: String,
    keywords: Vec<String>,
    saved: Option<Timestamp>,
}

/// Keeps the orderings used last, so that looking again at a task does not read all that was learned again.
#[derive(Default)]
pub struct TaskRankingCache {
    kept: Mutex<VecDeque<(TaskRankingKey, Arc<dyn FrontierRanking>)>>,
}

impl TaskRankingCache {
    /// The ordering of this name as it was last saved; `None` when there is none of this name.
    pub fn get_or_load(
        &self,
        store: &dyn Store,
        name: &str,
        keywords: &[String],
    ) -> geotrawl_model::store::Result<Option<Arc<dyn FrontierRanking>>> {
        let saved = store.model_saved_at(name)?;
        let key = TaskRankingKey { name: name.to_owned(), keywords: keywords.to_vec(), saved };
        // Held while one is made: those who ask for the same wait for it instead of making it once more each.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = kept.iter().find(|(other, _)| *other == key) {
            return Ok(Some(Arc::clone(known)));
        }
        let model = if saved.is_some() { store.load_model(name)? } else { None };
        let topic = TaskTopic { keywords: keywords.to_vec() };
        let Ok(made) = create_ranking(name, &topic, model.as_ref().map(|model| model.bytes.as_slice()))
        else {
            return Ok(None);
        };
        // What was saved earlier is of no use any more.
        kept.retain(|(other, _)| other.name != key.name || other.saved == key.saved);
        kept.truncate(MOST - 1);
        kept.push_front((key, Arc::clone(&made)));
        Ok(Some(made))
    }
}
