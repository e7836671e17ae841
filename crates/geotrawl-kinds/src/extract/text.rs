//! Addresses in plain text and JSON.

use super::addresses::{Marks, addresses_in, without_js_escapes};
use super::charset::{TextKind, decode};
use super::collect::{Accept, Collector, Place};
use super::simhash::simhash;
use super::words::near;
use crate::probe::{Finding, PageFacts, ResponseHead};
use url::Url;

/// Text beyond this says nothing more about similarity.
const MAX_TEXT: usize = 1 << 20;

/// Reads the absolute addresses of a plain text or JSON document.
pub fn read_text(url: &Url, head: &ResponseHead, body: &[u8]) -> Finding {
    let (source, charset) = decode(head, body, TextKind::Plain);
    let mut finding = Finding::default();
    let start = source.get(..source.floor_char_boundary(MAX_TEXT)).unwrap_or_default();
    let (simhash, words) = simhash(start);
    if !head.nofollow {
        // What surrounds an address in JSON are no words.
        let is_json = source.trim_ascii_start().starts_with(['{', '[']);
        let words = |at: usize| if is_json { String::new() } else { near(&source, at) };
        let mut collector = Collector::new(head.url.as_ref().unwrap_or(url).clone());
        add_addresses(&source, Place::Text, Accept::All, words, &mut collector);
        super::link_header::add_links(&head.links, &mut collector);
        collector.finish(&mut finding);
    }
    let charset = charset.to_owned();
    let nofollow = head.nofollow;
    finding.page = Some(PageFacts { charset, simhash, words, nofollow, ..PageFacts::default() });
    finding
}

/// Adds every absolute address of a text; `words` gives what surrounds a position.
pub(super) fn add_addresses(
    source: &str,
    place: Place,
    accept: Accept,
    words: impl Fn(usize) -> String,
    collector: &mut Collector<'_>,
) {
    let mut marks = Marks::new(source.as_bytes());
    for (mark, raw) in addresses_in(source, &mut marks, 0..source.len()) {
        collector.add_loose(&without_js_escapes(raw), place, accept, || words(mark));
    }
}
