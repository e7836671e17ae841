//! Walks through all pages of one question, as harvesters make them. The order of all that is found is made once for a
//! snapshot; every further page is a piece of it, however deep.

use crate::query::SearchQuery;
use std::sync::{Arc, Mutex, PoisonError};

/// Walks that are kept: at four bytes a record these are small.
const MOST: usize = 8;

/// The orders of questions asked lately, by slots.
#[derive(Default)]
pub struct PageCache(Mutex<Vec<(SearchQuery, Arc<[u32]>)>>);

impl PageCache {
    /// The question that all pages of a walk share.
    pub fn cache_key(query: &SearchQuery) -> SearchQuery {
        SearchQuery { offset: 0, limit: 0, ..query.clone() }
    }

    /// The order of a question, if it is known.
    pub fn get(&self, question: &SearchQuery) -> Option<Arc<[u32]>> {
        let walks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        walks.iter().find(|(asked, _)| asked == question).map(|(_, order)| Arc::clone(order))
    }

    /// Keeps an order; the oldest goes.
    pub fn insert(&self, question: SearchQuery, order: Arc<[u32]>) {
        let mut walks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if walks.len() >= MOST {
            walks.remove(0);
        }
        walks.push((question, order));
    }
}
