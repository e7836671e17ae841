//! Cache for harvesters that read all pages of a query. The result order is computed once per
//! snapshot; each page is a slice of it, however deep.

use crate::query::SearchQuery;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of cached orders, at four bytes per record.
const MOST: usize = 8;

/// Result orders of recent queries, as slots.
#[derive(Default)]
pub struct ResultOrderCache(Mutex<Vec<(SearchQuery, Arc<[u32]>)>>);

impl ResultOrderCache {
    /// Returns the query without its page, which all pages share.
    pub fn cache_key(query: &SearchQuery) -> SearchQuery {
        SearchQuery { offset: 0, limit: 0, ..query.clone() }
    }

    /// Returns the cached order of a query.
    pub fn get(&self, question: &SearchQuery) -> Option<Arc<[u32]>> {
        let walks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        walks.iter().find(|(asked, _)| asked == question).map(|(_, order)| Arc::clone(order))
    }

    /// Caches an order; evicts the oldest one if the cache is full.
    pub fn insert(&self, question: SearchQuery, order: Arc<[u32]>) {
        let mut walks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if walks.len() >= MOST {
            walks.remove(0);
        }
        walks.push((question, order));
    }
}
