//! Words of the catalogue: synonyms, compounds, areas and countries.

pub mod areas;
pub mod compounds;
pub mod lands;
pub mod synonyms;

pub use synonyms::Synonyms;
