//! Search suggestions and spelling corrections.

use crate::answer::MatchRequirements;
use crate::compile::{CompiledQuery, lowercase_words};
use crate::dictionary::{similar_terms, terms_with_prefix};
use crate::engine::IndexSnapshot;
use crate::parse::{QueryNode, WordForm};
use crate::query::{SearchQuery, SearchTarget, Suggestion};
use crate::words::synonyms::is_vocabulary_word;
use crate::{CatalogueIndex, IndexError};
use geotrawl_text::fold;
use std::collections::HashMap;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

/// Maximum number of dictionary entries that are read: one or two letters begin very many.
const MOST_LOOKED_AT: usize = 8_000;
/// A word in at least this many documents is not a misspelling.
const OFTEN: u64 = 2;
/// Maximum length of a prefix that is completed.
const LONGEST: usize = 90;

/// Corrected spelling of a query.
pub(crate) struct SpellingCorrection {
    pub words: String,
    /// Whether the correction can be applied without asking: its words are domain words, or several
    /// documents have them.
    pub sure: bool,
}

impl CatalogueIndex {
    /// Suggests completions: titles, keywords and providers that start with the text, and words
    /// that complete its last word.
    pub fn suggest(&self, prefix: &str, limit: usize) -> Result<Vec<Suggestion>, IndexError> {
        let asked = fold(prefix.trim_start()).into_owned();
        let limit = limit.min(100);
        if asked.trim().chars().count() < 2 || asked.len() > LONGEST || limit == 0 {
            return Ok(Vec::new());
        }
        let snapshot = self.engine.snapshot();
        let fails = self.engine.error_while("suggesting");
        let fields = self.engine.fields;
        let mut found: Vec<(Suggestion, u32)> = Vec::new();
        let whole = terms_with_prefix(&snapshot.services.searcher, fields.suggest, &asked, MOST_LOOKED_AT)
            .map_err(&fails)?;
        let mut merged: HashMap<String, (Suggestion, u32)> = HashMap::new();
        for (entry, count) in whole {
            let mut parts = entry.split('\u{1}');
            let (Some(folded), Some(kind), Some(text)) = (parts.next(), parts.next(), parts.next()) else {
                continue;
            };
            let weight = match kind {
                "keyword" => 3,
                "provider" => 2,
                _ => 1,
            };
            let one = merged.entry(format!("{folded}\u{1}{kind}")).or_insert_with(|| {
                (Suggestion { text: text.to_owned(), kind: kind.to_owned(), count: 0 }, weight)
            });
            one.0.count += count;
        }
        found.extend(merged.into_values());
        let (before, last) = match asked.rsplit_once(' ') {
            Some((before, last)) => (format!("{} ", before.trim_end()), last),
            None => (String::new(), asked.as_str()),
        };
        // Stems and other special terms start with a mark.
        if last.chars().count() >= 2 && last.starts_with(char::is_alphanumeric) {
            for (word, count) in
                terms_with_prefix(&snapshot.services.searcher, fields.text, last, MOST_LOOKED_AT)
                    .map_err(&fails)?
            {
                found.push((
                    Suggestion { text: format!("{before}{word}"), kind: "word".to_owned(), count },
                    2,
                ));
            }
        }
        found.sort_by(|(a, x), (b, y)| {
            let value = |one: &Suggestion, weight: u32| one.count * u64::from(weight);
            value(b, *y)
                .cmp(&value(a, *x))
                .then_with(|| a.text.len().cmp(&b.text.len()))
                .then_with(|| a.text.cmp(&b.text))
        });
        // Merge suggestions of different kinds with the same text.
        let mut seen = std::collections::HashSet::new();
        found.retain(|(one, _)| seen.insert(fold(&one.text).into_owned()));
        found.truncate(limit);
        Ok(found.into_iter().map(|(one, _)| one).collect())
    }

    /// Replaces words that do not occur in the index by the nearest words that do.
    pub(crate) fn correct_spelling(
        &self,
        snapshot: &IndexSnapshot,
        node: Option<&QueryNode>,
        query: &SearchQuery,
    ) -> tantivy::Result<Option<SpellingCorrection>> {
        let mut words = Vec::new();
        plain_words(node, &mut words);
        // Services also match the words of their layers.
        let searchers: &[&Searcher] = match query.by {
            SearchTarget::Services => &[&snapshot.services.searcher, &snapshot.layers.searcher],
            SearchTarget::Layers => &[&snapshot.layers.searcher],
        };
        let field = self.engine.fields.text;
        let held = |field: Field, text: &str| -> tantivy::Result<bool> {
            let term = Term::from_field_text(field, text);
            for searcher in searchers {
                if searcher.doc_freq(&term)? > 0 {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        let mut other = query.words.clone();
        let mut sure = true;
        for word in words {
            let folded = fold(&word).into_owned();
            let alone = QueryNode::Word { field: None, text: word.clone(), form: WordForm::Plain };
            let asked =
                self.compile_words(snapshot, Some(&alone), query, MatchRequirements::default())?.asked;
            let known = !matches!(asked, CompiledQuery::Plan(plan) if plan.has_unknown_words());
            if known || folded.chars().count() < 3 {
                continue;
            }
            let meant = |word: &str| !self.synonyms.find_alternatives(&[word.to_owned()]).is_empty();
            // Try in order: a misspelling, two words written as one, a larger distance, a related
            // word.
            let mut near = None;
            let slip = !is_vocabulary_word(&folded);
            for distance in 1..=farthest(&folded) {
                for searcher in searchers.iter().filter(|_| slip) {
                    near = near.or(nearest(searcher, field, &folded, distance)?);
                }
                if near.is_none() && distance == 1 {
                    let parts = in_two(&word, |part| Ok(meant(part) || held(field, &fold(part))?))?;
                    near = parts.map(|parts| (parts, OFTEN));
                }
            }
            for searcher in searchers {
                near = near.or(relative(searcher, field, &folded)?);
            }
            let Some((near, count)) = near else { continue };
            sure &= count >= OFTEN || meant(&near);
            let lower = other.to_lowercase();
            // Lower case may be longer than the original, so positions are only valid if the
            // lengths agree.
            if lower.len() == other.len()
                && let Some(at) = lower.find(&word)
                && other.is_char_boundary(at)
                && other.is_char_boundary(at + word.len())
            {
                other.replace_range(at..at + word.len(), &near);
            }
        }
        Ok((other != query.words).then_some(SpellingCorrection { words: other, sure }))
    }
}

fn plain_words(node: Option<&QueryNode>, words: &mut Vec<String>) {
    match node {
        Some(QueryNode::Word { field: None, text, form: WordForm::Plain }) => {
            words.extend(lowercase_words(text));
        }
        Some(QueryNode::Together(nodes) | QueryNode::All(nodes) | QueryNode::Any(nodes)) => {
            for node in nodes {
                plain_words(Some(node), words);
            }
        }
        Some(QueryNode::Must(node)) => plain_words(Some(node), words),
        _ => {}
    }
}

/// Returns the maximum edit distance of a correction.
fn farthest(word: &str) -> u8 {
    if word.chars().count() < 5 { 1 } else { 2 }
}

/// Returns the most frequent word within an edit distance, preferring words with the same first
/// letter.
fn nearest(
    searcher: &Searcher,
    field: Field,
    word: &str,
    distance: u8,
) -> tantivy::Result<Option<(String, u64)>> {
    let mut found = similar_terms(searcher, field, word, distance)?;
    // Stems and other special terms start with a mark.
    found.retain(|term, _| term.starts_with(char::is_alphanumeric));
    // Typing errors rarely affect the first letter.
    let alike = |other: &str| other.chars().next() == word.chars().next();
    let rank = |(other, count): &(String, u64)| (alike(other), *count);
    let best = found.into_iter().max_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| b.0.cmp(&a.0)));
    Ok(best.filter(|(other, _)| distance == 1 || alike(other)))
}

/// Returns the most frequent word with the same beginning, because scientific words are similar in
/// many languages (`geothermische`, `geothermal`).
fn relative(searcher: &Searcher, field: Field, word: &str) -> tantivy::Result<Option<(String, u64)>> {
    const SHORTEST: usize = 6;
    let letters = word.chars().count();
    let shared = (letters * 3).div_ceil(5).max(SHORTEST);
    let Some((end, _)) = word.char_indices().nth(shared) else { return Ok(None) };
    let found = terms_with_prefix(searcher, field, &word[..end], MOST_LOOKED_AT)?;
    Ok(found.into_iter().max_by(|(a, x), (b, y)| x.cmp(y).then_with(|| b.cmp(a))))
}

/// Splits a word into two words that both occur: `shipwrecks`, `landcovermap`.
fn in_two(
    word: &str,
    mut held: impl FnMut(&str) -> tantivy::Result<bool>,
) -> tantivy::Result<Option<String>> {
    const SHORTEST: usize = 4;
    for at in (SHORTEST..=word.len().saturating_sub(SHORTEST)).rev() {
        if !word.is_char_boundary(at) {
            continue;
        }
        let (first, last) = word.split_at(at);
        if held(first)? && held(last)? {
            return Ok(Some(format!("{first} {last}")));
        }
    }
    Ok(None)
}
