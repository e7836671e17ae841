//! A file served in ranges. The first byte of the input selects how correctly the server behaves.

#![no_main]

use geotrawl_kinds::files::{FileProbe, read_whole};
use geotrawl_kinds::probe::{ByteRange, ProbeResponse, ProbeStep, ResponseBody, ResponseHead};
use libfuzzer_sys::fuzz_target;
use url::Url;

fuzz_target!(|data: &[u8]| {
    let Some((manners, file)) = data.split_first() else { return };
    let Ok(url) = Url::parse("https://data.example.org/x.shp") else { return };
    let head = ResponseHead { status: 200, total_length: Some(file.len() as u64), ..ResponseHead::default() };
    let _ = read_whole(&url, &head, file);

    let total = file.len() as u64;
    let (mut probe, mut ask) = FileProbe::start(url);
    for request in 0..10_u8 {
        assert!(request < 6, "a seventh request");
        let honest = manners >> (request % 8) & 1 == 0;
        let span = match ask.range {
            Some(ByteRange::Span { from, to }) if honest => (from.min(total), to.saturating_add(1).min(total)),
            Some(ByteRange::Suffix(n)) if honest => (total.saturating_sub(n), total),
            _ => (0, total),
        };
        let status = match (ask.range.is_some(), honest) {
            (true, true) => 206,
            (true, false) if manners & 1 == 1 => 206,
            _ => 200,
        };
        let head = ResponseHead {
            status,
            total_length: (manners & 2 == 0).then_some(total),
            served_from: (status == 206 && manners & 4 == 0).then_some(span.0),
            ..ResponseHead::default()
        };
        let end = span.1.min(span.0.saturating_add(ask.max_bytes));
        let body = &file[span.0 as usize..end.max(span.0) as usize];
        let answer = ProbeResponse { head: &head, body: ResponseBody::Whole(body), truncated: end < span.1 };
        match probe.handle_response(answer) {
            ProbeStep::Ask(next) => ask = *next,
            ProbeStep::Done(_) => return,
        }
    }
});
