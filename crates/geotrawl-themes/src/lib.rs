//! What a resource is about: words of vocabularies found in its texts, and a trained classifier beside them.
//!
//! Pure and offline. Every label names the scheme, the term, and the evidence that gave it.
//!
//! - [`Vocabulary`]: terms and their words by language, read from TOML ([`Vocabulary::parse`]).
//! - [`Themes`]: all vocabularies in one automaton; [`Themes::labels`] is what the crawler asks.
//! - [`Class`]: the twelve land-cover classes with their order of precedence; [`naive_land_cover`] is what they are
//!   compared with.
//! - [`classifier`]: a linear model beside the keywords, for texts on which these are silent.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod automaton;
pub mod classifier;
mod forms;
mod land_cover;
mod lexicon;
mod memo;
mod reading;
mod themes;
mod vocabulary;

pub use land_cover::{LandCoverClass, naive_land_cover, naive_land_cover_classes};
pub use reading::{ParsedVocabulary, VocabularyIssue};
pub use themes::Themes;
pub use vocabulary::{ThemeVocabulary, VocabularyTerm, WordsByLanguage};

use serde::{Deserialize, Serialize};

/// The texts of a resource that say what it is about.
#[derive(Debug, Clone, Copy, Default)]
pub struct ResourceTexts<'a> {
    pub title: Option<&'a str>,
    pub abstract_: Option<&'a str>,
    pub keywords: &'a [&'a str],
    /// Titles of its datasets, the first few hundred.
    pub datasets: &'a [&'a str],
    /// Language as stated or told from the text (ISO 639-1).
    pub language: Option<&'a str>,
}

/// One label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThemeLabel {
    /// Id of the vocabulary: `land-cover`, `inspire`, `iso-topic`, `geoss`, `gcmd`, ...
    pub scheme: String,
    /// Id of the term in it.
    pub term: String,
    /// Field, word as written, word of the vocabulary, language: `title: "Wälder" (wald, de)`; of the classifier: its confidence and the telling words.
    pub evidence: String,
    /// 0 to 1.
    pub weight: f32,
}
