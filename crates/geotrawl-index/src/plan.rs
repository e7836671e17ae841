//! Words side by side, ready to be looked for: most questions are nothing else.
//!
//! A word of a question stands for some thirty terms: stems of several languages, synonyms, and each of them in
//! several fields. The engine would read all lists at once, a document at a time, and score every document that any of
//! them names. Here a list is a set of bits first; sets are joined and cut, place and facets are tested, and only what
//! is left is scored, a term at a time. The score is the same: BM25 of each term, of the ways to match a word the best
//! one and a little of the others.

use crate::bits::Bits;
use crate::compile::ALSO;
use crate::tables::Half;
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
pub struct Sought {
    /// Number of the field among those of [`Half`].
    pub field: usize,
    pub term: Term,
    pub boost: f32,
    /// By segment.
    pub infos: Vec<Option<TermInfo>>,
}

/// A way to match a meaning: one of the terms of every part.
#[derive(Debug, Clone)]
pub struct Way {
    pub boost: f32,
    pub parts: Vec<Vec<Sought>>,
}

/// A word, or words that are one meaning together.
#[derive(Debug, Clone, Default)]
pub struct Meaning {
    pub ways: Vec<Way>,
    /// The word as written, which adds to the score.
    pub written: Option<Sought>,
    pub need: Need,
    /// How it was asked for.
    pub asked: String,
    /// It names a place: who lacks the theme lacks more than who lacks the place.
    pub is_place: bool,
}

/// Whether a meaning has to match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Need {
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
pub struct Plan {
    pub meanings: Vec<Meaning>,
    sets: OnceCell<Vec<Sets>>,
}

/// Documents of a segment that have a meaning.
#[derive(Debug)]
struct Sets {
    wanted: Vec<Bits>,
    must: Vec<Bits>,
}

/// What a document gets.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scored {
    pub score: f32,
    /// How many of the wanted meanings it has.
    pub meanings: usize,
    /// How much of what is wanted they are.
    pub covered: f32,
    /// It has not all that it must have.
    pub lacking: bool,
}

/// Something that adds to the score of a meaning, and how much at most.
struct Gain<'a> {
    most: f32,
    by: Source<'a>,
}

enum Source<'a> {
    Term(&'a Sought),
    Way(&'a Way),
    Written(&'a Sought),
}

/// What a document has at most that has all of these.
fn most(gains: &[Gain]) -> f32 {
    let mut best = Best::default();
    let mut written = 0.0;
    for gain in gains {
        match gain.by {
            Source::Written(_) => written += gain.most,
            Source::Term(_) | Source::Way(_) => best.add(gain.most),
        }
    }
    best.value() + written
}

/// The best of several, and all together.
#[derive(Debug, Clone, Copy, Default)]
struct Best {
    best: f32,
    sum: f32,
}

impl Best {
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

impl Sought {
    /// Goes through those of the documents, in their order, that have the term: place in the list and score.
    fn each(
        &self,
        half: &Half,
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

    fn weight(&self, half: &Half) -> f32 {
        half.fields[self.field].weight(self.frequency()) * self.boost
    }

    /// In how many documents it is.
    fn frequency(&self) -> u64 {
        self.infos.iter().flatten().map(|info| u64::from(info.doc_freq)).sum()
    }

    fn join(&self, half: &Half, segment: usize, to: &mut Bits) -> tantivy::Result<()> {
        let Some(info) = self.infos.get(segment).and_then(Option::as_ref) else { return Ok(()) };
        let field = &half.fields[self.field];
        let fill = |bits: &mut Bits| {
            let mut blocks = field.segments[segment]
                .0
                .read_block_postings_from_terminfo(info, IndexRecordOption::Basic)?;
            while !blocks.docs().is_empty() {
                bits.add(blocks.docs());
                blocks.advance();
            }
            Ok::<(), std::io::Error>(())
        };
        let table = &half.tables[segment];
        let make = || {
            let mut bits = Bits::none(table.documents());
            fill(&mut bits)?;
            Ok(bits)
        };
        match table.common(field.field, self.term.serialized_value_bytes(), info.doc_freq, make)? {
            Some(common) => to.join(&common),
            None => fill(to)?,
        }
        Ok(())
    }

    fn query(&self) -> Box<dyn Query> {
        boosted(Box::new(TermQuery::new(self.term.clone(), IndexRecordOption::WithFreqs)), self.boost)
    }
}

impl Way {
    /// A term alone.
    pub fn one(sought: Sought) -> Self {
        Self { boost: 1.0, parts: vec![vec![sought]] }
    }

    /// Adds the documents that have one of the terms of every part.
    fn join(&self, half: &Half, segment: usize, to: &mut Bits) -> tantivy::Result<()> {
        let mut all: Option<Bits> = None;
        for part in &self.parts {
            let mut any = Bits::none(half.tables[segment].documents());
            part.iter().try_for_each(|term| term.join(half, segment, &mut any))?;
            match &mut all {
                Some(all) => all.cut(&any),
                None => all = Some(any),
            }
        }
        if let Some(all) = all {
            to.join(&all);
        }
        Ok(())
    }
}

impl Meaning {
    /// Adds terms as ways of their own. The same term of two languages is one list to read.
    pub fn add_terms(&mut self, terms: impl IntoIterator<Item = Sought>, boost: f32) {
        for mut term in terms {
            term.boost *= boost;
            let known = self.ways.iter_mut().find_map(|way| match &mut way.parts[..] {
                [part] => part.iter_mut().find(|known| known.term == term.term),
                _ => None,
            });
            match known {
                Some(known) => known.boost = known.boost.max(term.boost),
                None => self.ways.push(Way::one(term)),
            }
        }
    }

    /// How much of a question it is.
    fn share(&self) -> f32 {
        if self.is_place { PLACE } else { 1.0 }
    }

    /// Counts all its terms as being as common as the most common of them: a synonym that hardly anything has is no
    /// better sign than the word that was asked for, only because it is rare.
    pub fn blend(&mut self, half: &Half) {
        let mut common: HashMap<usize, u64> = HashMap::new();
        for term in self.ways.iter().filter(|way| way.parts.len() == 1).flat_map(|way| &way.parts[0]) {
            let most = common.entry(term.field).or_default();
            *most = (*most).max(term.frequency());
        }
        for way in self.ways.iter_mut().filter(|way| way.parts.len() == 1) {
            for term in &mut way.parts[0] {
                let weight = |frequency| half.fields[term.field].weight(frequency);
                term.boost *= weight(common[&term.field]) / weight(term.frequency());
            }
        }
    }

    fn set(&self, half: &Half, segment: usize) -> tantivy::Result<Bits> {
        let documents = half.tables[segment].documents();
        let mut whole = Bits::none(documents);
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
    fn scores(&self, half: &Half, segment: usize, documents: &[u32]) -> tantivy::Result<Vec<f32>> {
        let mut best = vec![Best::default(); documents.len()];
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
                let mut part_best = vec![Best::default(); left.len()];
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
        let mut scores: Vec<f32> = best.into_iter().map(Best::value).collect();
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
    fn gains(&self, half: &Half) -> Vec<Gain<'_>> {
        let mut gains = Vec::new();
        for way in &self.ways {
            if let [part] = &way.parts[..] {
                let terms = part.iter();
                gains.extend(
                    terms.map(|term| Gain { most: way.boost * term.weight(half), by: Source::Term(term) }),
                );
                continue;
            }
            let parts = way.parts.iter().map(|part| {
                let mut best = Best::default();
                for term in part {
                    best.add(term.weight(half));
                }
                best.value()
            });
            gains.push(Gain { most: way.boost * parts.sum::<f32>(), by: Source::Way(way) });
        }
        if let Some(written) = &self.written {
            gains.push(Gain { most: written.weight(half), by: Source::Written(written) });
        }
        gains.sort_by(|a, b| b.most.total_cmp(&a.most));
        gains
    }

    /// For each document the number of a bound among those given back: scores that documents do not exceed. Most
    /// documents have a word only where it counts little, in one of many layers, and need not be scored to know that.
    fn bounds(&self, half: &Half, segment: usize, documents: &[u32]) -> tantivy::Result<(Vec<u8>, Vec<f32>)> {
        let gains = self.gains(half);
        // Without any of the terms there is nothing to gain.
        let mut bounds = vec![0.0];
        let mut numbers = vec![0; documents.len()];
        let mut left: Vec<u32> = (0..documents.len() as u32).collect();
        let mut seen = Bits::none(half.tables[segment].documents());
        let mut from = 0;
        while from < gains.len() && !left.is_empty() {
            let last = bounds.len() == STEPS;
            let alike = |gain: &Gain| last || gain.most >= gains[from].most * ALIKE;
            let to = from + gains[from..].iter().take_while(|gain| alike(gain)).count().max(1);
            for gain in &gains[from..to] {
                match gain.by {
                    Source::Term(term) | Source::Written(term) => term.join(half, segment, &mut seen)?,
                    Source::Way(way) => way.join(half, segment, &mut seen)?,
                }
            }
            let number = bounds.len() as u8;
            bounds.push(most(&gains[from..]));
            left.retain(|at| {
                let has = seen.has(documents[*at as usize]);
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
    pub fn query(&self) -> Box<dyn Query> {
        let ways = self.ways.iter().map(|way| {
            let parts = way.parts.iter().map(|part| best_of(part.iter().map(Sought::query).collect()));
            let mut parts: Vec<Box<dyn Query>> = parts.collect();
            let whole = match parts.len() {
                1 => parts.remove(0),
                _ => Box::new(BooleanQuery::intersection(parts)),
            };
            boosted(whole, way.boost)
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

impl Plan {
    /// Of these meanings.
    pub fn new(meanings: Vec<Meaning>) -> Self {
        Self { meanings, sets: OnceCell::new() }
    }

    /// Meanings that a document should have.
    pub fn needed(&self) -> usize {
        self.all(Need::Wanted).count()
    }

    fn all(&self, need: Need) -> impl Iterator<Item = &Meaning> {
        self.meanings.iter().filter(move |meaning| meaning.need == need)
    }

    /// Whether something must match whatever else is missing.
    pub fn strict(&self) -> bool {
        self.all(Need::Must).next().is_some()
    }

    /// Whether there are words that nothing has.
    pub fn unknown(&self) -> bool {
        self.all(Need::Wanted).any(|meaning| meaning.ways.is_empty())
    }

    /// Whether a document with these scores has enough.
    pub fn suffices(&self, scored: Scored, minimum: Option<usize>) -> bool {
        !scored.lacking && scored.meanings >= self.least(minimum)
    }

    /// How many of the meanings a document must have.
    pub fn least(&self, minimum: Option<usize>) -> usize {
        minimum.unwrap_or(usize::MAX).min(self.needed())
    }

    /// Documents that have all meanings, or so many of them.
    pub fn matches(&self, half: &Half, segment: usize, minimum: Option<usize>) -> tantivy::Result<Bits> {
        let documents = half.tables[segment].documents();
        if self.sets.get().is_none() {
            let segments = (0..half.tables.len()).map(|segment| {
                let sets = |need| -> tantivy::Result<Vec<Bits>> {
                    self.all(need).map(|meaning| meaning.set(half, segment)).collect()
                };
                Ok(Sets { wanted: sets(Need::Wanted)?, must: sets(Need::Must)? })
            });
            let sets: Vec<Sets> = segments.collect::<tantivy::Result<_>>()?;
            self.sets.get_or_init(|| sets);
        }
        let Some(Sets { wanted, must }) = self.sets.get().and_then(|sets| sets.get(segment)) else {
            return Ok(Bits::none(documents));
        };
        let mut found = self.enough(wanted, documents, minimum);
        for set in must {
            found.cut(set);
        }
        Ok(found)
    }

    /// Documents that are in all of the sets, or in so many of them.
    fn enough(&self, sets: &[Bits], documents: u32, minimum: Option<usize>) -> Bits {
        let least = self.least(minimum);
        if least >= sets.len() {
            let Some((first, others)) = sets.split_first() else { return Bits::all(documents) };
            let mut all = first.clone();
            for other in others {
                all.cut(other);
            }
            return all;
        }
        // What has at least so many, for every number up to the one that is needed.
        let mut reached = vec![Bits::none(documents); least + 1];
        reached[0] = Bits::all(documents);
        for set in sets {
            for count in (1..=least).rev() {
                let (fewer, more) = reached.split_at_mut(count);
                more[0].join_both(&fewer[count - 1], set);
            }
        }
        reached.pop().unwrap_or_else(|| Bits::none(documents))
    }

    /// What the words give each document at most, as it goes into the rank.
    pub fn bounds(&self, half: &Half, segment: usize, documents: &[u32]) -> tantivy::Result<Vec<f32>> {
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
        let texts: Vec<f32> = sums.into_iter().map(crate::rank::text).collect();
        Ok(classes.into_iter().map(|class| texts[usize::from(class)]).collect())
    }

    /// What the words give a document, as it goes into the rank; less where some of them are missing.
    pub fn text(&self, scored: Scored) -> f32 {
        let wanted: f32 = self.all(Need::Wanted).map(Meaning::share).sum();
        crate::rank::text(scored.score) * crate::rank::coverage(scored.covered, wanted)
    }

    /// What was asked for and a document has not.
    pub fn missing(&self, half: &Half, segment: usize, document: u32) -> tantivy::Result<Vec<String>> {
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
    pub fn scores(&self, half: &Half, segment: usize, documents: &[u32]) -> tantivy::Result<Vec<Scored>> {
        let mut scored = vec![Scored::default(); documents.len()];
        for meaning in &self.meanings {
            for (to, score) in scored.iter_mut().zip(meaning.scores(half, segment, documents)?) {
                to.score += score;
                if score > 0.0 && meaning.need == Need::Wanted {
                    to.meanings += 1;
                    to.covered += meaning.share();
                }
                to.lacking |= score <= 0.0 && meaning.need == Need::Must;
            }
        }
        Ok(scored)
    }
}

/// With a boost, where it changes something.
pub fn boosted(query: Box<dyn Query>, boost: f32) -> Box<dyn Query> {
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
