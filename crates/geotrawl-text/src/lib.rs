//! Text functions that search, themes and the writers of documents share, so that a word is the same word in all of
//! them.
//!
//! - [`pieces`] and [`fold`] cut a text into words and remove case and accents.
//! - [`Language`] names a language, stems its words, and is detected by [`detect_language`] (one per text, by
//!   statistics) or [`detect_languages`] (several, by function words first).
//! - [`StopWords`] holds the two lists of function words.
//! - [`escape`] makes text safe for HTML and XML.
//!
//! Pure and offline. Depends on no other crate of the workspace.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod detect;
pub mod escape;
pub mod hash;
mod language;
mod pieces;
mod stop_words;

pub use detect::{detect_language, detect_languages};
pub use language::{Language, LanguageSet};
pub use pieces::{LONGEST_WORD, WordToken, WordTokens, fold, fold_into, split_words};
pub use stop_words::{LABEL_STOP_WORDS, SEARCH_STOP_WORDS, StopWords};
