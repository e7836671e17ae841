//! Searches the catalogue of this instance: servers with known resources may have more.

use super::engine::{EngineHit, EngineProfile, ResultPage};
use super::fault::{EngineErrorClass, SearchEngineError};

pub(super) static DOC: EngineProfile = EngineProfile {
    kind: "own",
    title: "This catalogue",
    home: "docs/guide/searching.md",
    ..EngineProfile::LOCAL
};

/// Access to the search index of this instance's catalogue.
pub trait CatalogueLookup: Send + Sync {
    /// Returns addresses and titles for the words, best first, at most `most`; or why the search
    /// failed. May block: it is called on the blocking pool.
    fn find_addresses(
        &self,
        words: &str,
        language: Option<&str>,
        most: usize,
    ) -> Result<Vec<(String, String)>, String>;
}

/// Searches the catalogue.
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
