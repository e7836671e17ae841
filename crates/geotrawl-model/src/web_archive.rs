//! Web archives that were mined.

use jiff::Timestamp;
use serde::Serialize;

/// Identity of an archive: a different length or version makes it a different one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ArchiveId {
    /// Path or address.
    pub name: String,
    pub length: Option<u64>,
    /// Entity tag of the server, or modification time of the file.
    pub version: String,
}

/// Totals of mining an archive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ArchiveTotals {
    /// Records or lines.
    pub records: u64,
    /// Bytes after decompression.
    pub bytes: u64,
    /// Services and files that its pages link to, counted as often as they are linked.
    pub shown: u64,
    /// Number of places that could not be read.
    pub damaged: u64,
}

/// An archive that was mined to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MinedArchive {
    pub id: ArchiveId,
    pub finished: Timestamp,
    pub totals: ArchiveTotals,
}

/// Separates the text of a link from the archived page that contains it.
const IN_ARCHIVE: &str = "(archived: ";

/// Appends the archived page to the text of a link on it. Mined URLs are requested without fetching
/// that page, so the text is the only place that can record where the link was found.
#[must_use]
pub fn append_archived_page(words: &str, page: &str) -> String {
    format!("{words} {IN_ARCHIVE}{page})").trim_start().to_owned()
}

/// Splits text written by [`append_archived_page`] into link text and page.
#[must_use]
pub fn split_archived_page(words: &str) -> Option<(&str, &str)> {
    let (words, page) = words.strip_suffix(')')?.rsplit_once(IN_ARCHIVE)?;
    Some((words.trim_end(), page))
}

/// Hash of a request that was listed.
pub type MinedKey = [u8; 16];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_tell_the_archived_page() {
        for words in ["", "Flood map", "says (archived: http://elsewhere.example/)"] {
            let page = "http://a.example/maps?of=(all)";
            assert_eq!(split_archived_page(&append_archived_page(words, page)), Some((words, page)));
        }
        assert_eq!(split_archived_page("Flood map (archived)"), None);
    }
}
