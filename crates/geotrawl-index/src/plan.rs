//! Query plans for plain words, which most queries consist of.
//!
//! A word of a query expands to some thirty terms: stems of several languages and synonyms, each in
//! several fields. The engine would read all posting lists at once, document by document, and score
//! every document in any of them. A plan first turns each list into a bit set and combines the
//! sets. Place and facets are tested next, and only the remaining documents are scored, term by
//! term. The score is the same: BM25 per term, and per word the best match plus a little of the
//! others.

use crate::bits::BitSet;
use crate::compile::ALSO;
use crate::tables::SearchIndex;
use std::cell::OnceCell;
use std::collections::HashMap;
use tantivy::postings::{Postings as _, TermInfo};
use tantivy::query::{BooleanQuery, BoostQuery, DisjunctionMaxQuery, EmptyQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet as _, TERMINATED, Term};

/// Terms whose weights differ by less than this factor share a step when score bounds are computed.
/// Bounds have at most this many steps, and only this many words get individual bounds.
const ALIKE: f32 = 0.8;
const STEPS: usize = 9;
const BOUNDED: usize = 3;

/// Weight of a place name in a query, relative to a word for the theme.
const PLACE: f32 = 0.75;

/// A term that occurs in a field of the index.
#[derive(Debug, Clone)]
pub struct QueryTerm {
    /// Index of the field in [`SearchIndex::fields`].
    pub field: usize,
    pub term: Term,
    pub boost: f32,
    /// Term statistics by segment.
    pub infos: Vec<Option<TermInfo>>,
}

/// One way to match a meaning: a document needs one of the terms of every part.
#[derive(Debug, Clone)]
pub struct TermCombination {
    pub boost: f32,
    pub parts: Vec<Vec<QueryTerm>>,
}

/// A word, or several words with one meaning.
#[derive(Debug, Clone, Default)]
pub struct WordMeaning {
    pub ways: Vec<TermCombination>,
    /// The word as typed, which adds to the score.
    pub written: Option<QueryTerm>,
    pub need: MatchRequirement,
    /// The words as typed.
    pub asked: String,
    /// Whether the words name a place: a missing theme costs more than a missing place.
    pub is_place: bool,
}

/// Whether a document needs a meaning to match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MatchRequirement {
    /// It only adds to the score.
    Optional,
    /// It should match, but may be missing if hardly any document has all such meanings.
    #[default]
    Wanted,
    /// It must match.
    Must,
}

/// A plan for plain words; without meanings, it matches everything.
#[derive(Debug, Default)]
pub struct QueryPlan {
    pub meanings: Vec<WordMeaning>,
    sets: OnceCell<Vec<MeaningSets>>,
}

/// Documents of a segment by meaning.
#[derive(Debug)]
struct MeaningSets {
    wanted: Vec<BitSet>,
    must: Vec<BitSet>,
}

/// Score of a document.
#[derive(Debug, Clone, Copy, Default)]
pub struct DocumentScore {
    pub score: f32,
    /// Number of wanted meanings that match.
    pub meanings: usize,
    /// Total share of the wanted meanings that match.
    pub covered: f32,
    /// Whether a required meaning does not match.
    pub lacking: bool,
}

/// Something that adds to the score of a meaning, with its upper bound.
struct ScoreGain<'a> {
    most: f32,
    by: GainSource<'a>,
}

enum GainSource<'a> {
    Term(&'a QueryTerm),
    Way(&'a TermCombination),
    Written(&'a QueryTerm),
}

/// Returns the maximum score of a document that matches all of these.
fn most(gains: &[ScoreGain]) -> f32 {
    let mut best = BestScore::default();
    let mut written = 0.0;
    for gain in gains {
        match gain.by {
            GainSource::Written(_) => written += gain.most,
            GainSource::Term(_) | GainSource::Way(_) => best.add(gain.most),
        }
    }
    best.value() + written
}

/// The best of several scores, and their sum.
#[derive(Debug, Clone, Copy, Default)]
struct BestScore {
    best: f32,
    sum: f32,
}

impl BestScore {
    #[inline]
    fn add(&mut self, score: f32) {
        self.best = self.best.max(score);
        self.sum += score;
    }

    #[inline]
    fn value(self) -> f32 {
        self.best + ALSO * (self.sum - self.best)
    }
}

impl QueryTerm {
    /// Calls `found` with the position and score of each document in the sorted list that contains
    /// the term.
    fn each(
        &self,
        half: &SearchIndex,
        segment: usize,
        documents: &[u32],
        mut found: impl FnMut(usize, f32),
    ) -> tantivy::Result<()> {
        let Some(info) = self.infos.get(segment).and_then(Option::as_ref) else { return Ok(()) };
        let field = &half.fields[self.field];
        let (index, norms) = &field.segments[segment];
        let weight = self.weight(half);
        let mut postings = index.read_postings_from_terminfo(info, IndexRecordOption::WithFreqs)?;
        let mut at = 0;
        let mut document = postings.doc();
        while let Some(wanted) = documents.get(at) {
            if document < *wanted {
                document = postings.seek(*wanted);
            }
            if document == *wanted {
                let frequency = postings.term_freq() as f32;
                // BM25; the norm already contains K1 and the length normalization.
                let norm = field.norms[usize::from(norms.fieldnorm_id(document))];
                found(at, weight * frequency / (frequency + norm));
                at += 1;
                continue;
            }
            if document == TERMINATED {
                break;
            }
            // Gallop: short posting lists skip many of our documents.
            let mut step = 1;
            while documents.get(at + step).is_some_and(|next| *next < document) {
                at += step;
                step *= 2;
            }
            let to = (at + step).min(documents.len());
            at += documents[at..to].partition_point(|next| *next < document);
        }
        Ok(())
    }

    fn weight(&self, half: &SearchIndex) -> f32 {
        half.fields[self.field].term_weight(self.frequency()) * self.boost
    }

    /// Returns the number of documents that contain the term.
    fn frequency(&self) -> u64 {
        self.infos.iter().flatten().map(|info| u64::from(info.doc_freq)).sum()
    }

    fn join(&self, half: &SearchIndex, segment: usize, to: &mut BitSet) -> tantivy::Result<()> {
        let Some(info) = self.infos.get(segment).and_then(Option::as_ref) else { return Ok(()) };
        let field = &half.fields[self.field];
        let fill = |bits: &mut BitSet| {
            let mut blocks = field.segments[segment]
                .0
                .read_block_postings_from_terminfo(info, IndexRecordOption::Basic)?;
            while !blocks.docs().is_empty() {
                bits.insert_all(blocks.docs());
                blocks.advance();
            }
            Ok::<(), std::io::Error>(())
        };
        let table = &half.tables[segment];
        let make = || {
            let mut bits = BitSet::empty(table.document_count());
            fill(&mut bits)?;
            Ok(bits)
        };
        match table.common_term_documents(
            field.field,
            self.term.serialized_value_bytes(),
            info.doc_freq,
            make,
        )? {
            Some(common) => to.union_with(&common),
            None => fill(to)?,
        }
        Ok(())
    }

    fn query(&self) -> Box<dyn Query> {
        boost_query(Box::new(TermQuery::new(self.term.clone(), IndexRecordOption::WithFreqs)), self.boost)
    }
}

impl TermCombination {
    /// Returns a combination that consists of a single term.
    pub fn from_term(sought: QueryTerm) -> Self {
        Self { boost: 1.0, parts: vec![vec![sought]] }
    }

    /// Adds the documents that have a term of every part.
    fn join(&self, half: &SearchIndex, segment: usize, to: &mut BitSet) -> tantivy::Result<()> {
        let mut all: Option<BitSet> = None;
        for part in &self.parts {
            let mut any = BitSet::empty(half.tables[segment].document_count());
            part.iter().try_for_each(|term| term.join(half, segment, &mut any))?;
            match &mut all {
                Some(all) => all.intersect_with(&any),
                None => all = Some(any),
            }
        }
        if let Some(all) = all {
            to.union_with(&all);
        }
        Ok(())
    }
}

impl WordMeaning {
    /// Adds terms as separate combinations. A term that occurs for two languages is added once.
    pub fn add_terms(&mut self, terms: impl IntoIterator<Item = QueryTerm>, boost: f32) {
        for mut term in terms {
            term.boost *= boost;
            let known = self.ways.iter_mut().find_map(|way| match &mut way.parts[..] {
                [part] => part.iter_mut().find(|known| known.term == term.term),
                _ => None,
            });
            match known {
                Some(known) => known.boost = known.boost.max(term.boost),
                None => self.ways.push(TermCombination::from_term(term)),
            }
        }
    }

    /// Returns the weight of this meaning in the query.
    fn share(&self) -> f32 {
        if self.is_place { PLACE } else { 1.0 }
    }

    /// Gives all terms the frequency of the most common one. Otherwise a rare synonym would score
    /// higher than the word in the query.
    pub fn blend_frequencies(&mut self, half: &SearchIndex) {
        let mut common: HashMap<usize, u64> = HashMap::new();
        for term in self.ways.iter().filter(|way| way.parts.len() == 1).flat_map(|way| &way.parts[0]) {
            let most = common.entry(term.field).or_default();
            *most = (*most).max(term.frequency());
        }
        for way in self.ways.iter_mut().filter(|way| way.parts.len() == 1) {
            for term in &mut way.parts[0] {
                let weight = |frequency| half.fields[term.field].term_weight(frequency);
                term.boost *= weight(common[&term.field]) / weight(term.frequency());
            }
        }
    }

    fn set(&self, half: &SearchIndex, segment: usize) -> tantivy::Result<BitSet> {
        let documents = half.tables[segment].document_count();
        let mut whole = BitSet::empty(documents);
        for way in &self.ways {
            if let [part] = &way.parts[..] {
                part.iter().try_for_each(|term| term.join(half, segment, &mut whole))?;
                continue;
            }
            way.join(half, segment, &mut whole)?;
        }
        Ok(whole)
    }

    /// Returns the scores of documents; 0 for those that do not match.
    fn scores(&self, half: &SearchIndex, segment: usize, documents: &[u32]) -> tantivy::Result<Vec<f32>> {
        let mut best = vec![BestScore::default(); documents.len()];
        for way in &self.ways {
            if let [part] = &way.parts[..] {
                for term in part {
                    term.each(half, segment, documents, |at, score| best[at].add(way.boost * score))?;
                }
                continue;
            }
            // Documents that have all parts so far, with their positions in the list.
            let mut left: Vec<u32> = documents.to_vec();
            let mut sums: Vec<(usize, f32)> = (0..documents.len()).map(|at| (at, 0.0)).collect();
            for part in &way.parts {
                let mut part_best = vec![BestScore::default(); left.len()];
                for term in part {
                    term.each(half, segment, &left, |at, score| part_best[at].add(score))?;
                }
                let mut has = part_best.iter().map(|best| best.best > 0.0);
                left.retain(|_| has.next().unwrap_or(false));
                let mut scores = part_best.iter();
                sums.retain_mut(|(_, sum)| {
                    let score = scores.next().map_or(0.0, |best| best.value());
                    *sum += score;
                    score > 0.0
                });
            }
            for (at, sum) in sums {
                best[at].add(way.boost * sum);
            }
        }
        let mut scores: Vec<f32> = best.into_iter().map(BestScore::value).collect();
        if let Some(written) = &self.written {
            written.each(half, segment, documents, |at, score| {
                if scores[at] > 0.0 {
                    scores[at] += score;
                }
            })?;
        }
        Ok(scores)
    }

    /// Returns everything that can add to the score, largest first. BM25 never exceeds the weight
    /// of a term, whatever its frequency.
    fn gains(&self, half: &SearchIndex) -> Vec<ScoreGain<'_>> {
        let mut gains = Vec::new();
        for way in &self.ways {
            if let [part] = &way.parts[..] {
                let terms = part.iter();
                gains.extend(terms.map(|term| ScoreGain {
                    most: way.boost * term.weight(half),
                    by: GainSource::Term(term),
                }));
                continue;
            }
            let parts = way.parts.iter().map(|part| {
                let mut best = BestScore::default();
                for term in part {
                    best.add(term.weight(half));
                }
                best.value()
            });
            gains.push(ScoreGain { most: way.boost * parts.sum::<f32>(), by: GainSource::Way(way) });
        }
        if let Some(written) = &self.written {
            gains.push(ScoreGain { most: written.weight(half), by: GainSource::Written(written) });
        }
        gains.sort_by(|a, b| b.most.total_cmp(&a.most));
        gains
    }

    /// Returns upper bounds of the score, and for each document the index of its bound. Most
    /// documents have a word only where it counts little, such as in one of many layers, and need
    /// no exact score to be excluded.
    fn bounds(
        &self,
        half: &SearchIndex,
        segment: usize,
        documents: &[u32],
    ) -> tantivy::Result<(Vec<u8>, Vec<f32>)> {
        let gains = self.gains(half);
        // Documents without any of the terms score nothing.
        let mut bounds = vec![0.0];
        let mut numbers = vec![0; documents.len()];
        let mut left: Vec<u32> = (0..documents.len() as u32).collect();
        let mut seen = BitSet::empty(half.tables[segment].document_count());
        let mut from = 0;
        while from < gains.len() && !left.is_empty() {
            let last = bounds.len() == STEPS;
            let alike = |gain: &ScoreGain| last || gain.most >= gains[from].most * ALIKE;
            let to = from + gains[from..].iter().take_while(|gain| alike(gain)).count().max(1);
            for gain in &gains[from..to] {
                match gain.by {
                    GainSource::Term(term) | GainSource::Written(term) => {
                        term.join(half, segment, &mut seen)?;
                    }
                    GainSource::Way(way) => way.join(half, segment, &mut seen)?,
                }
            }
            let number = bounds.len() as u8;
            bounds.push(most(&gains[from..]));
            left.retain(|at| {
                let has = seen.contains(documents[*at as usize]);
                if has {
                    numbers[*at as usize] = number;
                }
                !has
            });
            from = to;
        }
        Ok((numbers, bounds))
    }

    /// Converts the meaning to an engine query, for use within a larger query.
    pub fn to_query(&self) -> Box<dyn Query> {
        let ways = self.ways.iter().map(|way| {
            let parts =
                way.parts.iter().map(|part| best_match_query(part.iter().map(QueryTerm::query).collect()));
            let mut parts: Vec<Box<dyn Query>> = parts.collect();
            let whole = match parts.len() {
                1 => parts.remove(0),
                _ => Box::new(BooleanQuery::intersection(parts)),
            };
            boost_query(whole, way.boost)
        });
        let any = best_match_query(ways.collect());
        match &self.written {
            Some(written) => {
                Box::new(BooleanQuery::new(vec![(Occur::Must, any), (Occur::Should, written.query())]))
            }
            None => any,
        }
    }
}

impl QueryPlan {
    /// Creates a plan of these meanings.
    pub fn new(meanings: Vec<WordMeaning>) -> Self {
        Self { meanings, sets: OnceCell::new() }
    }

    /// Returns the number of wanted meanings.
    pub fn wanted_count(&self) -> usize {
        self.all(MatchRequirement::Wanted).count()
    }

    fn all(&self, need: MatchRequirement) -> impl Iterator<Item = &WordMeaning> {
        self.meanings.iter().filter(move |meaning| meaning.need == need)
    }

    /// Returns whether some meaning must match.
    pub fn has_required(&self) -> bool {
        self.all(MatchRequirement::Must).next().is_some()
    }

    /// Returns whether some wanted word occurs nowhere.
    pub fn has_unknown_words(&self) -> bool {
        self.all(MatchRequirement::Wanted).any(|meaning| meaning.ways.is_empty())
    }

    /// Returns whether a document with this score matches enough of the query.
    pub fn is_sufficient(&self, scored: DocumentScore, minimum: Option<usize>) -> bool {
        !scored.lacking && scored.meanings >= self.required_match_count(minimum)
    }

    /// Returns how many wanted meanings a document must match.
    pub fn required_match_count(&self, minimum: Option<usize>) -> usize {
        minimum.unwrap_or(usize::MAX).min(self.wanted_count())
    }

    /// Returns the documents that match all wanted meanings, or at least `minimum` of them.
    pub fn matching_documents(
        &self,
        half: &SearchIndex,
        segment: usize,
        minimum: Option<usize>,
    ) -> tantivy::Result<BitSet> {
        let documents = half.tables[segment].document_count();
        if self.sets.get().is_none() {
            let segments = (0..half.tables.len()).map(|segment| {
                let sets = |need| -> tantivy::Result<Vec<BitSet>> {
                    self.all(need).map(|meaning| meaning.set(half, segment)).collect()
                };
                Ok(MeaningSets {
                    wanted: sets(MatchRequirement::Wanted)?,
                    must: sets(MatchRequirement::Must)?,
                })
            });
            let sets: Vec<MeaningSets> = segments.collect::<tantivy::Result<_>>()?;
            self.sets.get_or_init(|| sets);
        }
        let Some(MeaningSets { wanted, must }) = self.sets.get().and_then(|sets| sets.get(segment)) else {
            return Ok(BitSet::empty(documents));
        };
        let mut found = self.enough(wanted, documents, minimum);
        for set in must {
            found.intersect_with(set);
        }
        Ok(found)
    }

    /// Returns the documents that are in all of the sets, or in at least `minimum` of them.
    fn enough(&self, sets: &[BitSet], documents: u32, minimum: Option<usize>) -> BitSet {
        let least = self.required_match_count(minimum);
        if least >= sets.len() {
            let Some((first, others)) = sets.split_first() else { return BitSet::full(documents) };
            let mut all = first.clone();
            for other in others {
                all.intersect_with(other);
            }
            return all;
        }
        // `reached[n]` holds the documents that are in at least n of the sets so far.
        let mut reached = vec![BitSet::empty(documents); least + 1];
        reached[0] = BitSet::full(documents);
        for set in sets {
            for count in (1..=least).rev() {
                let (fewer, more) = reached.split_at_mut(count);
                more[0].union_with_intersection(&fewer[count - 1], set);
            }
        }
        reached.pop().unwrap_or_else(|| BitSet::empty(documents))
    }

    /// Returns an upper bound of each document's text factor.
    pub fn score_bounds(
        &self,
        half: &SearchIndex,
        segment: usize,
        documents: &[u32],
    ) -> tantivy::Result<Vec<f32>> {
        // Documents with the same combination of bounds form a class; `sums` holds the total bound
        // by class.
        let mut classes = vec![0_u16; documents.len()];
        let mut sums = vec![0.0_f32];
        for (place, meaning) in self.meanings.iter().enumerate() {
            // The number of classes multiplies with every word, so further words share one bound.
            if place >= BOUNDED {
                let most = most(&meaning.gains(half));
                for sum in &mut sums {
                    *sum += most;
                }
                continue;
            }
            let (numbers, bounds) = meaning.bounds(half, segment, documents)?;
            for (class, number) in classes.iter_mut().zip(numbers) {
                *class = *class * bounds.len() as u16 + u16::from(number);
            }
            sums = sums.iter().flat_map(|sum| bounds.iter().map(move |bound| sum + bound)).collect();
        }
        let texts: Vec<f32> = sums.into_iter().map(crate::rank::text_factor).collect();
        Ok(classes.into_iter().map(|class| texts[usize::from(class)]).collect())
    }

    /// Returns the text factor of a document, lowered if words are missing.
    pub fn text_factor(&self, scored: DocumentScore) -> f32 {
        let wanted: f32 = self.all(MatchRequirement::Wanted).map(WordMeaning::share).sum();
        crate::rank::text_factor(scored.score) * crate::rank::coverage_factor(scored.covered, wanted)
    }

    /// Returns the words of the query that a document lacks.
    pub fn missing_words(
        &self,
        half: &SearchIndex,
        segment: usize,
        document: u32,
    ) -> tantivy::Result<Vec<String>> {
        let mut missing = Vec::new();
        for meaning in &self.meanings {
            let has = meaning.scores(half, segment, &[document])?.first().is_some_and(|score| *score > 0.0);
            if !has && !meaning.asked.is_empty() && !missing.contains(&meaning.asked) {
                missing.push(meaning.asked.clone());
            }
        }
        Ok(missing)
    }

    /// Returns the scores of documents, which must be sorted.
    pub fn score_documents(
        &self,
        half: &SearchIndex,
        segment: usize,
        documents: &[u32],
    ) -> tantivy::Result<Vec<DocumentScore>> {
        let mut scored = vec![DocumentScore::default(); documents.len()];
        for meaning in &self.meanings {
            for (to, score) in scored.iter_mut().zip(meaning.scores(half, segment, documents)?) {
                to.score += score;
                if score > 0.0 && meaning.need == MatchRequirement::Wanted {
                    to.meanings += 1;
                    to.covered += meaning.share();
                }
                to.lacking |= score <= 0.0 && meaning.need == MatchRequirement::Must;
            }
        }
        Ok(scored)
    }
}

/// Wraps a query with a boost, unless the boost is 1.
pub fn boost_query(query: Box<dyn Query>, boost: f32) -> Box<dyn Query> {
    if (boost - 1.0).abs() < 1e-6 { query } else { Box::new(BoostQuery::new(query, boost)) }
}

/// Combines alternatives: the score is that of the best one plus a little of the others.
pub fn best_match_query(mut ways: Vec<Box<dyn Query>>) -> Box<dyn Query> {
    match ways.len() {
        0 => Box::new(EmptyQuery),
        1 => ways.pop().unwrap_or_else(|| Box::new(EmptyQuery)),
        _ => Box::new(DisjunctionMaxQuery::with_tie_breaker(ways, ALSO)),
    }
}
