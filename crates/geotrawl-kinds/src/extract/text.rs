//! Addresses in plain text and JSON.

use super::addresses::{SchemeMarks, addresses_in, without_js_escapes};
use super::charset::{TextKind, decode_text};
use super::collect::{LinkCollector, LinkFilter, LinkOrigin};
use super::simhash::simhash;
use super::words::words_near;
use crate::probe::{Finding, PageFacts, ResponseHead};
use url::Url;

/// Number of bytes to use for the similarity hash.
const MAX_TEXT: usize = 1 << 20;

/// Reads the absolute addresses of a plain text or JSON document.
pub fn read_text(url: &Url, head: &ResponseHead, body: &[u8]) -> Finding {
    let (source, charset) = decode_text(head, body, TextKind::Plain);
    let mut finding = Finding::default();
    let start = source.get(..source.floor_char_boundary(MAX_TEXT)).unwrap_or_default();
    let (simhash, words) = simhash(start);
    if !head.nofollow {
        // The text around an address in JSON is not prose.
        let is_json = source.trim_ascii_start().starts_with(['{', '[']);
        let words = |at: usize| if is_json { String::new() } else { words_near(&source, at) };
        let mut collector = LinkCollector::new(head.url.as_ref().unwrap_or(url).clone());
        add_addresses(&source, LinkOrigin::Text, LinkFilter::All, words, &mut collector);
        super::link_header::add_links(&head.links, &mut collector);
        collector.finish_into(&mut finding);
    }
    let charset = charset.to_owned();
    let nofollow = head.nofollow;
    finding.page = Some(PageFacts { charset, simhash, words, nofollow, ..PageFacts::default() });
    finding
}

/// Adds every absolute address of a text. `words` returns the words around a position.
pub(super) fn add_addresses(
    source: &str,
    place: LinkOrigin,
    accept: LinkFilter,
    words: impl Fn(usize) -> String,
    collector: &mut LinkCollector<'_>,
) {
    let mut marks = SchemeMarks::new(source.as_bytes());
    for (mark, raw) in addresses_in(source, &mut marks, 0..source.len()) {
        collector.add_from_text(&without_js_escapes(raw), place, accept, || words(mark));
    }
}
