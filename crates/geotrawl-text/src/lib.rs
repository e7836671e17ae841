//! Text functions shared by search, themes and document writers, so that all of them agree on what
//! a word is.
//!
//! - [`split_words`] and [`fold`] split a text into words and remove case and accents.
//! - [`Language`] identifies a language and stems its words. [`detect_language`] detects one per
//!   text by statistics, [`detect_languages`] detects several, by function words first.
//! - [`StopWords`] contains the two lists of function words.
//! - [`escape`] escapes text for HTML and XML.
//!
//! Pure and offline. Depends on no other crate of the workspace.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod detect;
pub mod escape;
pub mod hash;
mod language;
mod stop_words;
mod words;

pub use detect::{detect_language, detect_languages};
pub use language::{Language, LanguageSet};
pub use stop_words::{LABEL_STOP_WORDS, SEARCH_STOP_WORDS, StopWords};
pub use words::{LONGEST_WORD, WordToken, WordTokens, fold, fold_into, split_words};
