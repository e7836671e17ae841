//! Determines the topics of a resource: by the words of vocabularies in its texts, and by a trained
//! classifier.
//!
//! Pure and offline. Each label names the scheme, the term and the evidence.
//!
//! - [`ThemeVocabulary`]: terms with their words by language, read from TOML
//!   ([`ThemeVocabulary::parse`]).
//! - [`Themes`]: all vocabularies in one automaton; the crawler calls [`Themes::find_labels`].
//! - [`LandCoverClass`]: the twelve land-cover classes in order of precedence; [`naive_land_cover`]
//!   is the baseline for comparison.
//! - [`classifier`]: a linear model for texts in which no word of the vocabulary is found.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod automaton;
pub mod classifier;
mod forms;
mod land_cover;
mod lexicon;
mod themes;
mod vocabulary;
mod vocabulary_file;
mod word_cache;

pub use land_cover::{LandCoverClass, naive_land_cover, naive_land_cover_classes};
pub use themes::Themes;
pub use vocabulary::{ThemeVocabulary, VocabularyTerm, WordsByLanguage};
pub use vocabulary_file::{ParsedVocabulary, VocabularyIssue};

use serde::{Deserialize, Serialize};

/// The texts of a resource that describe its topic.
#[derive(Debug, Clone, Copy, Default)]
pub struct ResourceTexts<'a> {
    pub title: Option<&'a str>,
    pub abstract_: Option<&'a str>,
    pub keywords: &'a [&'a str],
    /// Titles of its datasets, the first few hundred.
    pub datasets: &'a [&'a str],
    /// Language as stated or detected (ISO 639-1).
    pub language: Option<&'a str>,
}

/// A theme label of a resource.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThemeLabel {
    /// Id of the vocabulary: `land-cover`, `inspire`, `iso-topic`, `geoss`, `gcmd`, ...
    pub scheme: String,
    /// Id of the term in it.
    pub term: String,
    /// Field, word in the text, word of the vocabulary and language, as in `title: "Wälder" (wald,
    /// de)`. For the classifier, its confidence and the decisive words.
    pub evidence: String,
    /// 0 to 1.
    pub weight: f32,
}
