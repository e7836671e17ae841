//! A file served in ranges: the first byte of the input says how well-mannered the server is.

#![no_main]

use geotrawl_kinds::files::{FileProbe, read_whole};
use geotrawl_kinds::probe::{Answer, Body, Head, Range, Step};
use libfuzzer_sys::fuzz_target;
use url::Url;

fuzz_target!(|data: &[u8]| {
    let Some((manners, file)) = data.split_first() else { return };
    let Ok(url) = Url::parse("https://data.example.org/x.shp") else { return };
    let head = Head { status: 200, total_length: Some(file.len() as u64), ..Head::default() };
    let _ = read_whole(&url, &head, file);

    let total = file.len() as u64;
    let (mut probe, mut ask) = FileProbe::start(url);
    for request in 0..10_u8 {
        assert!(request < 6, "a seventh request");
        let honest = manners >> (request % 8) & 1 == 0;
        let span = match ask.range {
            Some(Range::Span { from, to }) if honest => (from.min(total), to.saturating_add(1).min(total)),
            Some(Range::Suffix(n)) if honest => (total.saturating_sub(n), total),
            _ => (0, total),
        };
        let status = match (ask.range.is_some(), honest) {
            (true, true) => 206,
            (true, false) if manners & 1 == 1 => 206,
            _ => 200,
        };
        let head = Head {
            status,
            total_length: (manners & 2 == 0).then_some(total),
            served_from: (status == 206 && manners & 4 == 0).then_some(span.0),
            ..Head::default()
        };
        let end = span.1.min(span.0.saturating_add(ask.max_bytes));
        let body = &file[span.0 as usize..end.max(span.0) as usize];
        let answer = Answer { head: &head, body: Body::Whole(body), truncated: end < span.1 };
        match probe.answer(answer) {
            Step::Ask(next) => ask = *next,
            Step::Done(_) => return,
        }
    }
});
