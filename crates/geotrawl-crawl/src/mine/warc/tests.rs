use super::super::members::find_member;
use super::super::source::WebArchive;
use super::*;
use proptest::prelude::*;
use std::io::Write as _;

fn record(number: usize, body: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/{number}\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
        body.len()
    )
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut member = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    member.write_all(text).unwrap();
    member.finish().unwrap()
}

fn archive(bytes: &[u8]) -> (tempfile::TempDir, WebArchive) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    std::fs::write(&path, bytes).unwrap();
    let archive = WebArchive::open_file(&path).unwrap();
    (folder, archive)
}

/// Returns URLs and blocks of all records, and the reported damage.
fn read(bytes: &[u8], from: u64, to: u64) -> (Vec<(String, String)>, Vec<String>) {
    let (_folder, archive) = archive(bytes);
    let mut records =
        WarcRecordReader::open(&archive.source, FileCompression::detect(bytes), from, to).unwrap();
    let (mut all, mut told) = (Vec::new(), Vec::new());
    while let Some(record) = records.next_record(&mut |what| told.push(what)).unwrap() {
        match records.read_block() {
            Ok(block) => all.push((record.uri, String::from_utf8_lossy(block).into_owned())),
            Err(ArchiveReadError::Damaged(what)) => {
                if !records.skip_damage(&what, &mut |what| told.push(what)).unwrap() {
                    break;
                }
            }
            Err(ArchiveReadError::Io(error)) => panic!("{error}"),
        }
    }
    (all, told)
}

fn numbers(read: &[(String, String)]) -> Vec<&str> {
    read.iter().map(|(uri, _)| uri.rsplit('/').next().unwrap()).collect()
}

#[test]
fn records_are_read_however_they_are_packed() {
    let texts: Vec<String> = (0..5).map(|n| record(n, &"x".repeat(n * 50_000))).collect();
    let plain = texts.concat();
    let members: Vec<u8> = texts.iter().flat_map(|text| gzip(text.as_bytes())).collect();
    let whole = gzip(plain.as_bytes());
    // Members that are not aligned to records.
    let blocks: Vec<u8> = plain.as_bytes().chunks(7_001).flat_map(gzip).collect();
    for bytes in [plain.as_bytes(), &members, &whole, &blocks] {
        let (all, told) = read(bytes, 0, u64::MAX);
        assert_eq!(numbers(&all), ["0", "1", "2", "3", "4"]);
        assert_eq!(all[4].1.len(), 200_000);
        assert!(told.is_empty(), "{told:?}");
    }
}

#[test]
fn a_damaged_member_costs_only_itself() {
    let members: Vec<Vec<u8>> =
        (0..4).map(|n| gzip(record(n, &format!("{n} {}", "abc def ".repeat(500))).as_bytes())).collect();
    for damage in [20, members[1].len() / 2, members[1].len() - 6] {
        let mut broken = members.clone();
        broken[1][damage] ^= 0xFF;
        let (all, told) = read(&broken.concat(), 0, u64::MAX);
        let read = numbers(&all);
        assert!(read.starts_with(&["0"]) && read.ends_with(&["2", "3"]), "{read:?} after {damage}: {told:?}");
        assert!(!told.is_empty());
    }
    // The end is missing.
    let all: Vec<u8> = members.concat();
    let (read_of_cut, told) = read(&all[..all.len() - 30], 0, u64::MAX);
    assert_eq!(numbers(&read_of_cut)[..3], ["0", "1", "2"]);
    assert!(!told.is_empty());
    // A plain file with garbage in between.
    let text = format!("{}rubbish\r\n{}{}", record(0, "a"), record(1, "b"), record(2, "c"));
    let (all, told) = read(text.as_bytes(), 0, u64::MAX);
    assert_eq!((numbers(&all), told.len()), (vec!["0", "1", "2"], 1));
}

#[test]
fn parts_of_a_file_give_each_record_once() {
    let members: Vec<Vec<u8>> = (0..40).map(|n| gzip(record(n, &format!("body {n}")).as_bytes())).collect();
    let bytes = members.concat();
    let (_folder, archive) = archive(&bytes);
    let mut all = Vec::new();
    let step = bytes.len() as u64 / 7 + 1;
    for part in 0..7 {
        let (from, to) = (part * step, (part + 1) * step);
        let Some(at) = find_member(&archive.source, from, to).unwrap() else { continue };
        all.extend(read(&bytes, at, to).0);
    }
    assert_eq!(all, read(&bytes, 0, u64::MAX).0);
    assert_eq!(all.len(), 40);
}

#[test]
fn a_record_can_be_read_again_by_its_place() {
    let texts: Vec<String> =
        (0..6).map(|n| record(n, &format!("body {n} {}", "y".repeat(n * 1_000)))).collect();
    let members: Vec<u8> = texts.iter().flat_map(|text| gzip(text.as_bytes())).collect();
    let blocks: Vec<u8> = texts.concat().as_bytes().chunks(777).flat_map(gzip).collect();
    for bytes in [texts.concat().into_bytes(), members, gzip(texts.concat().as_bytes()), blocks] {
        let (_folder, archive) = archive(&bytes);
        let packing = FileCompression::detect(&bytes);
        let mut records = WarcRecordReader::open(&archive.source, packing, 0, u64::MAX).unwrap();
        while let Some(record) = records.next_record(&mut |what| panic!("{what}")).unwrap() {
            let (mut again, found) =
                super::super::script_index::reopen_record(&archive, packing, record.place).unwrap();
            assert_eq!(found.uri, record.uri);
            assert_eq!(again.read_block().unwrap(), records.read_block().unwrap());
        }
    }
}

#[test]
fn a_large_block_is_a_stream() {
    let body = "z".repeat(MOST_HELD + 100_000);
    let bytes = gzip(format!("{}{}", record(0, &body), record(1, "small")).as_bytes());
    let (_folder, archive) = archive(&bytes);
    let mut records = WarcRecordReader::open(&archive.source, FileCompression::Gzip, 0, u64::MAX).unwrap();
    records.next_record(&mut |_| {}).unwrap().unwrap();
    assert!(records.is_large());
    assert_eq!(records.read_block().unwrap().len(), MOST_HELD);
    let mut length = 0;
    let mut stream = records.block_stream();
    let mut piece = vec![0; 100_000];
    while let n @ 1.. = stream.read(&mut piece).unwrap() {
        length += n;
    }
    drop(stream);
    assert_eq!(length, body.len());
    assert_eq!(records.next_record(&mut |_| {}).unwrap().unwrap().uri, "http://a.example/1");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn no_bytes_make_the_reader_fail(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        at in 0..2_000_usize,
        flip in any::<u8>(),
    ) {
        read(&bytes, 0, u64::MAX);
        read(&[b"WARC/1.0\r\n", &bytes[..]].concat(), 0, u64::MAX);
        read(&gzip(&bytes), 0, u64::MAX);
        let mut members: Vec<u8> = (0..3).flat_map(|n| gzip(record(n, "some words").as_bytes())).collect();
        let at = at % members.len();
        members[at] ^= flip;
        read(&members, 0, u64::MAX);
        members.truncate(at);
        read(&members, 0, u64::MAX);
        let _ = read(&[&[0x28, 0xB5, 0x2F, 0xFD], &bytes[..]].concat(), 0, u64::MAX);
    }
}
