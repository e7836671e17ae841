//! Finds the signatures of a call by the last part of its name.
//!
//! Every call in megabytes of code is looked up, and nearly all names are unknown, so a lookup is
//! one small hash and one comparison.

use super::sign::{CallSignature, LibrarySignatures};
use super::tables::TABLES;
use std::sync::LazyLock;

/// A signature and its library.
#[derive(Debug, Clone, Copy)]
pub struct SignatureRow {
    pub table: &'static LibrarySignatures,
    pub sign: &'static CallSignature,
}

impl SignatureRow {
    fn last(&self) -> &'static str {
        self.sign.tail.last().copied().unwrap_or_default()
    }
}

/// Size of the hash table: several times the number of names, so that few collide.
const SLOTS: usize = 4096;

struct SignatureIndex {
    /// Signatures sorted by the last part of the name.
    rows: Vec<SignatureRow>,
    /// Start of the rows of a name plus one, with open addressing; 0 is empty.
    slots: Vec<u16>,
}

static INDEX: LazyLock<SignatureIndex> = LazyLock::new(SignatureIndex::new);

fn slot(name: &[u8]) -> usize {
    let mut hash = name.len() as u32;
    for &byte in name {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    (hash ^ hash >> 15) as usize % SLOTS
}

impl SignatureIndex {
    fn new() -> Self {
        let mut rows: Vec<SignatureRow> = TABLES
            .iter()
            .flat_map(|table| table.signs.iter().map(move |sign| SignatureRow { table, sign }))
            .collect();
        // The sort is stable, so tables keep their order within a name.
        rows.sort_by_key(SignatureRow::last);
        let mut slots = vec![0_u16; SLOTS];
        let mut before = "";
        for (at, row) in rows.iter().enumerate() {
            if row.last() == before {
                continue;
            }
            before = row.last();
            let mut place = slot(before.as_bytes());
            while let Some(taken) = slots.get_mut(place) {
                if *taken == 0 {
                    *taken = u16::try_from(at + 1).unwrap_or_default();
                    break;
                }
                place = (place + 1) % SLOTS;
            }
        }
        Self { rows, slots }
    }

    /// Returns all rows whose name ends in this part.
    fn of(&self, last: &str) -> &[SignatureRow] {
        // No name in the tables is longer.
        if last.len() < 2 || last.len() > 48 {
            return &[];
        }
        let mut place = slot(last.as_bytes());
        while let Some(start) = self.slots.get(place).filter(|start| **start != 0) {
            let start = usize::from(*start) - 1;
            if self.rows.get(start).is_some_and(|row| row.last() == last) {
                let rest = self.rows.get(start..).unwrap_or_default();
                let length = rest.iter().take_while(|row| row.last() == last).count();
                return rest.get(..length).unwrap_or_default();
            }
            place = (place + 1) % SLOTS;
        }
        &[]
    }
}

/// Returns whether any signature matches a name.
pub fn has_signature(name: &[&str]) -> bool {
    let Some(last) = name.last() else { return false };
    INDEX.of(last).iter().any(|row| row.sign.matches_name(name))
}

/// Returns the signatures that match a name, most certain first: the library whose root is in the
/// name before others, longer names before shorter ones.
pub fn find_signatures<T: AsRef<str>>(name: &[T]) -> Vec<SignatureRow> {
    let Some(last) = name.last() else { return Vec::new() };
    let mut found: Vec<SignatureRow> =
        INDEX.of(last.as_ref()).iter().filter(|row| row.sign.matches_name(name)).copied().collect();
    found.sort_by_key(|row| (!row.has_library_root(name), usize::MAX - row.sign.tail.len()));
    found
}

impl SignatureRow {
    /// Returns whether a part of the name is a root of the library.
    pub fn has_library_root<T: AsRef<str>>(&self, name: &[T]) -> bool {
        name.len() > 1 && name.iter().any(|part| self.table.roots.contains(&part.as_ref()))
    }

    /// Returns whether the name alone identifies the library's call.
    pub fn is_sure<T: AsRef<str>>(&self, name: &[T]) -> bool {
        let capital = self.last().starts_with(|c: char| c.is_ascii_uppercase());
        self.sign.tail.len() > 1 || self.has_library_root(name) || capital && self.last().len() >= 7
    }

    /// Returns the name of the rule: `openlayers:TileWMS`.
    pub fn rule_name(&self) -> String {
        format!("{}:{}", self.table.library, self.sign.tail.join("."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_its_name() {
        for table in TABLES {
            for sign in table.signs {
                assert!(has_signature(sign.tail), "{:?}", sign.tail);
            }
        }
        assert!(!has_signature(&["WMS"]));
        assert!(!has_signature(&["a", "push"]));
        assert!(!has_signature(&[]));
    }

    #[test]
    fn no_table_has_a_row_twice() {
        for table in TABLES {
            for (at, sign) in table.signs.iter().enumerate() {
                let twin = table.signs.get(at + 1..).unwrap_or_default().iter().find(|s| s.tail == sign.tail);
                assert!(twin.is_none(), "{}: {:?}", table.library, sign.tail);
            }
        }
    }

    #[test]
    fn the_own_library_comes_first() {
        let first = |name: &[&str]| find_signatures(name).first().map(|row| row.table.library);
        assert_eq!(first(&["L", "TileLayer"]), Some("leaflet"));
        assert_eq!(first(&["deck", "TileLayer"]), Some("deckgl"));
        assert_eq!(first(&["esri", "layers", "TileLayer"]), Some("arcgis4"));
        assert_eq!(first(&["x", "default", "tileLayer", "wms"]), Some("leaflet"));
    }
}
