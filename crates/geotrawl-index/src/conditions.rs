//! Which records meet a [`Filter`]: every condition becomes a set of records, a bit each, and sets are joined and cut.
//!
//! Values of facets are compared once each and not once a record; texts are compared by the words of the dictionary;
//! places and times stand in tables. No condition reads a stored document. Sets of conditions asked lately are kept
//! with the snapshot, so that the pages of a harvest compute them once.

mod leaves;

use crate::bits::Bits;
use crate::engine::Snapshot;
use crate::filter::Filter;
use crate::{Index, IndexError};
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
pub struct Kept {
    everything: OnceLock<Bits>,
    sets: Mutex<HashMap<String, Arc<Bits>>>,
}

/// Evaluates one filter.
pub(crate) struct Conditions<'a> {
    index: &'a Index,
    snapshot: &'a Snapshot,
    conditions: usize,
    texts: usize,
}

impl Index {
    /// Records that meet a filter, by slot.
    pub(crate) fn meeting(&self, snapshot: &Snapshot, filter: &Filter) -> Result<Arc<Bits>, IndexError> {
        let mut conditions = Conditions { index: self, snapshot, conditions: 0, texts: 0 };
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
            let each = met.size() + LONGEST_KEPT;
            if (sets.len() + 1) * each > KEPT {
                sets.clear();
            }
            sets.insert(key, Arc::clone(&met));
        }
        Ok(met)
    }
}

impl Conditions<'_> {
    /// Counts what will be asked, and refuses what is too much.
    fn check(&mut self, filter: &Filter, depth: usize) -> Result<(), IndexError> {
        if depth > DEEPEST {
            return Err(IndexError::Query(format!("The filter is nested deeper than {DEEPEST} levels.")));
        }
        match filter {
            Filter::All(filters) | Filter::Any(filters) => {
                return filters.iter().try_for_each(|filter| self.check(filter, depth + 1));
            }
            Filter::Not(filter) => return self.check(filter, depth + 1),
            Filter::Words(_) => self.texts += 1,
            Filter::Like { property, .. } | Filter::Compare { property, .. } => {
                self.texts += usize::from(leaves::by_words(*property));
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

    fn set(&mut self, filter: &Filter) -> Result<Bits, IndexError> {
        Ok(match filter {
            Filter::All(filters) => {
                let mut all = self.everything().clone();
                for filter in filters {
                    // What is empty stays so, whatever the rest would cost.
                    if all.next(0).is_none() {
                        break;
                    }
                    all.cut(&self.set(filter)?);
                }
                all
            }
            Filter::Any(filters) => {
                let mut any = self.nothing();
                for filter in filters {
                    any.join(&self.set(filter)?);
                }
                any
            }
            Filter::Not(filter) => {
                let mut rest = self.everything().clone();
                rest.remove(&self.set(filter)?);
                rest
            }
            leaf => self.leaf(leaf)?,
        })
    }

    fn nothing(&self) -> Bits {
        Bits::none(self.snapshot.rows.slots_end())
    }

    /// All records.
    fn everything(&self) -> &Bits {
        self.snapshot.kept.everything.get_or_init(|| {
            let mut all = self.nothing();
            for (slot, _) in self.snapshot.rows.slots() {
                all.add(&[slot as u32]);
            }
            all
        })
    }
}
