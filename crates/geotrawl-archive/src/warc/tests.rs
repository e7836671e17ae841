use super::*;
use std::io::{Cursor, Read};

fn exchange<'a>(url: &'a str, headers: &'a [(String, Vec<u8>)], payload: &'a [u8]) -> HttpExchange<'a> {
    HttpExchange {
        url,
        date: "2026-11-16T10:00:00Z".parse().unwrap(),
        ip: Some("127.0.0.1".into()),
        request: &[],
        status: 200,
        headers,
        payload,
        truncated: None,
    }
}

fn headers() -> Vec<(String, Vec<u8>)> {
    vec![
        ("content-type".into(), b"text/html".to_vec()),
        ("content-encoding".into(), b"gzip".to_vec()),
        ("x-odd".into(), b"a\rWARC-Type: response\nb".to_vec()),
    ]
}

#[test]
fn every_record_can_be_read_alone() {
    let mut writer = WarcWriter::new(Vec::new(), "a.warc.gz", 0);
    let info = SoftwareInfo { software: "geotrawl", is_part_of: "A", description: "d\r\ne", user_agent: "u" };
    let date = "2026-11-16T10:00:00Z".parse().unwrap();
    let first = writer.write_info(&info, date).unwrap();
    let headers = headers();
    let page = exchange("http://a.example/?q=1", &headers, b"<p>hello</p>\r\n\r\n");
    let response = writer.write_exchange(&page, None).unwrap();
    let known = KnownPayload { url: page.url.into(), date };
    let again = writer.write_exchange(&page, Some(&known)).unwrap();
    let notes = writer.write_metadata(page.url, date, &[("title: x".into(), "A\r\nB".into())]).unwrap();
    let made = writer.write_resource("urn:x", date, "application/json", b"{}").unwrap();
    let end = writer.position();
    assert_eq!(end, made.offset + made.length);
    let mut file = Cursor::new(writer.get_mut().clone());

    let read = read_at(&mut file, response, 1_000).unwrap();
    assert_eq!((read.kind.as_str(), read.status), ("response", 200));
    assert_eq!(read.payload, page.payload);
    assert_eq!(read.url, page.url);
    let named =
        |name: &str| read.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    assert_eq!(named("X-Archive-Orig-content-encoding").as_deref(), Some("gzip"));
    assert_eq!(named("Content-Length").as_deref(), Some("16"));
    assert_eq!(named("x-odd").as_deref(), Some("a WARC-Type: response b"));
    let revisit = read_at(&mut file, again, 1_000).unwrap();
    assert_eq!((revisit.kind.as_str(), revisit.payload.len()), ("revisit", 0));
    assert_eq!(revisit.payload_digest, read.payload_digest);
    assert_eq!(read_at(&mut file, first, 1_000).unwrap().kind, "warcinfo");
    assert_eq!(read_at(&mut file, notes, 1_000).unwrap().payload, b"title--x: A  B\r\n");
    assert_eq!(read_at(&mut file, made, 1_000).unwrap().payload, b"{}");
    assert!(matches!(read_at(&mut file, response, 3), Err(ReadError::TooLarge(..))));
    let shifted = RecordLocation { offset: response.offset + 1, ..response };
    assert!(matches!(read_at(&mut file, shifted, 1_000), Err(ReadError::Damaged(_))));
}

#[test]
fn a_torn_tail_is_recognised_wherever_it_was_torn() {
    let mut writer = WarcWriter::new(Vec::new(), "a.warc.gz", 0);
    let headers = headers();
    let mut ends = vec![0];
    for n in 0..4 {
        let text = format!("page {n}").repeat(50);
        writer.write_exchange(&exchange("http://a.example/", &headers, text.as_bytes()), None).unwrap();
        ends.push(writer.position());
    }
    let bytes = writer.get_mut().clone();
    let mut members = vec![0];
    for cut in 0..=bytes.len() {
        let sound = intact_length(&mut Cursor::new(&bytes[..cut]), 0).unwrap();
        if sound != *members.last().unwrap() {
            members.push(sound);
            assert_eq!(sound, cut as u64, "a complete member was not counted");
        }
    }
    assert_eq!(members.len(), 9, "expected a response and a request per page");
    assert!(ends.iter().all(|end| members.contains(end)));
    // From the end of a member that is known to be valid.
    assert_eq!(intact_length(&mut Cursor::new(&bytes[..bytes.len() - 3]), ends[3]).unwrap(), members[7]);
}

#[test]
fn other_readers_see_one_stream() {
    let mut writer = WarcWriter::new(Vec::new(), "a.warc.gz", 0);
    let headers = headers();
    writer.write_exchange(&exchange("http://a.example/", &headers, b"x"), None).unwrap();
    let bytes = writer.get_mut().clone();
    let mut plain = String::new();
    flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_string(&mut plain).unwrap();
    assert_eq!(plain.matches("WARC/1.1\r\n").count(), 2);
    assert!(plain.contains("GET / HTTP/1.1\r\nHost: a.example\r\n"));
}

proptest::proptest! {
    #[test]
    fn whatever_is_written_is_read_again(
        url in "http://[a-z]{1,8}\\.example/[ -~]{0,30}",
        value in proptest::collection::vec(proptest::num::u8::ANY, 0..40),
        payload in proptest::collection::vec(proptest::num::u8::ANY, 0..300),
    ) {
        let mut writer = WarcWriter::new(Vec::new(), "p.warc.gz", 0);
        let headers = vec![("x".to_owned(), value)];
        let place = writer.write_exchange(&exchange(&url, &headers, &payload), None).unwrap();
        let read = read_at(&mut Cursor::new(writer.get_mut().clone()), place, 1 << 20).unwrap();
        proptest::prop_assert_eq!(read.payload, payload);
        proptest::prop_assert_eq!(read.url.trim(), url.trim());
        proptest::prop_assert_eq!(read.headers.len(), 2);
    }

    #[test]
    fn strange_bytes_are_no_record(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..300)) {
        let place = RecordLocation { offset: 0, length: bytes.len() as u64 };
        proptest::prop_assert!(read_at(&mut Cursor::new(&bytes), place, 1_000).is_err());
        proptest::prop_assert!(intact_length(&mut Cursor::new(&bytes), 0).is_ok());
    }
}
