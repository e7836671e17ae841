//! Goes through the documents that match the words and keeps what else is wanted of them: place, time, facets, rank.
//!
//! The engine's collectors score every match before anything else is known of it; here a document is scored only
//! when it passes everything else. Layers of one record follow each other in a segment, so that the record's facets
//! are tested and counted once for a run of them.

use crate::boxes::Area;
use crate::query::{By, FACETS, Relation, Signal, Sort};
use crate::rank::{Standing, overlap};
use crate::rows::{Row, Rows};
use crate::schema::column;
use std::cmp::Ordering;
use std::sync::Arc;
use tantivy::columnar::{Column, ColumnValues};
use tantivy::query::{EnableScoring, Query, Scorer};
use tantivy::{DocAddress, Searcher, SegmentReader, TERMINATED};

/// What is wanted of the documents besides the words.
pub struct Wanted<'a> {
    pub rows: &'a Rows,
    pub by: By,
    pub sort: Sort,
    pub area: Option<(Area, Relation)>,
    pub time: Option<(i64, i64)>,
    /// By facet: which of its values will do; `None`: any.
    pub filters: [Option<Vec<bool>>; FACETS.len()],
    pub without: &'a [Signal],
    /// Whether there are words to score by.
    pub scored: bool,
    pub count_facets: bool,
    /// Keep the records of all hits.
    pub keep_records: bool,
    /// How many of the best hits are kept.
    pub keep: usize,
    /// Keep so many hits of each record instead.
    pub keep_each: Option<usize>,
}

/// A hit.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// Greater is better.
    key: u128,
    pub slot: u64,
    pub place: u64,
    pub at: DocAddress,
    pub score: f32,
    pub text: f32,
    pub overlap: f32,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    pub total: u64,
    /// Best first.
    pub best: Vec<Candidate>,
    /// By facet and number of the value.
    pub facets: Vec<Vec<u64>>,
    /// Record and how many hits of it, in runs.
    pub records: Vec<(u64, u64)>,
}

/// What is known of the record whose layers are gone through.
struct Run<'a> {
    slot: u64,
    row: Option<&'a Row>,
    fails: Fails,
    standing: f32,
    hits: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fails {
    No,
    /// Only this facet: it still counts there.
    One(usize),
    Many,
}

struct Columns {
    slot: Arc<dyn ColumnValues<u64>>,
    place: Arc<dyn ColumnValues<u64>>,
    west_south: Arc<dyn ColumnValues<u64>>,
    east_north: Arc<dyn ColumnValues<u64>>,
    time: Option<(Column<i64>, Column<i64>)>,
    title: Option<[Arc<dyn ColumnValues<u64>>; 2]>,
}

impl Columns {
    fn open(reader: &SegmentReader, wanted: &Wanted) -> tantivy::Result<Self> {
        let fast = reader.fast_fields();
        let full = |name: &str| tantivy::Result::Ok(fast.u64(name)?.first_or_default_col(u64::MAX));
        let title = wanted.sort == Sort::Title && wanted.by == By::Layers;
        Ok(Self {
            slot: full(column::SLOT)?,
            place: full(column::PLACE)?,
            west_south: full(column::WEST_SOUTH)?,
            east_north: full(column::EAST_NORTH)?,
            time: match wanted.time {
                Some(_) => Some((fast.i64(column::FROM)?, fast.i64(column::TO)?)),
                None => None,
            },
            title: if title { Some([full(column::TITLE[0])?, full(column::TITLE[1])?]) } else { None },
        })
    }
}

/// Goes through all matches of a query.
pub fn collect(searcher: &Searcher, query: &dyn Query, wanted: &Wanted) -> tantivy::Result<Found> {
    let scoring = if wanted.scored {
        EnableScoring::enabled_from_searcher(searcher)
    } else {
        EnableScoring::disabled_from_searcher(searcher)
    };
    let weight = query.weight(scoring)?;
    let mut found = Found::default();
    if wanted.count_facets {
        found.facets = wanted.rows.values.iter().map(|values| vec![0; values.len()]).collect();
    }
    for (segment, reader) in searcher.segment_readers().iter().enumerate() {
        let columns = Columns::open(reader, wanted)?;
        let mut scorer = weight.scorer(reader, 1.0)?;
        Pass { wanted, found: &mut found, columns: &columns, segment: segment as u32 }
            .go(reader, &mut *scorer);
    }
    if let Some(each) = wanted.keep_each {
        keep_each(&mut found.best, each, wanted);
    } else {
        found.best.sort_unstable_by(|a, b| order(a, b, wanted));
        found.best.truncate(wanted.keep);
    }
    Ok(found)
}

struct Pass<'a, 'b> {
    wanted: &'a Wanted<'a>,
    found: &'b mut Found,
    columns: &'a Columns,
    segment: u32,
}

impl<'a> Pass<'a, '_> {
    fn go(mut self, reader: &SegmentReader, scorer: &mut dyn Scorer) {
        let wanted = self.wanted;
        let alive = reader.alive_bitset();
        let mut run = Run { slot: u64::MAX, row: None, fails: Fails::Many, standing: 1.0, hits: 0 };
        let mut doc = scorer.doc();
        while doc != TERMINATED {
            let this = doc;
            if alive.is_none_or(|alive| alive.is_alive(this)) {
                let slot = self.columns.slot.get_val(this);
                if slot != run.slot {
                    self.count(&run);
                    run = self.begin(slot);
                }
                let useful = match run.fails {
                    Fails::No => true,
                    Fails::One(_) => wanted.count_facets,
                    Fails::Many => false,
                };
                if useful && let Some(ratio) = self.lies(this) {
                    run.hits += 1;
                    if run.fails == Fails::No {
                        self.hit(this, &run, ratio, scorer);
                    }
                }
            }
            doc = scorer.advance();
        }
        self.count(&run);
    }

    fn begin(&self, slot: u64) -> Run<'a> {
        let wanted = self.wanted;
        let Some(row) = wanted.rows.get(slot) else {
            return Run { slot, row: None, fails: Fails::Many, standing: 1.0, hits: 0 };
        };
        let mut fails = Fails::No;
        for (facet, filter) in wanted.filters.iter().enumerate() {
            let Some(filter) = filter else { continue };
            let holds = |value: &u32| filter.get(*value as usize).copied().unwrap_or(false);
            if !row.values(facet).iter().any(holds) {
                fails = if fails == Fails::No { Fails::One(facet) } else { Fails::Many };
            }
        }
        let standing = if wanted.sort == Sort::Best && fails == Fails::No {
            Standing::of(row, wanted.rows.latest, wanted.without).product()
        } else {
            1.0
        };
        Run { slot, row: Some(row), fails, standing, hits: 0 }
    }

    /// Whether a document lies where and when it should, and how much of the place it shares.
    #[inline]
    #[expect(clippy::option_option, reason = "not there; there, with a box asked for or without one")]
    fn lies(&self, doc: u32) -> Option<Option<(Area, Area)>> {
        let wanted = self.wanted;
        if let (Some((from, to)), Some((first, last))) = (wanted.time, &self.columns.time) {
            let (first, last) = (first.first(doc)?, last.first(doc)?);
            if first > to || last < from {
                return None;
            }
        }
        let Some((asked, relation)) = wanted.area else { return Some(None) };
        let packed = (self.columns.west_south.get_val(doc), self.columns.east_north.get_val(doc));
        let area = Area::unpack(packed)?;
        area.lies(asked, relation).then_some(Some((area, asked)))
    }

    fn hit(&mut self, doc: u32, run: &Run<'a>, areas: Option<(Area, Area)>, scorer: &mut dyn Scorer) {
        let wanted = self.wanted;
        self.found.total += 1;
        if wanted.keep == 0 && wanted.keep_each.is_none() {
            return;
        }
        let text = if wanted.scored { crate::rank::text(scorer.score()) } else { 1.0 };
        let shared = match areas {
            Some((area, asked)) if !wanted.without.contains(&Signal::Overlap) => overlap(area.overlap(asked)),
            _ => 1.0,
        };
        let score = text * shared * run.standing;
        let key = match (wanted.sort, run.row) {
            (Sort::Best, _) | (_, None) => u128::from(score.max(0.0).to_bits()),
            (Sort::Newest, Some(row)) => (i128::from(row.born) - i128::from(i64::MIN)).cast_unsigned(),
            (Sort::Quality, Some(row)) => row.score.map_or(0, |score| u128::from(score) + 1),
            (Sort::Title, Some(row)) => !match &self.columns.title {
                Some([first, second]) => {
                    (u128::from(first.get_val(doc)) << 64) | u128::from(second.get_val(doc))
                }
                None => beginning(&row.title),
            },
        };
        let best = &mut self.found.best;
        let place = if wanted.by == By::Layers { self.columns.place.get_val(doc) } else { 0 };
        let at = DocAddress::new(self.segment, doc);
        best.push(Candidate { key, slot: run.slot, place, at, score, text, overlap: shared });
        if wanted.keep_each.is_none() && best.len() >= wanted.keep * 2 + 256 {
            best.select_nth_unstable_by(wanted.keep.max(1) - 1, |a, b| order(a, b, wanted));
            best.truncate(wanted.keep);
        }
    }

    /// Counts a run of hits of one record where they count.
    fn count(&mut self, run: &Run) {
        let Some(row) = run.row.filter(|_| run.hits > 0) else { return };
        if self.wanted.keep_records && run.fails == Fails::No {
            self.found.records.push((run.slot, run.hits));
        }
        let mut add = |facet: usize| {
            if let Some(counts) = self.found.facets.get_mut(facet) {
                for value in row.values(facet) {
                    if let Some(count) = counts.get_mut(*value as usize) {
                        *count += run.hits;
                    }
                }
            }
        };
        match run.fails {
            Fails::No => (0..FACETS.len()).for_each(add),
            Fails::One(facet) => add(facet),
            Fails::Many => {}
        }
    }
}

/// First sixteen bytes, for a quick comparison.
fn beginning(text: &str) -> u128 {
    let mut bytes = [0; 16];
    for (to, from) in bytes.iter_mut().zip(text.as_bytes()) {
        *to = *from;
    }
    u128::from_be_bytes(bytes)
}

/// Better first; what is equal goes by title where that is asked for, then by id and place, so that pages are stable.
fn order(a: &Candidate, b: &Candidate, wanted: &Wanted) -> Ordering {
    b.key.cmp(&a.key).then_with(|| {
        let row = |slot| wanted.rows.get(slot);
        let titles = if wanted.sort == Sort::Title && wanted.by == By::Services {
            row(a.slot).map(|row| &row.title).cmp(&row(b.slot).map(|row| &row.title))
        } else {
            Ordering::Equal
        };
        let ids = || {
            if a.slot == b.slot {
                return Ordering::Equal;
            }
            row(a.slot).map(|row| &row.id).cmp(&row(b.slot).map(|row| &row.id))
        };
        titles.then_with(ids).then_with(|| a.place.cmp(&b.place)).then_with(|| a.at.cmp(&b.at))
    })
}

fn keep_each(best: &mut Vec<Candidate>, each: usize, wanted: &Wanted) {
    best.sort_unstable_by(|a, b| a.slot.cmp(&b.slot).then_with(|| order(a, b, wanted)));
    let (mut slot, mut kept) = (u64::MAX, 0);
    best.retain(|candidate| {
        kept = if candidate.slot == slot { kept + 1 } else { 1 };
        slot = candidate.slot;
        kept <= each
    });
}
