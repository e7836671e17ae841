//! Words: where they begin and end, how they are folded, stemmed and related.

pub mod areas;
pub mod compounds;
pub mod lands;
pub mod language;
pub mod split;
pub mod synonyms;

pub use language::Language;
pub use split::{fold, pieces};
pub use synonyms::Synonyms;
