use super::*;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use proptest::prelude::*;
use std::io::Write;

pub(super) fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn zlib(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn bare_deflate(data: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn zstd(data: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(data, ruzstd::encoding::CompressionLevel::Fastest)
}

/// Encodes stored (uncompressed) metablocks, which is enough for these tests.
fn brotli(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    // Window bits 16 (one zero bit) go before the first metablock header.
    let mut pieces = data.chunks(65_536);
    let mut first = true;
    for piece in &mut pieces {
        // ISLAST 0, MNIBBLES 4 (00), MLEN-1 in 16 bits, ISUNCOMPRESSED 1.
        let length = u32::try_from(piece.len() - 1).unwrap();
        let header = (length << 3) | (1 << 19);
        let header = if first { header << 1 } else { header };
        out.extend_from_slice(&header.to_le_bytes()[..3]);
        out.extend_from_slice(piece);
        first = false;
    }
    // ISLAST 1, ISLASTEMPTY 1.
    out.push(if first { 0b110 } else { 0b11 });
    out
}

/// Decodes `data` in pieces of `step` bytes and returns the whole output.
fn decode(encoding: &str, data: &[u8], step: usize) -> Result<Vec<u8>, DecodeError> {
    let mut decoder = BodyDecoder::for_encoding(encoding)?.expect("an encoding");
    let mut out = Vec::new();
    for piece in data.chunks(step.max(1)) {
        decoder.push_input(Bytes::copy_from_slice(piece));
        while let Some(piece) = decoder.pull_piece()? {
            assert!(piece.len() <= PIECE);
            out.extend_from_slice(&piece);
        }
    }
    decoder.finish_input();
    while let Some(piece) = decoder.pull_piece()? {
        out.extend_from_slice(&piece);
    }
    Ok(out)
}

fn sample() -> Vec<u8> {
    (0..3000_u32)
        .flat_map(|n| format!("<a href='/{}'>", n.wrapping_mul(2_654_435_761) % 977).into_bytes())
        .collect()
}

#[test]
fn every_encoding_is_undone_however_it_is_cut() {
    let data = sample();
    for (encoding, body) in [
        ("gzip", gzip(&data)),
        ("X-GZip", gzip(&data)),
        ("deflate", zlib(&data)),
        ("deflate", bare_deflate(&data)),
        ("br", brotli(&data)),
        ("zstd", zstd(&data)),
        ("gzip, br", brotli(&gzip(&data))),
        ("br,gzip", gzip(&brotli(&data))),
        ("zstd, gzip", gzip(&zstd(&data))),
        ("gzip, zstd", zstd(&gzip(&data))),
        ("identity, gzip, utf-8", gzip(&data)),
    ] {
        for step in [1, 7, 1000, 16 * 1024, usize::MAX] {
            if step == 1 && body.len() > 50_000 {
                continue;
            }
            let step = step.min(body.len());
            assert!(decode(encoding, &body, step).as_ref() == Ok(&data), "{encoding} by {step}");
        }
    }
}

#[test]
fn there_is_nothing_to_undo_without_an_encoding() {
    for encoding in ["", "identity", "none", "utf-8", "aws-chunked"] {
        assert!(BodyDecoder::for_encoding(encoding).unwrap().is_none(), "{encoding}");
    }
    assert!(matches!(BodyDecoder::for_encoding("gzip, br, gzip"), Err(DecodeError::TooDeep(3))));
}

#[test]
fn several_gzip_members_are_one_body_and_what_follows_is_ignored() {
    let mut body = gzip(b"one ");
    body.extend(gzip(b"two "));
    body.extend(gzip(b"three"));
    for step in [1, 3, 1000] {
        assert_eq!(decode("gzip", &body, step).unwrap(), b"one two three");
    }
    for rest in [&[0_u8; 300][..], b"\x1f", b"rubbish after the end"] {
        let mut body = body.clone();
        body.extend_from_slice(rest);
        for step in [1, 1000] {
            assert_eq!(decode("gzip", &body, step).unwrap(), b"one two three");
        }
    }
}

#[test]
fn a_flood_of_gzip_members_is_damage() {
    let body = gzip(b"").repeat(10_000);
    assert!(matches!(decode("gzip", &body, 16 * 1024), Err(DecodeError::Damaged(_))));
}

#[test]
fn zstd_frames_follow_each_other_and_may_be_skipped() {
    let mut body = zstd(b"one ");
    body.extend([0x53, 0x2a, 0x4d, 0x18, 5, 0, 0, 0]);
    body.extend(b"skip!");
    body.extend(zstd(b"two"));
    for step in [1, 4, 1000] {
        assert_eq!(decode("zstd", &body, step).unwrap(), b"one two");
    }
}

#[test]
fn a_zstd_frame_with_a_huge_window_is_refused() {
    // Frame header with a window of 1 GiB, then one block of a repeated byte.
    let body = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa0, 0x02, 0x00, 0x00, b'x', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    assert!(matches!(decode("zstd", &body, 100), Err(DecodeError::Damaged(_))));
}

#[test]
fn a_body_labelled_gzip_that_is_none_passes_as_it_is() {
    assert_eq!(decode("gzip", b"<html>plain</html>", 1).unwrap(), b"<html>plain</html>");
    assert_eq!(decode("gzip", b"x", 1).unwrap(), b"x");
    for encoding in ["gzip", "deflate", "br", "zstd", "gzip, br"] {
        assert_eq!(decode(encoding, b"", 1).unwrap(), b"", "{encoding}");
    }
}

#[test]
fn what_is_cut_off_is_unfinished_and_what_came_is_kept() {
    let data = sample();
    for (encoding, body) in
        [("gzip", gzip(&data)), ("deflate", zlib(&data)), ("br", brotli(&data)), ("zstd", zstd(&data))]
    {
        let error = decode(encoding, &body[..body.len() / 2], 1000).unwrap_err();
        assert_eq!(error, DecodeError::Unfinished, "{encoding}");
    }
}

#[test]
fn one_step_of_a_bomb_gives_one_piece_only() {
    // 4 GiB of zeros as run-length blocks, each of which expands four bytes to 128 KiB.
    let mut body = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
    for _ in 0..32_768 {
        let header: u32 = (131_072 << 3) | (1 << 1);
        body.extend_from_slice(&header.to_le_bytes()[..3]);
        body.push(0);
    }
    let mut decoder = BodyDecoder::for_encoding("zstd").unwrap().unwrap();
    decoder.push_input(body.into());
    let mut total = 0;
    while total < 8 << 20 {
        let piece = decoder.pull_piece().unwrap().unwrap();
        assert!(piece.len() <= PIECE);
        total += piece.len();
    }
    assert!(decoder.consumed_bytes() < 600, "{} bytes used for {total}", decoder.consumed_bytes());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn round_trips(data in proptest::collection::vec(any::<u8>(), 0..5000), step in 1_usize..3000) {
        for (encoding, body) in [
            ("gzip", gzip(&data)), ("deflate", zlib(&data)), ("br", brotli(&data)), ("zstd", zstd(&data)),
        ] {
            prop_assert_eq!(&decode(encoding, &body, step).unwrap(), &data, "{}", encoding);
        }
    }

    /// Damaged streams end without a panic and without endless output.
    #[test]
    fn damage_is_survived(
        data in proptest::collection::vec(any::<u8>(), 0..3000),
        flips in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        step in 1_usize..500,
    ) {
        for (encoding, mut body) in [
            ("gzip", gzip(&data)), ("deflate", zlib(&data)), ("br", brotli(&data)), ("zstd", zstd(&data)),
            ("gzip, br", brotli(&gzip(&data))), ("br", data.clone()), ("zstd", data.clone()), ("deflate", data.clone()),
        ] {
            for (at, value) in &flips {
                if !body.is_empty() {
                    let at = at.index(body.len());
                    body[at] = *value;
                }
            }
            let _ = decode(encoding, &body, step);
        }
    }
}
