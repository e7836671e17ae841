//! Words side by side, ready to be looked for: most questions are nothing else.
//!
//! A word of a question stands for some thirty terms: stems of several languages, synonyms, and each of them in
//! several fields. The engine would read all lists at once, a document at a time, and score every document that any of
//! them names. Here a list is a set of bits first; sets are joined and cut, place and facets are tested, and only what
//! is left is scored, a term at a time. The score is the same: BM25 of each term, of the ways to match a word the best
//! one and a little of the others.

use crate::bits::BitSet;
use crate::compile::ALSO;
use crate::tables::SearchIndex;
use std::cell::OnceCell;
use std::collections::HashMap;
use tantivy::postings::{Postings as _, TermInfo};
use tantivy::query::{BooleanQuery, BoostQuery, DisjunctionMaxQuery, EmptyQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet as _, TERMINATED, Term};

/// Terms whose weights are so near to each other are taken together where bounds are made, in so many steps at most, and
/// for so many words of a question.
const ALIKE: f32 = 0.8;
const STEPS: usize = 9;
const BOUNDED: usize = 3;

/// What a place is of a question, against a word for what is wanted there.
const PLACE: f32 = 0.75;

/// A term of a field that occurs.
#[derive(Debug, Clone)]
pub struct QueryTerm {
    /// Number of the field among those of [`Half`].
    pub field: usize,
    pub term: Term,
    pub boost: f32,
    /// By segment.
    pub infos: Vec<Option<TermInfo>>,
}

/// A way to match a meaning: one of the terms of every part.
#[derive(Debug, Clone)]
pub struct TermCombination {
    pub boost: f32,
    pub parts: Vec<Vec<QueryTerm>>,
}

/// A word, or words that are one meaning together.
#[derive(Debug, Clone, Default)]
pub struct WordMeaning {
    pub ways: Vec<TermCombination>,
    /// The word as written, which adds to the score.
    pub written: Option<QueryTerm>,
    pub need: MeaningNeed,
    /// How it was asked for.
    pub asked: String,
    /// It names a place: who lacks the theme lacks more than who lacks the place.
    pub is_place: bool,
}

/// Whether a meaning has to match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MeaningNeed {
    /// It adds to the score, and that is all.
    Optional,
    /// One of those of which some may be missing where hardly anything has all of them.
    #[default]
    Wanted,
    /// Without it nothing will do.
    Must,
}

/// Words side by side; none: everything.
#[derive(Debug, Default)]
pub struct QueryPlan {
    pub meanings: Vec<WordMeaning>,
    sets: OnceCell<Vec<MeaningSets>>,
}

/// Documents of a segment that have a meaning.
#[derive(Debug)]
struct MeaningSets {
    wanted: Vec<BitSet>,
    must: Vec<BitSet>,
}

/// What a document gets.
#[derive(Debug, Clone, Copy, Default)]
pub struct DocumentScore {
    pub score: f32,
    /// How many of the wanted meanings it has.
    pub meanings: usize,
    /// How much of what is wanted they are.
    pub covered: f32,
    /// It has not all that it must have.
    pub lacking: bool,
}

/// Something that adds to the score of a meaning, and how much at most.
struct ScoreGain<'a> {
    most: f32,
    by: GainSource<'a>,
}

enum GainSource<'a> {
    Term(&'a QueryTerm),
    Way(&'a TermCombination),
    Written(&'a QueryTerm),
}

/// What a document has at most that has all of these.
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

/// The best of several, and all together.
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
    /// Goes through those of the documents, in their order, that have the term: place in the list and score.
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
                let norm = field.norms[usize::from(norms.fieldnorm_id(document))];
                found(at, weight * frequency / (frequency + norm));
                at += 1;
                continue;
            }
            if document == TERMINATED {
                break;
            }
            // Steps that double: lists of few documents pass over many of ours.
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

    /// In how many documents it is.
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
    /// A term alone.
    pub fn from_term(sought: QueryTerm) -> Self {
        Self { boost: 1.0, parts: vec![vec![sought]] }
    }

    /// Adds the documents that have one of the terms of every part.
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
    /// Adds terms as ways of their own. The same term of two languages is one list to read.
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

    /// How much of a question it is.
    fn share(&self) -> f32 {
        if self.is_place { PLACE } else { 1.0 }
    }

    /// Counts all its terms as being as common as the most common of them: a synonym that hardly anything has is no
    /// better sign than the word that was asked for, only because it is rare.
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

    /// Scores of documents; nothing for those that do not match.
    fn scores(&self, half: &SearchIndex, segment: usize, documents: &[u32]) -> tantivy::Result<Vec<f32>> {
        let mut best = vec![BestScore::default(); documents.len()];
        for way in &self.ways {
            if let [part] = &way.parts[..] {
                for term in part {
                    term.each(half, segment, documents, |at, score| best[at].add(way.boost * score))?;
                }
                continue;
            }
            // Documents that have all parts so far, with their places in the list.
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

    /// Everything that may add to a score, what adds the most first: no frequency brings a term beyond its weight.
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

    /// For each document the number of a bound among those given back: scores that documents do not exceed. Most
    /// documents have a word only where it counts little, in one of many layers, and need not be scored to know that.
    fn bounds(
        &self,
        half: &SearchIndex,
        segment: usize,
        documents: &[u32],
    ) -> tantivy::Result<(Vec<u8>, Vec<f32>)> {
        let gains = self.gains(half);
        // Without any of the terms there is nothing to gain.
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
                        term.join(half, segment, &mut seen)?
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

    /// For the engine, where the word stands within a larger question.
    pub fn to_query(&self) -> Box<dyn Query> {
        let ways = self.ways.iter().map(|way| {
            let parts = way.parts.iter().map(|part| best_of(part.iter().map(QueryTerm::query).collect()));
            let mut parts: Vec<Box<dyn Query>> = parts.collect();
            let whole = match parts.len() {
                1 => parts.remove(0),
                _ => Box::new(BooleanQuery::intersection(parts)),
            };
            boost_query(whole, way.boost)
        });
        let any = best_of(ways.collect());
        match &self.written {
            Some(written) => {
                Box::new(BooleanQuery::new(vec![(Occur::Must, any), (Occur::Should, written.query())]))
            }
            None => any,
        }
    }
}

impl QueryPlan {
    /// Of these meanings.
    pub fn new(meanings: Vec<WordMeaning>) -> Self {
        Self { meanings, sets: OnceCell::new() }
    }

    /// Meanings that a document should have.
    pub fn wanted_count(&self) -> usize {
        self.all(MeaningNeed::Wanted).count()
    }

    fn all(&self, need: MeaningNeed) -> impl Iterator<Item = &WordMeaning> {
        self.meanings.iter().filter(move |meaning| meaning.need == need)
    }

    /// Whether something must match whatever else is missing.
    pub fn has_required(&self) -> bool {
        self.all(MeaningNeed::Must).next().is_some()
    }

    /// Whether there are words that nothing has.
    pub fn has_unknown_words(&self) -> bool {
        self.all(MeaningNeed::Wanted).any(|meaning| meaning.ways.is_empty())
    }

    /// Whether a document with these scores has enough.
    pub fn is_sufficient(&self, scored: DocumentScore, minimum: Option<usize>) -> bool {
        !scored.lacking && scored.meanings >= self.minimum_meanings(minimum)
    }

    /// How many of the meanings a document must have.
    pub fn minimum_meanings(&self, minimum: Option<usize>) -> usize {
        minimum.unwrap_or(usize::MAX).min(self.wanted_count())
    }

    /// Documents that have all meanings, or so many of them.
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
                Ok(MeaningSets { wanted: sets(MeaningNeed::Wanted)?, must: sets(MeaningNeed::Must)? })
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

    /// Documents that are in all of the sets, or in so many of them.
    fn enough(&self, sets: &[BitSet], documents: u32, minimum: Option<usize>) -> BitSet {
        let least = self.minimum_meanings(minimum);
        if least >= sets.len() {
            let Some((first, others)) = sets.split_first() else { return BitSet::full(documents) };
            let mut all = first.clone();
            for other in others {
                all.intersect_with(other);
            }
            return all;
        }
        // What has at least so many, for every number up to the one that is needed.
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

    /// What the words give each document at most, as it goes into the rank.
    pub fn score_bounds(
        &self,
        half: &SearchIndex,
        segment: usize,
        documents: &[u32],
    ) -> tantivy::Result<Vec<f32>> {
        // What documents have in common by the words so far, and the bounds of that.
        let mut classes = vec![0_u16; documents.len()];
        let mut sums = vec![0.0_f32];
        for (place, meaning) in self.meanings.iter().enumerate() {
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

    /// What the words give a document, as it goes into the rank; less where some of them are missing.
    pub fn text_factor(&self, scored: DocumentScore) -> f32 {
        let wanted: f32 = self.all(MeaningNeed::Wanted).map(WordMeaning::share).sum();
        crate::rank::text_factor(scored.score) * crate::rank::coverage_factor(scored.covered, wanted)
    }

    /// What was asked for and a document has not.
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

    /// Scores of documents that stand in their order.
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
                if score > 0.0 && meaning.need == MeaningNeed::Wanted {
                    to.meanings += 1;
                    to.covered += meaning.share();
                }
                to.lacking |= score <= 0.0 && meaning.need == MeaningNeed::Must;
            }
        }
        Ok(scored)
    }
}

/// With a boost, where it changes something.
pub fn boost_query(query: Box<dyn Query>, boost: f32) -> Box<dyn Query> {
    if (boost - 1.0).abs() < 1e-6 { query } else { Box::new(BoostQuery::new(query, boost)) }
}

/// The best of several ways, and a little of the others.
pub fn best_of(mut ways: Vec<Box<dyn Query>>) -> Box<dyn Query> {
    match ways.len() {
        0 => Box::new(EmptyQuery),
        1 => ways.pop().unwrap_or_else(|| Box::new(EmptyQuery)),
        _ => Box::new(DisjunctionMaxQuery::with_tie_breaker(ways, ALSO)),
    }
}
