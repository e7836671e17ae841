//! Looks into a field's dictionary: which terms there are, and how many documents have them.

use std::collections::HashMap;
use tantivy::query::FuzzyTermQuery;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

/// Most terms of a segment that are looked at for a word that may be written otherwise.
const MOST_NEAR: usize = 20_000;

/// Terms with the number of documents that have them.
pub type TermFrequencies = HashMap<String, u64>;

/// Those that begin so; at most so many of each segment are looked at.
pub fn terms_with_prefix(
    searcher: &Searcher,
    field: Field,
    prefix: &str,
    most: usize,
) -> tantivy::Result<TermFrequencies> {
    let mut found = TermFrequencies::new();
    for reader in searcher.segment_readers() {
        let index = reader.inverted_index(field)?;
        let mut terms = index.terms().range().ge(prefix).into_stream()?;
        let mut looked_at = 0;
        while terms.advance() && looked_at < most {
            looked_at += 1;
            let Ok(term) = std::str::from_utf8(terms.key()) else { continue };
            if !term.starts_with(prefix) {
                break;
            }
            *found.entry(term.to_owned()).or_default() += u64::from(terms.value().doc_freq);
        }
    }
    Ok(found)
}

/// Those that differ in so many letters at most.
pub fn similar_terms(
    searcher: &Searcher,
    field: Field,
    word: &str,
    distance: u8,
) -> tantivy::Result<TermFrequencies> {
    let fuzzy = FuzzyTermQuery::new(Term::from_field_text(field, word), distance, true);
    let mut found = TermFrequencies::new();
    for reader in searcher.segment_readers() {
        let index = reader.inverted_index(field)?;
        let mut terms = index.terms().search(fuzzy.automaton()?).into_stream()?;
        let mut looked_at = 0;
        while terms.advance() && looked_at < MOST_NEAR {
            looked_at += 1;
            if let Ok(term) = std::str::from_utf8(terms.key()) {
                *found.entry(term.to_owned()).or_default() += u64::from(terms.value().doc_freq);
            }
        }
    }
    Ok(found)
}
