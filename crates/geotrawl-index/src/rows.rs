//! In-memory table of the data that ranking and facets need of each record.
//!
//! Layers share the facets of their record, so facets are stored once per record instead of once
//! per layer: 1.5 million layers share 50,000 rows, facets are counted once per run of layers, and
//! a change of status updates one row. The table is rebuilt from the stored documents when the
//! index is opened. Snapshots share its blocks, so that applying a few changes copies only a few
//! blocks.

use crate::query::FACETS;
use geotrawl_model::{Record, Status};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Maximum number of values per facet and record: some services list 6,000 coordinate systems.
const MOST_VALUES: usize = 64;
/// Maximum length of a facet value in bytes.
const LONGEST_VALUE: usize = 200;
const BLOCK: usize = 512;

/// Stored form of a record's row.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredRow {
    pub id: String,
    pub status: Status,
    pub score: Option<u8>,
    /// When the record was first seen, and when it last worked or was last seen, in seconds since
    /// 1970.
    pub born: i64,
    pub good: i64,
    pub host: String,
    pub place: Option<(f64, f64)>,
    pub country: Option<String>,
    /// Folded, for sorting.
    pub title: String,
    /// Values by facet, in the order of [`FACETS`].
    pub values: Vec<Vec<String>>,
    /// Number of the language used for stemming.
    pub language: u8,
}

impl StoredRow {
    /// Extracts the row of a record.
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

/// Returns the two-letter code of a language, or the stated name in lower case if the language is
/// unknown.
pub fn normalize_language(stated: &str) -> String {
    geotrawl_text::Language::from_name(stated)
        .map_or_else(|| cut(&stated.to_lowercase()), |known| known.code().to_owned())
}

/// Returns the band of a quality score.
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

/// Row of a record.
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
    /// Value numbers of all facets; those of facet `i` range from `ends[i - 1]` to `ends[i]`.
    values: Box<[u32]>,
    ends: [u16; FACETS.len()],
    pub language: u8,
}

impl IndexRow {
    /// Returns the value numbers of a facet.
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

    /// Returns the value with a number.
    pub fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", |name| name)
    }

    /// Returns all values in the order of their numbers.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// Returns the numbers of the values that equal `name`, ignoring case.
    pub fn find_numbers(&self, name: &str) -> Vec<u32> {
        if let Some(number) = self.numbers.get(name) {
            return vec![*number];
        }
        let wanted = name.to_lowercase();
        let same = self.names.iter().enumerate().filter(|(_, name)| name.to_lowercase() == wanted);
        same.map(|(number, _)| number as u32).collect()
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.names.len()
    }
}

/// Data read for every matching record, stored contiguously because rows are scattered in memory.
#[derive(Debug, Clone, Copy)]
pub struct RankingFacts {
    pub status: Status,
    pub score: Option<u8>,
    pub good: i64,
    /// Start of its values within the block, and relative end of each facet.
    from: u32,
    ends: [u16; FACETS.len()],
}

/// Facts of a record with the values of its block.
#[derive(Debug, Clone, Copy)]
pub struct RecordFacetValues<'a> {
    pub fact: &'a RankingFacts,
    values: &'a [u32],
}

impl<'a> RecordFacetValues<'a> {
    /// Returns the value numbers of a facet.
    #[inline]
    pub fn values(&self, facet: usize) -> &'a [u32] {
        let from = if facet == 0 { 0 } else { self.fact.ends[facet - 1] };
        let place = |end: u16| self.fact.from as usize + usize::from(end);
        &self.values[place(from)..place(self.fact.ends[facet])]
    }
}

/// A block of adjacent rows.
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

    /// Replaces a row. Values of replaced rows are reclaimed once they make up half of the block.
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

/// Slots by id, in shards that snapshots share like blocks.
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

/// Row table of a snapshot.
#[derive(Debug, Default, Clone)]
pub struct RowTable {
    blocks: Vec<Arc<RowBlock>>,
    pub values: Arc<[FacetValues; FACETS.len()]>,
    hosts: Arc<HashSet<Arc<str>>>,
    slots_of: SlotsById,
    /// Bit set of the languages that occur, by number.
    pub languages: u32,
    /// Latest time at which any record worked: serves as "now" for freshness, without a clock.
    pub latest: i64,
    count: usize,
}

impl RowTable {
    /// Returns the row in a slot.
    #[inline]
    pub fn get(&self, slot: u64) -> Option<&IndexRow> {
        self.blocks.get(slot as usize / BLOCK)?.rows.get(slot as usize % BLOCK)?.as_deref()
    }

    /// Returns the facts of the record in a slot.
    #[inline]
    pub fn facts(&self, slot: u64) -> Option<RecordFacetValues<'_>> {
        let block = self.blocks.get(slot as usize / BLOCK)?;
        let fact = block.facts.get(slot as usize % BLOCK)?.as_ref()?;
        Some(RecordFacetValues { fact, values: &block.values })
    }

    /// Returns the number of records.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the slots with their rows.
    pub fn occupied_slots(&self) -> impl Iterator<Item = (u64, &IndexRow)> {
        let rows = self.blocks.iter().flat_map(|block| block.rows.iter());
        rows.enumerate().filter_map(|(slot, row)| Some((slot as u64, row.as_deref()?)))
    }

    /// Returns an upper bound of the slots.
    pub fn slots_end(&self) -> u32 {
        (self.blocks.len() * BLOCK) as u32
    }

    /// Returns the slot of a record.
    pub fn find_slot(&self, id: &str) -> Option<u64> {
        self.slots_of.0[self.slots_of.piece(id)].get(id).copied()
    }

    /// Replaces or removes the row in a slot.
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
