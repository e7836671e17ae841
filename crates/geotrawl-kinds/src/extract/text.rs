//! Addresses in plain text and JSON.

use super::addresses::{Marks, address_at, without_js_escapes};
use super::charset::{TextKind, decode};
use super::collect::{Accept, Collector, Place};
use super::simhash::simhash;
use super::words::around;
use crate::probe::{Finding, Head, PageFacts};
use url::Url;

/// Text beyond this says nothing more about similarity.
const MAX_TEXT: usize = 1 << 20;

/// Reads the absolute addresses of a plain text or JSON document.
pub fn read_text(url: &Url, head: &Head, body: &[u8]) -> Finding {
    let (source, charset) = decode(head, body, TextKind::Plain);
    let mut finding = Finding::default();
    let start = source.get(..source.floor_char_boundary(MAX_TEXT)).unwrap_or_default();
    let (simhash, words) = simhash(start);
    if !head.nofollow {
        let is_json = source.trim_ascii_start().starts_with(['{', '[']);
        let mut collector = Collector::new(head.url.as_ref().unwrap_or(url).clone());
        add_addresses(&source, Place::Text, Accept::All, !is_json, &mut collector);
        super::link_header::add_links(&head.links, &mut collector);
        collector.finish(&mut finding);
    }
    let charset = charset.to_owned();
    let nofollow = head.nofollow;
    finding.page = Some(PageFacts { charset, simhash, words, nofollow, ..PageFacts::default() });
    finding
}

/// Adds every absolute address of a text, with the words around it where they are words.
pub(super) fn add_addresses(
    source: &str,
    place: Place,
    accept: Accept,
    with_words: bool,
    collector: &mut Collector<'_>,
) {
    let all = 0..source.len();
    let mut marks = Marks::new(source.as_bytes());
    let mut behind = 0;
    while let Some(mark) = marks.next_in(&all) {
        if mark < behind {
            continue;
        }
        let Some(raw) = address_at(source, mark, &all) else { continue };
        behind = mark + raw.len();
        let words = || if with_words { around(source, mark, mark) } else { String::new() };
        collector.add_loose(&without_js_escapes(raw), place, accept, words);
    }
}
