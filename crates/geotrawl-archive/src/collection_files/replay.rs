//! Replays archived pages.

use super::{CollectionFiles, CollectionFilesError};
use crate::didl::format_timestamp;
use crate::page::AddressRole;
use crate::rewrite;
use geotrawl_kinds::extract::{TextKind, decode_text};
use geotrawl_kinds::probe::ResponseHead;
use geotrawl_model::archived_page::CurrentPage;
use geotrawl_model::collection::Collection;
use geotrawl_model::store::CollectionStore;
use geotrawl_text::escape::escape_html;
use jiff::Timestamp;
use url::Url;

/// A replayed page or file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayedPage {
    pub media_type: String,
    pub bytes: Vec<u8>,
    pub at: Timestamp,
    pub digest: String,
}

/// Returns the URL that serves the original bytes of an address at a given time.
pub fn raw_replay_url(base: &str, acronym: &str, at: Timestamp, url: &str) -> String {
    format!("{base}/replay/{acronym}/{}id_/{url}", format_timestamp(at))
}

/// Returns the URL that replays a page at a given time.
pub fn replay_url(base: &str, acronym: &str, at: Timestamp, url: &str) -> String {
    format!("{base}/replay/{acronym}/{}/{url}", format_timestamp(at))
}

/// Parses the time in a replay URL, and whether the original bytes are requested (`id_`). Also
/// accepts fourteen digits, the notation of other archives.
pub fn parse_replay_time(text: &str) -> Option<(Timestamp, bool)> {
    let (text, raw) = match text.strip_suffix("id_") {
        Some(text) => (text, true),
        None => (text, false),
    };
    if text.len() == 14 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
        let written = format!(
            "{}-{}-{}T{}:{}:{}Z",
            part(0, 4),
            part(4, 6),
            part(6, 8),
            part(8, 10),
            part(10, 12),
            part(12, 14)
        );
        return written.parse().ok().map(|at| (at, raw));
    }
    text.parse().ok().map(|at| (at, raw))
}

/// Returns the content of an address at a given time: original bytes (`raw`), or with addresses
/// rewritten to the archive.
pub fn replay_page(
    store: &dyn CollectionStore,
    shelf: &CollectionFiles,
    collection: &Collection,
    at: Timestamp,
    url: &str,
    raw: bool,
) -> Result<Option<ReplayedPage>, CollectionFilesError> {
    let Some(item) = find_item(store, collection, at, url)? else { return Ok(None) };
    let stored = shelf.read_record(&collection.acronym, &item.version.payload)?;
    let version = &item.version;
    let mut shown = ReplayedPage {
        media_type: version.media_type.clone(),
        bytes: stored.payload,
        at: version.at,
        digest: version.digest.clone(),
    };
    if raw {
        return Ok(Some(shown));
    }
    let url = version.final_url.as_deref().unwrap_or(&item.url);
    let Ok(url) = Url::parse(url) else { return Ok(Some(shown)) };
    let acronym = &collection.acronym;
    let to = |url: &Url, _: AddressRole| Some(replay_url("", acronym, at, url.as_str()));
    if let Some(bytes) = rewrite_bytes(&url, &shown.media_type, &shown.bytes, &to) {
        shown.bytes = bytes;
        let essence = media_type_essence(&shown.media_type);
        shown.media_type = format!("{essence}; charset=utf-8");
    }
    Ok(Some(shown))
}

/// Finds the item at an address. Also tries the other of `http` and `https`, and the normalised
/// URL.
fn find_item(
    store: &dyn CollectionStore,
    collection: &Collection,
    at: Timestamp,
    url: &str,
) -> Result<Option<CurrentPage>, CollectionFilesError> {
    let mut spellings = vec![url.to_owned()];
    if let Ok(mut parsed) = Url::parse(url) {
        parsed.set_fragment(None);
        spellings.push(parsed.to_string());
        let other = if parsed.scheme() == "http" { "https" } else { "http" };
        if parsed.set_scheme(other).is_ok() {
            spellings.push(parsed.into());
        }
    }
    spellings.dedup();
    for spelling in spellings {
        if let Some(item) = store.page_as_of(collection.id, &spelling, at)? {
            return Ok(Some(item));
        }
    }
    Ok(None)
}

/// Returns the media type without parameters.
pub(super) fn media_type_essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Rewrites a page or style sheet. Returns `None` for other media types.
pub(super) fn rewrite_bytes(
    url: &Url,
    media_type: &str,
    bytes: &[u8],
    to: &rewrite::AddressMapper<'_>,
) -> Option<Vec<u8>> {
    let head = ResponseHead { content_type: Some(media_type.to_owned()), ..ResponseHead::default() };
    match media_type_essence(media_type).as_str() {
        "text/html" | "application/xhtml+xml" => {
            let (source, _) = decode_text(&head, bytes, TextKind::Html);
            let shown = rewrite::rewrite_html(url, &source, to).unwrap_or_else(|error| {
                format!("<!DOCTYPE html><meta charset=\"utf-8\"><p>{}</p>", escape_html(&error.to_string()))
            });
            Some(shown.into_bytes())
        }
        "text/css" => {
            let (source, _) = decode_text(&head, bytes, TextKind::Plain);
            Some(rewrite::rewrite_style_sheet(url, &source, to).into_bytes())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_in_both_ways() {
        let at: Timestamp = "2026-11-16T10:00:00Z".parse().unwrap();
        assert_eq!(parse_replay_time("2026-11-16T10:00:00Z"), Some((at, false)));
        assert_eq!(parse_replay_time("20261116100000id_"), Some((at, true)));
        assert_eq!(parse_replay_time("20261316100000"), None);
        assert_eq!(parse_replay_time("x"), None);
        let (exact, _) =
            parse_replay_time(&format_timestamp("2026-11-16T10:00:00.123456Z".parse().unwrap())).unwrap();
        assert_eq!(exact.subsec_microsecond(), 123_456);
    }
}
