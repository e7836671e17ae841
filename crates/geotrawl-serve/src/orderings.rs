//! Cache of the rankings of tasks that users look at, with what the rankings have learned.

use geotrawl_model::store::Store;
use geotrawl_rank::{FrontierRanking, TaskTopic, create_ranking};
use jiff::Timestamp;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Cached rankings. A trained one may take tens of megabytes, and users look at few tasks at a
/// time.
const MOST: usize = 2;

#[derive(PartialEq, Eq)]
struct TaskRankingKey {
    name: String,
    keywords: Vec<String>,
    saved: Option<Timestamp>,
}

/// Keeps the most recently used rankings, so that opening a task again does not load its ranking
/// again.
#[derive(Default)]
pub struct TaskRankingCache {
    kept: Mutex<VecDeque<(TaskRankingKey, Arc<dyn FrontierRanking>)>>,
}

impl TaskRankingCache {
    /// Returns the ranking of this name as last saved; `None` if there is no such ranking.
    pub fn get_or_load(
        &self,
        store: &dyn Store,
        name: &str,
        keywords: &[String],
    ) -> geotrawl_model::store::Result<Option<Arc<dyn FrontierRanking>>> {
        let saved = store.model_saved_at(name)?;
        let key = TaskRankingKey { name: name.to_owned(), keywords: keywords.to_vec(), saved };
        // Holding the lock while loading makes concurrent callers wait instead of loading the same
        // ranking twice.
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
        // Older saved versions are obsolete.
        kept.retain(|(other, _)| other.name != key.name || other.saved == key.saved);
        kept.truncate(MOST - 1);
        kept.push_front((key, Arc::clone(&made)));
        Ok(Some(made))
    }
}
