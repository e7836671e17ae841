//! Our own catalogue: what was found before about the same words shows where more may be.

use super::engine::{Doc, Hit, Page};
use super::fault::{Fault, FaultClass};

pub(super) static DOC: Doc =
    Doc { kind: "own", title: "This catalogue", home: "docs/guide/searching.md", ..Doc::LOCAL };

/// The index of the catalogue, as whoever has it offers it.
pub trait OwnIndex: Send + Sync {
    /// Addresses and titles for words, best first, at most `most`; or why there are none. May take its time: it is
    /// called where waiting is allowed.
    fn find(&self, words: &str, language: Option<&str>, most: usize)
    -> Result<Vec<(String, String)>, String>;
}

/// Asks it.
pub(super) fn ask(
    index: &dyn OwnIndex,
    words: &str,
    language: Option<&str>,
    most: usize,
) -> Result<Page, Fault> {
    let found = index.find(words, language, most).map_err(|cause| {
        Fault::new(FaultClass::Local, format!("the catalogue cannot be searched: {cause}"))
    })?;
    let hit = |(url, title): (String, String)| Some(Hit { url, title });
    Ok(Page { hits: found.into_iter().take(most).map(hit).collect(), ..Page::default() })
}
