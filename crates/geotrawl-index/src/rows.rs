//! What the ranking and the facets need of each record, in memory.
//!
//! A layer's facets are its record's. They stand once a record in a table instead of once a layer in columns: 1.5
//! million layers share 50,000 rows, a facet is counted once for a run of layers of one record, and a record whose
//! status changes is one row. The table is rebuilt from the stored documents when the index is opened; its blocks
//! are shared between snapshots, so that taking in a few changes copies a few blocks.

use crate::query::FACETS;
use geotrawl_model::{Record, Status};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Most values of one facet kept of a record; a service with 6,000 coordinate systems is found by the first of them.
const MOST_VALUES: usize = 64;
/// Longest value of a facet, in bytes.
const LONGEST_VALUE: usize = 200;
const BLOCK: usize = 512;

/// What is stored of a record's row.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredRow {
    pub id: String,
    pub status: Status,
    pub score: Option<u8>,
    /// First seen, last working (or seen), in seconds since 1970.
    pub born: i64,
    pub good: i64,
    pub host: String,
    pub place: Option<(f64, f64)>,
    pub country: Option<String>,
    /// Folded, for sorting.
    pub title: String,
    /// Values by facet, in the order of [`FACETS`].
    pub values: Vec<Vec<String>>,
    /// Number of the language by which it is stemmed.
    pub language: u8,
}

impl StoredRow {
    /// What the table keeps of a record.
    pub fn from_record(record: &Record, title: String, language: u8) -> Self {
        let resource = &record.resource;
        let one = |value: Option<&String>| value.map(|value| cut(value)).into_iter().collect();
        let values = FACETS.iter().map(|facet| match *facet {
            "kind" => vec![resource.kind.clone()],
            "theme" => unique(record.themes.iter().map(|theme| cut(&theme.term))),
            "country" => one(record.host.country.as_ref()),
            "provider" => one(resource.provider.as_ref()),
            "status" => vec![record.status.as_str().to_owned()],
            "quality" => vec![quality_band(record.score).to_owned()],
            "licence" => one(resource.licence.as_ref()),
            "crs" => {
                let own = resource.crs.iter();
                let layers = resource.datasets.iter().take(50).flat_map(|dataset| dataset.crs.iter());
                unique(own.chain(layers).take(2_000).map(|crs| cut(crs)))
            }
            _ => unique(resource.languages.iter().map(|language| normalize_language(language))),
        });
        Self {
            id: record.id.clone(),
            status: record.status,
            score: record.score,
            born: record.first_seen.as_second(),
            good: record.last_ok.unwrap_or(record.last_seen).as_second(),
            host: record.host.name.clone(),
            place: record.host.lat.zip(record.host.lon),
            country: record.host.country.clone(),
            title,
            values: values.collect(),
            language,
        }
    }
}

/// Languages by their two letters, whatever way the metadata name them.
pub fn normalize_language(stated: &str) -> String {
    geotrawl_text::Language::from_name(stated)
        .map_or_else(|| cut(&stated.to_lowercase()), |known| known.code().to_owned())
}

/// Band of a quality.
pub fn quality_band(score: Option<u8>) -> &'static str {
    score.map_or("unscored", geotrawl_trust::score::score_band)
}

fn cut(value: &str) -> String {
    let value = value.trim();
    value[..value.floor_char_boundary(LONGEST_VALUE)].to_owned()
}

fn unique(values: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for value in values.filter(|value| !value.is_empty()) {
        if !kept.contains(&value) {
            kept.push(value);
        }
        if kept.len() >= MOST_VALUES {
            break;
        }
    }
    kept
}

/// A record's row.
#[derive(Debug)]
pub struct IndexRow {
    pub id: Arc<str>,
    pub status: Status,
    pub score: Option<u8>,
    pub born: i64,
    pub good: i64,
    pub title: Box<str>,
    pub host: Arc<str>,
    pub place: Option<(f64, f64)>,
    pub country: Option<Box<str>>,
    /// Numbers of the values of all facets, those of facet `i` from `ends[i - 1]` to `ends[i]`.
    values: Box<[u32]>,
    ends: [u16; FACETS.len()],
    pub language: u8,
}

impl IndexRow {
    /// Numbers of its values of a facet.
    #[inline]
    pub fn values(&self, facet: usize) -> &[u32] {
        let from = if facet == 0 { 0 } else { self.ends[facet - 1] };
        &self.values[usize::from(from)..usize::from(self.ends[facet])]
    }
}

/// Values of a facet and their numbers.
#[derive(Debug, Default, Clone)]
pub struct FacetValues {
    names: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
}

impl FacetValues {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let name: Arc<str> = name.into();
        let number = self.names.len() as u32;
        self.names.push(Arc::clone(&name));
        self.numbers.insert(name, number);
        number
    }

    /// The value of a number.
    pub fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", |name| name)
    }

    /// All values, by their numbers.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// Numbers of the values that are this one but for case.
    pub fn find_numbers(&self, name: &str) -> Vec<u32> {
        if let Some(number) = self.numbers.get(name) {
            return vec![*number];
        }
        let wanted = name.to_lowercase();
        let same = self.names.iter().enumerate().filter(|(_, name)| name.to_lowercase() == wanted);
        same.map(|(number, _)| number as u32).collect()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }
}

/// What is asked of every record that matches, in one place: rows are scattered over the memory.
#[derive(Debug, Clone, Copy)]
pub struct RankingFacts {
    pub status: Status,
    pub score: Option<u8>,
    pub good: i64,
    /// Where its values begin among those of the block, and where those of each facet end from there.
    from: u32,
    ends: [u16; FACETS.len()],
}

/// The fact of a record, and values of its block.
#[derive(Debug, Clone, Copy)]
pub struct RecordFacts<'a> {
    pub fact: &'a RankingFacts,
    values: &'a [u32],
}

impl<'a> RecordFacts<'a> {
    /// Numbers of its values of a facet.
    #[inline]
    pub fn values(&self, facet: usize) -> &'a [u32] {
        let from = if facet == 0 { 0 } else { self.fact.ends[facet - 1] };
        let place = |end: u16| self.fact.from as usize + usize::from(end);
        &self.values[place(from)..place(self.fact.ends[facet])]
    }
}

/// Neighbouring records.
#[derive(Debug, Clone)]
struct RowBlock {
    rows: Vec<Option<Arc<IndexRow>>>,
    facts: Vec<Option<RankingFacts>>,
    values: Vec<u32>,
}

impl RowBlock {
    fn empty() -> Self {
        Self { rows: vec![None; BLOCK], facts: vec![None; BLOCK], values: Vec::new() }
    }

    /// Values of the row that was there stay where they are until they are half of all.
    fn set(&mut self, place: usize, row: Option<Arc<IndexRow>>) {
        self.rows[place] = row;
        let in_use: usize = self.rows.iter().flatten().map(|row| row.values.len()).sum();
        if self.values.len() <= in_use * 2 + BLOCK {
            self.fact(place);
            return;
        }
        self.values.clear();
        for place in 0..BLOCK {
            self.fact(place);
        }
    }

    fn fact(&mut self, place: usize) {
        let from = self.values.len() as u32;
        self.facts[place] = self.rows[place].as_ref().map(|row| {
            self.values.extend_from_slice(&row.values);
            RankingFacts { status: row.status, score: row.score, good: row.good, from, ends: row.ends }
        });
    }
}

/// Slots by id, in pieces that are shared between snapshots like the blocks are.
#[derive(Debug, Clone)]
struct SlotsById(Vec<Arc<HashMap<Arc<str>, u64>>>);

impl Default for SlotsById {
    fn default() -> Self {
        Self(vec![Arc::default(); 256])
    }
}

impl SlotsById {
    fn piece(&self, id: &str) -> usize {
        let mut hasher = std::hash::DefaultHasher::new();
        std::hash::Hash::hash(id, &mut hasher);
        std::hash::Hasher::finish(&hasher) as usize % self.0.len()
    }

    fn set(&mut self, id: &Arc<str>, slot: Option<u64>) {
        let piece = self.piece(id);
        let piece = Arc::make_mut(&mut self.0[piece]);
        match slot {
            Some(slot) => piece.insert(Arc::clone(id), slot),
            None => piece.remove(id),
        };
    }
}

/// The table of a snapshot.
#[derive(Debug, Default, Clone)]
pub struct RowTable {
    blocks: Vec<Arc<RowBlock>>,
    pub values: Arc<[FacetValues; FACETS.len()]>,
    hosts: Arc<HashSet<Arc<str>>>,
    slots_of: SlotsById,
    /// Languages that occur, as bits by number.
    pub languages: u32,
    /// The latest moment that any record worked: "now" for the freshness, without a clock.
    pub latest: i64,
    count: usize,
}

impl RowTable {
    /// Row of a record.
    #[inline]
    pub fn get(&self, slot: u64) -> Option<&IndexRow> {
        self.blocks.get(slot as usize / BLOCK)?.rows.get(slot as usize % BLOCK)?.as_deref()
    }

    /// What is asked of every record that matches.
    #[inline]
    pub fn facts(&self, slot: u64) -> Option<RecordFacts<'_>> {
        let block = self.blocks.get(slot as usize / BLOCK)?;
        let fact = block.facts.get(slot as usize % BLOCK)?.as_ref()?;
        Some(RecordFacts { fact, values: &block.values })
    }

    /// How many records there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Slots with a row.
    pub fn occupied_slots(&self) -> impl Iterator<Item = (u64, &IndexRow)> {
        let rows = self.blocks.iter().flat_map(|block| block.rows.iter());
        rows.enumerate().filter_map(|(slot, row)| Some((slot as u64, row.as_deref()?)))
    }

    /// Above every slot with a row.
    pub fn slots_end(&self) -> u32 {
        (self.blocks.len() * BLOCK) as u32
    }

    /// Slot of a record.
    pub fn find_slot(&self, id: &str) -> Option<u64> {
        self.slots_of.0[self.slots_of.piece(id)].get(id).copied()
    }

    /// Puts a row in its place, or takes it away.
    pub fn set_row(&mut self, slot: u64, row: Option<StoredRow>) {
        let row = row.map(|stored| Arc::new(self.make(stored)));
        while self.blocks.len() <= slot as usize / BLOCK {
            self.blocks.push(Arc::new(RowBlock::empty()));
        }
        let block = Arc::make_mut(&mut self.blocks[slot as usize / BLOCK]);
        let place = &block.rows[slot as usize % BLOCK];
        self.count = self.count + usize::from(row.is_some()) - usize::from(place.is_some());
        if let Some(before) = place {
            self.slots_of.set(&before.id, None);
        }
        if let Some(row) = &row {
            self.slots_of.set(&row.id, Some(slot));
        }
        block.set(slot as usize % BLOCK, row);
    }

    fn make(&mut self, stored: StoredRow) -> IndexRow {
        self.latest = self.latest.max(stored.good);
        self.languages |= 1 << stored.language.min(31);
        let tables = Arc::make_mut(&mut self.values);
        let mut values = Vec::new();
        let mut ends = [0; FACETS.len()];
        for (facet, table) in tables.iter_mut().enumerate() {
            for name in stored.values.get(facet).into_iter().flatten() {
                values.push(table.number(name));
            }
            ends[facet] = values.len() as u16;
        }
        let host: Arc<str> = if let Some(known) = self.hosts.get(stored.host.as_str()) {
            Arc::clone(known)
        } else {
            let host: Arc<str> = stored.host.into();
            Arc::make_mut(&mut self.hosts).insert(Arc::clone(&host));
            host
        };
        IndexRow {
            id: stored.id.into(),
            status: stored.status,
            score: stored.score,
            born: stored.born,
            good: stored.good,
            title: stored.title.into(),
            host,
            place: stored.place,
            country: stored.country.map(Into::into),
            values: values.into(),
            ends,
            language: stored.language,
        }
    }
}
