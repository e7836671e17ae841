//! Our own catalogue: what was found before about the same words shows where more may be.

use super::engine::{EngineHit, EngineProfile, ResultPage};
use super::fault::{EngineErrorClass, SearchEngineError};

pub(super) static DOC: EngineProfile = EngineProfile {
    kind: "own",
    title: "This catalogue",
    home: "docs/guide/searching.md",
    ..EngineProfile::LOCAL
};

/// The index of the catalogue, as whoever has it offers it.
pub trait CatalogueLookup: Send + Sync {
    /// Addresses and titles for words, best first, at most `most`; or why there are none. May take its time: it is
    /// called where waiting is allowed.
    fn find_addresses(
        &self,
        words: &str,
        language: Option<&str>,
        most: usize,
    ) -> Result<Vec<(String, String)>, String>;
}

/// Asks it.
pub(super) fn search_catalogue(
    index: &dyn CatalogueLookup,
    words: &str,
    language: Option<&str>,
    most: usize,
) -> Result<ResultPage, SearchEngineError> {
    let found = index.find_addresses(words, language, most).map_err(|cause| {
        SearchEngineError::new(EngineErrorClass::Local, format!("the catalogue cannot be searched: {cause}"))
    })?;
    let hit = |(url, title): (String, String)| Some(EngineHit { url, title });
    Ok(ResultPage { hits: found.into_iter().take(most).map(hit).collect(), ..ResultPage::default() })
}
