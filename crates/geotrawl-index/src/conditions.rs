//! Which records meet a [`Filter`]: every condition becomes a set of records, a bit each, and sets are joined and cut.
//!
//! Values of facets are compared once each and not once a record; texts are compared by the words of the dictionary;
//! places and times stand in tables. No condition reads a stored document. Sets of conditions asked lately are kept
//! with the snapshot, so that the pages of a harvest compute them once.

mod leaves;

use crate::bits::BitSet;
use crate::engine::IndexSnapshot;
use crate::filter::FilterExpression;
use crate::{CatalogueIndex, IndexError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Most conditions of one filter.
pub const MOST_CONDITIONS: usize = 1_000;
/// Most conditions that are looked for in the dictionary of words, which costs the most.
pub const MOST_TEXTS: usize = 24;
/// Deepest nesting.
pub const DEEPEST: usize = 64;
/// Most bytes of sets that are kept, and longest filter that is kept.
const KEPT: usize = 8 << 20;
const LONGEST_KEPT: usize = 4 << 10;

/// What a snapshot keeps of conditions.
#[derive(Default)]
pub struct ConditionCache {
    everything: OnceLock<BitSet>,
    sets: Mutex<HashMap<String, Arc<BitSet>>>,
}

/// Evaluates one filter.
pub(crate) struct FilterEvaluator<'a> {
    index: &'a CatalogueIndex,
    snapshot: &'a IndexSnapshot,
    conditions: usize,
    texts: usize,
}

impl CatalogueIndex {
    /// Records that meet a filter, by slot.
    pub(crate) fn records_matching_filter(
        &self,
        snapshot: &IndexSnapshot,
        filter: &FilterExpression,
    ) -> Result<Arc<BitSet>, IndexError> {
        let mut conditions = FilterEvaluator { index: self, snapshot, conditions: 0, texts: 0 };
        // Before it is written out as a key: what is too deep is refused, not followed down.
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
    /// Counts what will be asked, and refuses what is too much.
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
                self.texts += usize::from(leaves::is_compared_by_words(*property));
            }
            _ => {}
        }
        self.conditions += 1;
        if self.conditions > MOST_CONDITIONS {
            return Err(IndexError::Query(format!(
                "The filter has more than {MOST_CONDITIONS} conditions; ask in parts."
            )));
        }
        if self.texts > MOST_TEXTS {
            return Err(IndexError::Query(format!(
                "The filter looks for more than {MOST_TEXTS} texts; ask in parts."
            )));
        }
        Ok(())
    }

    fn set(&mut self, filter: &FilterExpression) -> Result<BitSet, IndexError> {
        Ok(match filter {
            FilterExpression::All(filters) => {
                let mut all = self.everything().clone();
                for filter in filters {
                    // What is empty stays so, whatever the rest would cost.
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

    /// All records.
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
