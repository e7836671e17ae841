//! Archives of the web that were read.

use jiff::Timestamp;
use serde::Serialize;

/// An archive as it was when it was read: another length or version makes it another one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ArchiveId {
    /// Path or address.
    pub name: String,
    pub length: Option<u64>,
    /// Entity tag of a server, or the time of the last change of a file.
    pub version: String,
}

/// What reading an archive came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ArchiveTotals {
    /// Records or lines.
    pub records: u64,
    /// Bytes after decompression.
    pub bytes: u64,
    /// Services and files that were shown, each as often as it was.
    pub shown: u64,
    /// Places that could not be read.
    pub damaged: u64,
}

/// An archive that was read to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MinedArchive {
    pub id: ArchiveId,
    pub finished: Timestamp,
    pub totals: ArchiveTotals,
}

/// Between the words of a link and the archived page that shows it.
const IN_ARCHIVE: &str = "(archived: ";

/// Words of a link that an archived page shows, and the page: what is mined is asked for without reading that page again,
/// so that its words are all that tells where it was found.
#[must_use]
pub fn append_archived_page(words: &str, page: &str) -> String {
    format!("{words} {IN_ARCHIVE}{page})").trim_start().to_owned()
}

/// The words and the page of [`words_in_archive`].
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
