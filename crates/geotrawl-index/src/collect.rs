//! Collects the hits of a query: tests the documents that match the words for place, time and
//! facets, and ranks them.
//!
//! A document is scored only if it passes every other test and can still be among the best: all
//! factors but the text score are known beforehand, and the text score has an upper bound. Layers
//! of one record are adjacent in a segment, so the record's facets are tested and counted once per
//! run of layers.

use crate::bits::BitSet;
use crate::boxes::{DocumentBox, QueryBox};
use crate::compile::CompiledQuery;
use crate::plan::QueryPlan;
use crate::query::{FACETS, RankingSignal, SearchTarget, SortOrder, SpatialRelation};
use crate::rank::{RecordFactors, overlap_factor};
use crate::rows::{RecordFacetValues, RowTable};
use crate::schema::column;
use crate::tables::{RecordDocumentRange, SearchIndex, SegmentTable};
use std::cmp::Ordering;
use std::sync::Arc;
use tantivy::columnar::{Column, ColumnValues};
use tantivy::query::EnableScoring;
use tantivy::{DocAddress, SegmentReader, TERMINATED};

/// Number of hits that are scored before the first bound is known, and batch size afterwards.
const FIRST: usize = 128;
const AT_A_TIME: usize = 512;
/// Number of records whose facts are fetched together: they are scattered in memory, and
/// independent loads hardly take longer than a single one.
const FETCHED: usize = 32;

/// Everything that a query requires besides its words.
#[derive(Clone)]
pub struct SearchCriteria<'a> {
    pub rows: &'a RowTable,
    pub by: SearchTarget,
    pub sort: SortOrder,
    pub area: Option<(QueryBox, SpatialRelation)>,
    pub time: Option<(i64, i64)>,
    /// Accepted values by facet; `None` accepts any.
    pub filters: [Option<Vec<bool>>; FACETS.len()],
    pub without: &'a [RankingSignal],
    /// Whether the query has words to score by.
    pub scored: bool,
    pub count_facets: bool,
    /// Whether to return the records of all hits.
    pub keep_records: bool,
    /// Number of best hits to keep.
    pub keep: usize,
    /// Number of leading hits that are skipped and need not be sorted.
    pub skip: usize,
    /// Accepts only these records, by slot.
    pub passing: Option<&'a BitSet>,
    /// Accepts only documents of these records, by slot.
    pub only: Option<&'a [u64]>,
    /// Minimum number of words that must match; `None` requires all.
    pub minimum: Option<usize>,
    /// Keeps this many hits per record instead of `keep` in total.
    pub keep_each: Option<usize>,
}

/// A scored hit.
#[derive(Debug, Clone, Copy)]
pub struct ScoredHit {
    /// Sort key; greater is better.
    pub key: u128,
    pub slot: u64,
    pub place: u64,
    pub at: DocAddress,
    pub score: f32,
    pub text: f32,
    pub overlap: f32,
}

/// Hits of a query, with counts.
#[derive(Debug, Default)]
pub struct CollectedHits {
    pub total: u64,
    /// Hits, best first.
    pub best: Vec<ScoredHit>,
    /// Counts by facet and number of the value.
    pub facets: Vec<Vec<u64>>,
    /// Slots of records with their numbers of hits, one entry per run.
    pub records: Vec<(u64, u64)>,
}

/// The record whose documents are being collected.
struct CurrentRecord<'a> {
    slot: u64,
    facts: Option<RecordFacetValues<'a>>,
    fails: FacetMismatch,
    standing: f32,
    hits: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FacetMismatch {
    No,
    /// Fails only this facet, so it still counts towards the alternatives of that facet.
    One(usize),
    Many,
}

/// A document that passes every test and is not scored yet.
#[derive(Clone, Copy)]
struct PassedDocument {
    document: u32,
    standing: f32,
    overlap: f32,
}

impl PassedDocument {
    fn factor(&self) -> f32 {
        self.standing * self.overlap
    }
}

/// Columns that only some queries need.
struct SegmentColumns {
    time: Option<(Column<i64>, Column<i64>)>,
    title: Option<[Arc<dyn ColumnValues<u64>>; 2]>,
}

impl SegmentColumns {
    fn open(reader: &SegmentReader, wanted: &SearchCriteria) -> tantivy::Result<Self> {
        let fast = reader.fast_fields();
        let full = |name: &str| tantivy::Result::Ok(fast.u64(name)?.first_or_default_col(u64::MAX));
        let title = wanted.sorts_by_layer_title();
        Ok(Self {
            time: match wanted.time {
                Some(_) => Some((fast.i64(column::FROM)?, fast.i64(column::TO)?)),
                None => None,
            },
            title: if title { Some([full(column::TITLE[0])?, full(column::TITLE[1])?]) } else { None },
        })
    }
}

impl SearchCriteria<'_> {
    /// Returns whether hits are sorted by layer titles. Those are not in memory; hits whose titles
    /// start alike are all kept until the caller compares the whole titles.
    pub fn sorts_by_layer_title(&self) -> bool {
        self.sort == SortOrder::Title && self.by == SearchTarget::Layers
    }
}

/// Collects all hits of a query.
pub fn collect_hits(
    half: &SearchIndex,
    words: &CompiledQuery,
    wanted: &SearchCriteria,
) -> tantivy::Result<CollectedHits> {
    let mut found = CollectedHits::default();
    if wanted.count_facets {
        found.facets = wanted.rows.values.iter().map(|values| vec![0; values.len()]).collect();
    }
    let weight = match words {
        CompiledQuery::Plan(_) => None,
        CompiledQuery::Query(query) => Some(query.weight(if wanted.scored {
            EnableScoring::enabled_from_searcher(&half.searcher)
        } else {
            EnableScoring::disabled_from_searcher(&half.searcher)
        })?),
    };
    for (segment, reader) in half.searcher.segment_readers().iter().enumerate() {
        let columns = SegmentColumns::open(reader, wanted)?;
        let table = &*half.tables[segment];
        let mut pass = SegmentCollector {
            wanted,
            found: &mut found,
            columns: &columns,
            half,
            table,
            reader,
            segment,
            full: 0,
        };
        match (words, &weight) {
            (CompiledQuery::Plan(plan), _) if wanted.only.is_some() => pass.of_few(plan)?,
            (CompiledQuery::Plan(plan), _) => pass.of_plan(plan)?,
            (CompiledQuery::Query(_), Some(weight)) => pass.of_query(&mut *weight.scorer(reader, 1.0)?),
            (CompiledQuery::Query(_), None) => {}
        }
    }
    if let Some(each) = wanted.keep_each {
        keep_each(&mut found.best, each, wanted);
    } else {
        let skip = if wanted.sorts_by_layer_title() { 0 } else { wanted.skip };
        if !wanted.sorts_by_layer_title() && wanted.keep > 0 && found.best.len() > wanted.keep {
            found.best.select_nth_unstable_by(wanted.keep - 1, |a, b| compare_hits(a, b, wanted));
            found.best.truncate(wanted.keep);
        }
        // Only the requested page needs to be sorted.
        if skip > 0 && skip < found.best.len() {
            found.best.select_nth_unstable_by(skip, |a, b| compare_hits(a, b, wanted));
        }
        if let Some(page) = found.best.get_mut(skip..) {
            page.sort_unstable_by(|a, b| compare_hits(a, b, wanted));
        }
        if !wanted.sorts_by_layer_title() {
            found.best.truncate(wanted.keep);
        }
    }
    Ok(found)
}

struct SegmentCollector<'a, 'b> {
    wanted: &'a SearchCriteria<'a>,
    found: &'b mut CollectedHits,
    columns: &'a SegmentColumns,
    half: &'a SearchIndex,
    table: &'a SegmentTable,
    reader: &'a SegmentReader,
    segment: usize,
    /// Number of kept hits at which the worst are discarded.
    full: usize,
}

impl<'a> SegmentCollector<'a, '_> {
    /// Collects the matches of an engine query, in document order.
    fn of_query(&mut self, scorer: &mut dyn tantivy::query::Scorer) {
        let mut of =
            CurrentRecord { slot: u64::MAX, facts: None, fails: FacetMismatch::Many, standing: 1.0, hits: 0 };
        let mut document = scorer.doc();
        while document != TERMINATED {
            let run = &self.table.runs[self.table.run_of[document as usize] as usize];
            if u64::from(run.slot) != of.slot {
                self.count(&of);
                of = self.begin(run);
            }
            if let Some(passed) = self.consider(document, &mut of) {
                let text = if self.wanted.scored { crate::rank::text_factor(scorer.score()) } else { 1.0 };
                self.keep(passed, text);
            }
            document = scorer.advance();
        }
        self.count(&of);
    }

    /// Collects the matches of a plan.
    fn of_plan(&mut self, plan: &QueryPlan) -> tantivy::Result<()> {
        let matches = plan.matching_documents(self.half, self.segment, self.wanted.minimum)?;
        let mut passed = Vec::new();
        if self.table.has_one_document_per_record() {
            self.singles(&matches, &mut passed);
            return self.score(plan, passed);
        }
        match self.wanted.area {
            // If a good part of the catalogue matches the words, testing the box first excludes
            // more documents.
            Some((asked, _)) if matches.count() > self.table.runs.len() / 8 => {
                let (south, north) = asked.latitude_range();
                for (number, (from, to)) in self.table.latitudes.iter().enumerate() {
                    if *from <= north && *to >= south {
                        self.run(&self.table.runs[number], &matches, None, &mut passed);
                    }
                }
            }
            _ => {
                let mut next = matches.next_from(0);
                while let Some(document) = next {
                    let run = &self.table.runs[self.table.run_of[document as usize] as usize];
                    self.run(run, &matches, next, &mut passed);
                    next = matches.next_from(run.to);
                }
            }
        }
        self.score(plan, passed)
    }

    /// Collects matches where every document is a separate record: tests the box first, then the
    /// record's facts.
    fn singles(&mut self, matches: &BitSet, passed: &mut Vec<PassedDocument>) {
        let (wanted, table) = (self.wanted, self.table);
        let mut near = Vec::new();
        match &wanted.area {
            Some((asked, relation)) => {
                let (south, north) = asked.latitude_range();
                matches.for_each(|document| {
                    let (from, to) = table.latitudes[document as usize];
                    if from <= north
                        && to >= south
                        && table.spots[document as usize].matches_relation(asked, *relation)
                    {
                        near.push(document);
                    }
                });
            }
            None => matches.for_each(|document| near.push(document)),
        }
        passed.reserve(near.len());
        for near in near.chunks(FETCHED) {
            let slot = |document: &u32| u64::from(table.runs[*document as usize].slot);
            let mut facts = [None; FETCHED];
            for (to, document) in facts.iter_mut().zip(near) {
                *to = self.facts(slot(document));
            }
            let mut fails = [FacetMismatch::Many; FETCHED];
            for (to, facts) in fails.iter_mut().zip(&facts[..near.len()]) {
                *to = self.fails(facts.as_ref());
            }
            for (document, (facts, fails)) in near.iter().zip(facts.into_iter().zip(fails)) {
                let mut of = self.record(slot(document), facts, fails);
                if !self.useless(&of) && self.stays(*document) {
                    passed.extend(self.pass(*document, &mut of));
                    self.count(&of);
                }
            }
        }
    }

    /// Collects the matches of a run, starting at `first` if it is known.
    fn run(
        &mut self,
        run: &RecordDocumentRange,
        matches: &BitSet,
        first: Option<u32>,
        passed: &mut Vec<PassedDocument>,
    ) {
        if self.beside(run) {
            return;
        }
        let mut next = first.or_else(|| matches.next_in_range(run.from, run.to));
        if next.is_none() {
            return;
        }
        let mut of = self.begin(run);
        if self.useless(&of) {
            return;
        }
        while let Some(document) = next {
            passed.extend(self.consider(document, &mut of));
            next = matches.next_in_range(document + 1, run.to);
        }
        self.count(&of);
    }

    /// Scores all documents of the few requested records, which is cheaper than reading all
    /// documents with the words.
    fn of_few(&mut self, plan: &QueryPlan) -> tantivy::Result<()> {
        let mut runs: Vec<&RecordDocumentRange> = self
            .wanted
            .only
            .unwrap_or_default()
            .iter()
            .flat_map(|slot| self.table.document_ranges_of(*slot))
            .collect();
        runs.sort_unstable_by_key(|run| run.from);
        runs.dedup_by_key(|run| run.from);
        let documents: Vec<u32> =
            runs.iter().filter(|run| !self.beside(run)).flat_map(|run| run.from..run.to).collect();
        let scores = plan.score_documents(self.half, self.segment, &documents)?;
        let mut of =
            CurrentRecord { slot: u64::MAX, facts: None, fails: FacetMismatch::Many, standing: 1.0, hits: 0 };
        for (document, scored) in documents.into_iter().zip(scores) {
            let run = &self.table.runs[self.table.run_of[document as usize] as usize];
            if u64::from(run.slot) != of.slot {
                self.count(&of);
                of = self.begin(run);
            }
            if plan.is_sufficient(scored, self.wanted.minimum)
                && let Some(passed) = self.consider(document, &mut of)
            {
                self.keep(passed, if self.wanted.scored { plan.text_factor(scored) } else { 1.0 });
            }
        }
        self.count(&of);
        Ok(())
    }

    /// Scores the documents that can still be among the best.
    fn score(&mut self, plan: &QueryPlan, mut passed: Vec<PassedDocument>) -> tantivy::Result<()> {
        if !self.wanted.scored || self.wanted.keep == 0 {
            for passed in passed {
                self.keep(passed, 1.0);
            }
            return Ok(());
        }
        let first = FIRST.max(self.wanted.keep.saturating_mul(2));
        if passed.len() <= first * 2 {
            return self.score_all(plan, passed);
        }
        let documents: Vec<u32> = passed.iter().map(|passed| passed.document).collect();
        let most = plan.score_bounds(self.half, self.segment, &documents)?;
        // Slightly above the bound, to allow for rounding.
        let highest = |(passed, most): (PassedDocument, f32)| (passed.factor() * most * 1.001, passed);
        let mut may: Vec<(f32, PassedDocument)> = passed.drain(..).zip(most).map(highest).collect();
        let higher = |a: &(f32, PassedDocument), b: &(f32, PassedDocument)| b.0.total_cmp(&a.0);
        may.select_nth_unstable_by(first, higher);
        let mut rest = may.split_off(first);
        self.score_all(plan, may.into_iter().map(|(_, passed)| passed).collect())?;
        let least = self.least();
        rest.retain(|(highest, _)| *highest >= least);
        rest.sort_unstable_by(higher);
        for part in rest.chunks(AT_A_TIME) {
            let least = self.least();
            let part: Vec<PassedDocument> =
                part.iter().take_while(|(highest, _)| *highest >= least).map(|(_, passed)| *passed).collect();
            if part.is_empty() {
                break;
            }
            self.score_all(plan, part)?;
        }
        Ok(())
    }

    fn score_all(&mut self, plan: &QueryPlan, mut passed: Vec<PassedDocument>) -> tantivy::Result<()> {
        passed.sort_unstable_by_key(|passed| passed.document);
        let documents: Vec<u32> = passed.iter().map(|passed| passed.document).collect();
        for (passed, scored) in
            passed.into_iter().zip(plan.score_documents(self.half, self.segment, &documents)?)
        {
            self.keep(passed, plan.text_factor(scored));
        }
        Ok(())
    }

    /// Returns the score of the last hit that is kept, or 0 if fewer than `keep` are kept.
    fn least(&mut self) -> f32 {
        let (wanted, best) = (self.wanted, &mut self.found.best);
        if best.len() < wanted.keep {
            return 0.0;
        }
        best.select_nth_unstable_by(wanted.keep - 1, |a, b| compare_hits(a, b, wanted));
        best.truncate(wanted.keep);
        best.last().map_or(0.0, |last| last.score)
    }

    /// Returns whether a run lies entirely outside the requested box.
    #[inline]
    fn beside(&self, run: &RecordDocumentRange) -> bool {
        self.wanted
            .area
            .as_ref()
            .is_some_and(|(asked, _)| !run.around.matches_relation(asked, SpatialRelation::Overlaps))
    }

    fn useless(&self, of: &CurrentRecord) -> bool {
        match of.fails {
            FacetMismatch::No => false,
            FacetMismatch::One(_) => !self.wanted.count_facets,
            FacetMismatch::Many => true,
        }
    }

    fn begin(&self, run: &RecordDocumentRange) -> CurrentRecord<'a> {
        let slot = u64::from(run.slot);
        let facts = self.facts(slot);
        self.record(slot, facts, self.fails(facts.as_ref()))
    }

    /// Returns the facts of a record if it meets the filter.
    #[inline]
    fn facts(&self, slot: u64) -> Option<RecordFacetValues<'a>> {
        if self.wanted.passing.is_some_and(|passing| !passing.contains(slot as u32)) {
            return None;
        }
        self.wanted.rows.facts(slot)
    }

    /// Returns which of the facet filters a record fails.
    #[inline]
    fn fails(&self, facts: Option<&RecordFacetValues>) -> FacetMismatch {
        let Some(facts) = facts else { return FacetMismatch::Many };
        let mut fails = FacetMismatch::No;
        for (facet, filter) in self.wanted.filters.iter().enumerate() {
            let Some(filter) = filter else { continue };
            let holds = |value: &u32| filter.get(*value as usize).copied().unwrap_or(false);
            if !facts.values(facet).iter().any(holds) {
                fails =
                    if fails == FacetMismatch::No { FacetMismatch::One(facet) } else { FacetMismatch::Many };
            }
        }
        fails
    }

    #[inline]
    fn record(
        &self,
        slot: u64,
        facts: Option<RecordFacetValues<'a>>,
        fails: FacetMismatch,
    ) -> CurrentRecord<'a> {
        let wanted = self.wanted;
        let standing = match facts {
            Some(facts) if wanted.sort == SortOrder::Best && fails == FacetMismatch::No => {
                RecordFactors::from_facts(facts.fact, wanted.rows.latest, wanted.without).product()
            }
            _ => 1.0,
        };
        CurrentRecord { slot, facts, fails, standing, hits: 0 }
    }

    /// Tests a document that matches the words, counts it, and returns it if it passes every test.
    #[inline]
    fn consider(&self, document: u32, of: &mut CurrentRecord) -> Option<PassedDocument> {
        if self.useless(of) || !self.stays(document) {
            return None;
        }
        if let Some((asked, relation)) = &self.wanted.area
            && !self.table.spots[document as usize].matches_relation(asked, *relation)
        {
            return None;
        }
        self.pass(document, of)
    }

    /// Returns whether a document is still alive and touches the requested time.
    #[inline]
    fn stays(&self, document: u32) -> bool {
        if self.reader.alive_bitset().is_some_and(|alive| !alive.is_alive(document)) {
            return false;
        }
        let (Some((from, to)), Some((first, last))) = (self.wanted.time, &self.columns.time) else {
            return true;
        };
        first
            .first(document)
            .zip(last.first(document))
            .is_some_and(|(first, last)| first <= to && last >= from)
    }

    /// Counts a document that passes place and time, and returns it if its record passes the
    /// facets.
    #[inline]
    fn pass(&self, document: u32, of: &mut CurrentRecord) -> Option<PassedDocument> {
        let wanted = self.wanted;
        of.hits += 1;
        if of.fails != FacetMismatch::No {
            return None;
        }
        let ranked = wanted.keep > 0 || wanted.keep_each.is_some();
        let shared = match &wanted.area {
            Some((asked, _)) if ranked && !wanted.without.contains(&RankingSignal::Overlap) => {
                let spot: DocumentBox = self.table.spots[document as usize];
                overlap_factor(spot.overlap_ratio(asked))
            }
            _ => 1.0,
        };
        Some(PassedDocument { document, standing: of.standing, overlap: shared })
    }

    fn keep(&mut self, passed: PassedDocument, text: f32) {
        let wanted = self.wanted;
        if wanted.keep == 0 && wanted.keep_each.is_none() {
            return;
        }
        let document = passed.document;
        let slot = u64::from(self.table.runs[self.table.run_of[document as usize] as usize].slot);
        let row = wanted.rows.get(slot);
        let score = text * passed.factor();
        let key = match (wanted.sort, row) {
            (SortOrder::Best, _) | (_, None) => u128::from(score.max(0.0).to_bits()),
            (SortOrder::Newest, Some(row)) => late(row.born),
            (SortOrder::Oldest, Some(row)) => !late(row.born),
            (SortOrder::Changed, Some(row)) => late(row.good),
            (SortOrder::ChangedUp, Some(row)) => !late(row.good),
            (SortOrder::Quality, Some(row)) => row.score.map_or(0, |score| u128::from(score) + 1),
            (SortOrder::QualityUp, Some(row)) => row.score.map_or(0, |score| 256 - u128::from(score)),
            (SortOrder::Id, Some(row)) => !beginning(&row.id),
            (SortOrder::IdDown, Some(row)) => beginning(&row.id),
            (SortOrder::TitleDown, Some(row)) => beginning(&row.title),
            (SortOrder::Title, Some(row)) => !match &self.columns.title {
                Some([first, second]) => {
                    (u128::from(first.get_val(document)) << 64) | u128::from(second.get_val(document))
                }
                None => beginning(&row.title),
            },
        };
        let place = u64::from(self.table.places[document as usize]);
        let at = DocAddress::new(self.segment as u32, document);
        let best = &mut self.found.best;
        best.push(ScoredHit { key, slot, place, at, score, text, overlap: passed.overlap });
        // Buffering twice the hits that are kept makes the selection of the best amortised linear.
        self.full = self.full.max(wanted.keep.saturating_mul(2).saturating_add(256));
        if wanted.keep_each.is_none() && best.len() >= self.full {
            let last = wanted.keep.max(1) - 1;
            if wanted.sorts_by_layer_title() {
                let (_, last, _) = best.select_nth_unstable_by(last, |a, b| b.key.cmp(&a.key));
                let least = last.key;
                best.retain(|candidate| candidate.key >= least);
                self.full = best.len() * 2 + 256;
            } else {
                best.select_nth_unstable_by(last, |a, b| compare_hits(a, b, wanted));
                best.truncate(wanted.keep);
            }
        }
    }

    /// Adds the hits of a run to the total and to the facet counts.
    fn count(&mut self, of: &CurrentRecord) {
        let Some(facts) = of.facts.filter(|_| of.hits > 0) else { return };
        if of.fails == FacetMismatch::No {
            self.found.total += of.hits;
            if self.wanted.keep_records {
                self.found.records.push((of.slot, of.hits));
            }
        }
        let mut add = |facet: usize| {
            if let Some(counts) = self.found.facets.get_mut(facet) {
                for value in facts.values(facet) {
                    if let Some(count) = counts.get_mut(*value as usize) {
                        *count += of.hits;
                    }
                }
            }
        };
        match of.fails {
            FacetMismatch::No => (0..FACETS.len()).for_each(add),
            FacetMismatch::One(facet) => add(facet),
            FacetMismatch::Many => {}
        }
    }
}

/// Maps a time to a number that sorts alike.
fn late(seconds: i64) -> u128 {
    (i128::from(seconds) - i128::from(i64::MIN)).cast_unsigned()
}

/// Returns the first 16 bytes as a number, for quick comparisons.
fn beginning(text: &str) -> u128 {
    let mut bytes = [0; 16];
    for (to, from) in bytes.iter_mut().zip(text.as_bytes()) {
        *to = *from;
    }
    u128::from_be_bytes(bytes)
}

/// Compares hits, better first. Ties are broken by title where requested, then by id and place, so
/// that pages are stable.
pub fn compare_hits(a: &ScoredHit, b: &ScoredHit, wanted: &SearchCriteria) -> Ordering {
    b.key.cmp(&a.key).then_with(|| {
        let row = |slot| wanted.rows.get(slot);
        let titles = || row(a.slot).map(|row| &row.title).cmp(&row(b.slot).map(|row| &row.title));
        let titles = match wanted.sort {
            SortOrder::Title if wanted.by == SearchTarget::Services => titles(),
            SortOrder::TitleDown => titles().reverse(),
            _ => Ordering::Equal,
        };
        let ids = || {
            if a.slot == b.slot {
                return Ordering::Equal;
            }
            let ids = row(a.slot).map(|row| &row.id).cmp(&row(b.slot).map(|row| &row.id));
            if wanted.sort == SortOrder::IdDown { ids.reverse() } else { ids }
        };
        titles.then_with(ids).then_with(|| a.place.cmp(&b.place)).then_with(|| a.at.cmp(&b.at))
    })
}

fn keep_each(best: &mut Vec<ScoredHit>, each: usize, wanted: &SearchCriteria) {
    best.sort_unstable_by(|a, b| a.slot.cmp(&b.slot).then_with(|| compare_hits(a, b, wanted)));
    let (mut slot, mut kept) = (u64::MAX, 0);
    best.retain(|candidate| {
        kept = if candidate.slot == slot { kept + 1 } else { 1 };
        slot = candidate.slot;
        kept <= each
    });
}
