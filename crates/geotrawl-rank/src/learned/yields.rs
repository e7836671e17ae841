//! The yield so far of places on the web: hosts, domains, folders, URL shapes.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Most places remembered. They take about 13 MB; slightly more would double the size of the table.
const MOST: usize = 400_000;
/// Most places kept in a saved model.
const MOST_SAVED: usize = 40_000;
/// Counts of earlier tasks are divided by this.
const FADED: u32 = 4;

/// The yield of a place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SectionYield {
    pub pages: u32,
    /// Pages that led to a new service.
    pub paid: u32,
    /// New services.
    pub gained: u32,
    /// Pages since the last one that led to a new service.
    pub since: u32,
}

impl SectionYield {
    /// Returns one of 64 classes: number of visited pages and share of productive ones.
    pub(super) fn productivity_class(self) -> u32 {
        let tried = match self.pages {
            0 => return 0,
            1 => 1,
            2..=3 => 2,
            4..=7 => 3,
            8..=15 => 4,
            16..=31 => 5,
            32..=79 => 6,
            _ => 7,
        };
        // In twentieths.
        let paid = match (self.paid, 20 * u64::from(self.paid) / u64::from(self.pages)) {
            (0, _) => 0,
            (_, 0) => 1,
            (_, 1) => 2,
            (_, 2..=3) => 3,
            (_, 4..=6) => 4,
            (_, 7..=10) => 5,
            (_, 11..=15) => 6,
            _ => 7,
        };
        tried * 8 + paid
    }

    /// Returns one of 8 classes: number of pages since the last productive one.
    pub(super) fn pages_since_find_class(self) -> u32 {
        match (self.paid, self.since) {
            (0, _) => 0,
            (_, 0) => 1,
            (_, 1..=2) => 2,
            (_, 3..=6) => 3,
            (_, 7..=14) => 4,
            (_, 15..=30) => 5,
            (_, 31..=70) => 6,
            _ => 7,
        }
    }

    /// Returns the reduced counts for a later task.
    fn faded(self) -> Self {
        let pages = self.pages.div_ceil(FADED);
        let paid = self.paid.div_ceil(FADED).min(pages);
        Self { pages, paid, gained: self.gained.div_ceil(FADED), since: 0 }
    }

    fn add(&mut self, gained: u32) {
        self.pages = self.pages.saturating_add(1);
        self.gained = self.gained.saturating_add(gained);
        self.since = if gained > 0 { 0 } else { self.since.saturating_add(1) };
        self.paid = self.paid.saturating_add(u32::from(gained > 0));
    }
}

/// Hasher for keys that are already hashes.
#[derive(Default, Clone, Copy)]
pub(super) struct PrehashedHasher(u64);

impl Hasher for PrehashedHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// Yields of all visited places, by the hash of their name.
#[derive(Default)]
pub(super) struct YieldTable {
    places: HashMap<u64, SectionYield, BuildHasherDefault<PrehashedHasher>>,
}

impl YieldTable {
    pub(super) fn get(&self, place: u64) -> SectionYield {
        self.places.get(&place).copied().unwrap_or_default()
    }

    pub(super) fn record_page(&mut self, place: u64, gained: u32) {
        if self.places.len() >= MOST && !self.places.contains_key(&place) {
            self.make_room();
        }
        self.places.entry(place).or_default().add(gained);
    }

    /// Drops places with few pages; if too many others remain, all unproductive ones.
    fn make_room(&mut self) {
        self.places.retain(|_, known| known.paid > 0 || known.pages > 3);
        if self.places.len() > MOST / 4 * 3 {
            self.places.retain(|_, known| known.paid > 0);
        }
        if self.places.len() > MOST / 4 * 3 {
            self.places.clear();
        }
    }

    /// Returns the most informative places.
    pub(super) fn to_saved(&self) -> Vec<(u64, SectionYield)> {
        let mut all: Vec<(u64, SectionYield)> =
            self.places.iter().map(|(place, known)| (*place, *known)).collect();
        all.sort_unstable_by_key(|(place, known)| (std::cmp::Reverse((known.paid, known.pages)), *place));
        all.truncate(MOST_SAVED);
        all
    }

    /// Restores saved yields with reduced counts, because the web has changed since.
    pub(super) fn from_saved(saved: Vec<(u64, SectionYield)>) -> Self {
        let saved = saved.into_iter().take(MOST_SAVED);
        Self { places: saved.map(|(place, known)| (place, known.faded())).collect() }
    }

    /// Adds what another instance has counted since `base`.
    pub(super) fn merge_saved(&mut self, base: &[(u64, SectionYield)], saved: &[(u64, SectionYield)]) {
        let base: HashMap<u64, SectionYield, BuildHasherDefault<PrehashedHasher>> =
            base.iter().copied().collect();
        for (place, other) in saved.iter().take(MOST_SAVED) {
            let before = base.get(place).copied().unwrap_or_default();
            // If it has fewer pages than the base, it started from reduced counts.
            let before = if other.pages < before.pages { before.faded() } else { before };
            let pages = other.pages.saturating_sub(before.pages);
            if pages == 0 || (self.places.len() >= MOST && !self.places.contains_key(place)) {
                continue;
            }
            let known = self.places.entry(*place).or_default();
            let paid = other.paid.saturating_sub(before.paid);
            known.pages = known.pages.saturating_add(pages);
            known.paid = known.paid.saturating_add(paid).min(known.pages);
            known.gained = known.gained.saturating_add(other.gained.saturating_sub(before.gained));
            known.since =
                if paid > 0 { other.since.min(known.since) } else { known.since.saturating_add(pages) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_tell_tried_from_untried_and_paying_from_barren() {
        let of = |pages, paid| SectionYield { pages, paid, ..SectionYield::default() }.productivity_class();
        assert_eq!(of(0, 0), 0);
        let classes = [of(1, 0), of(1, 1), of(30, 0), of(30, 1), of(30, 29)];
        for (at, class) in classes.iter().enumerate() {
            assert!(*class < 64 && !classes[..at].contains(class), "{classes:?}");
        }
    }

    #[test]
    fn memory_is_bounded_and_what_pays_is_kept() {
        let mut yields = YieldTable::default();
        yields.record_page(u64::MAX, 2);
        for place in 0..(MOST as u64 + 10) {
            yields.record_page(place, 0);
        }
        assert!(yields.places.len() <= MOST);
        assert_eq!(yields.get(u64::MAX).gained, 2);
        let again = YieldTable::from_saved(yields.to_saved());
        assert_eq!((again.get(u64::MAX).pages, again.get(u64::MAX).paid), (1, 1));
    }
}
