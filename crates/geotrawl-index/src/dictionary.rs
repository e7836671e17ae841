//! Lookups in a field's term dictionary: matching terms and their document frequencies.

use std::collections::HashMap;
use tantivy::query::FuzzyTermQuery;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

/// Maximum number of terms read per segment for a fuzzy word.
const MOST_NEAR: usize = 20_000;

/// Terms with their document frequencies.
pub type TermFrequencies = HashMap<String, u64>;

/// Returns terms with a prefix; reads at most `most` terms per segment.
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

/// Returns terms within an edit distance of a word.
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
