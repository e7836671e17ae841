//! Evaluates a [`FilterExpression`]: every condition becomes a bit set of records, and the sets are
//! combined.
//!
//! Facet values are compared once each, not once per record; texts are compared against the term
//! dictionary; places and times come from tables. No condition reads a stored document. Recent
//! results are cached with the snapshot, so that a harvest evaluates its filter once for all pages.

mod leaves;

use crate::bits::BitSet;
use crate::engine::IndexSnapshot;
use crate::filter::FilterExpression;
use crate::{CatalogueIndex, IndexError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Maximum number of conditions in a filter.
pub const MOST_CONDITIONS: usize = 1_000;
/// Maximum number of conditions that search the term dictionary, which are the most expensive.
pub const MOST_TEXTS: usize = 24;
/// Maximum nesting depth.
pub const DEEPEST: usize = 64;
/// Maximum total size of cached sets in bytes, and maximum length of a filter that is cached.
const KEPT: usize = 8 << 20;
const LONGEST_KEPT: usize = 4 << 10;

/// Filter results cached with a snapshot.
#[derive(Default)]
pub struct ConditionCache {
    everything: OnceLock<BitSet>,
    sets: Mutex<HashMap<String, Arc<BitSet>>>,
}

/// Evaluates a filter.
pub(crate) struct FilterEvaluator<'a> {
    index: &'a CatalogueIndex,
    snapshot: &'a IndexSnapshot,
    conditions: usize,
    texts: usize,
}

impl CatalogueIndex {
    /// Returns the records that match a filter, by slot.
    pub(crate) fn records_matching_filter(
        &self,
        snapshot: &IndexSnapshot,
        filter: &FilterExpression,
    ) -> Result<Arc<BitSet>, IndexError> {
        let mut conditions = FilterEvaluator { index: self, snapshot, conditions: 0, texts: 0 };
        // Formatting the key recurses, so filters that are nested too deeply must be rejected
        // first.
        conditions.check(filter, 0)?;
        let sets = || snapshot.kept.sets.lock().unwrap_or_else(PoisonError::into_inner);
        let key = format!("{filter:?}");
        if let Some(known) = sets().get(&key) {
            return Ok(Arc::clone(known));
        }
        let met = Arc::new(conditions.set(filter)?);
        if key.len() <= LONGEST_KEPT {
            let mut sets = sets();
            let each = met.size_bytes() + LONGEST_KEPT;
            if (sets.len() + 1) * each > KEPT {
                sets.clear();
            }
            sets.insert(key, Arc::clone(&met));
        }
        Ok(met)
    }
}

impl FilterEvaluator<'_> {
    /// Counts conditions and rejects filters that exceed the limits.
    fn check(&mut self, filter: &FilterExpression, depth: usize) -> Result<(), IndexError> {
        if depth > DEEPEST {
            return Err(IndexError::Query(format!("The filter is nested deeper than {DEEPEST} levels.")));
        }
        match filter {
            FilterExpression::All(filters) | FilterExpression::Any(filters) => {
                return filters.iter().try_for_each(|filter| self.check(filter, depth + 1));
            }
            FilterExpression::Not(filter) => return self.check(filter, depth + 1),
            FilterExpression::Words(_) => self.texts += 1,
            FilterExpression::Like { property, .. } | FilterExpression::Compare { property, .. } => {
                self.texts += usize::from(leaves::uses_term_dictionary(*property));
            }
            _ => {}
        }
        self.conditions += 1;
        if self.conditions > MOST_CONDITIONS {
            return Err(IndexError::Query(format!(
                "The filter has more than {MOST_CONDITIONS} conditions; split it into several requests."
            )));
        }
        if self.texts > MOST_TEXTS {
            return Err(IndexError::Query(format!(
                "The filter searches more than {MOST_TEXTS} texts; split it into several requests."
            )));
        }
        Ok(())
    }

    fn set(&mut self, filter: &FilterExpression) -> Result<BitSet, IndexError> {
        Ok(match filter {
            FilterExpression::All(filters) => {
                let mut all = self.everything().clone();
                for filter in filters {
                    // An empty set stays empty, so the remaining conditions need not be evaluated.
                    if all.next_from(0).is_none() {
                        break;
                    }
                    all.intersect_with(&self.set(filter)?);
                }
                all
            }
            FilterExpression::Any(filters) => {
                let mut any = self.nothing();
                for filter in filters {
                    any.union_with(&self.set(filter)?);
                }
                any
            }
            FilterExpression::Not(filter) => {
                let mut rest = self.everything().clone();
                rest.subtract(&self.set(filter)?);
                rest
            }
            leaf => self.evaluate_leaf(leaf)?,
        })
    }

    fn nothing(&self) -> BitSet {
        BitSet::empty(self.snapshot.rows.slots_end())
    }

    /// Returns the set of all records.
    fn everything(&self) -> &BitSet {
        self.snapshot.kept.everything.get_or_init(|| {
            let mut all = self.nothing();
            for (slot, _) in self.snapshot.rows.occupied_slots() {
                all.insert_all(&[slot as u32]);
            }
            all
        })
    }
}
