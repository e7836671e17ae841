use crate::server::{
    RawServer, build_response, read_outcome, request_without_robots, test_client, test_config,
};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use geotrawl_crawl::fetch::{FetchError, FetchRequest, GuardedClient};
use std::io::Write;
use tokio::io::AsyncWriteExt;

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// Returns `mebibytes` MiB of zeros as raw deflate blocks without a final one.
fn deflate_bomb(mebibytes: usize) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&vec![0; 1 << 20]).unwrap();
    encoder.flush().unwrap();
    let one = encoder.get_ref().clone();
    one.repeat(mebibytes)
}

fn gzip_bomb(mebibytes: usize) -> Vec<u8> {
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    out.extend(deflate_bomb(mebibytes));
    out
}

/// Returns zeros as zstd blocks: 128 KiB per four bytes.
fn zstd_bomb(mebibytes: usize) -> Vec<u8> {
    let mut out = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
    for _ in 0..mebibytes * 8 {
        let header: u32 = (131_072 << 3) | (1 << 1);
        out.extend_from_slice(&header.to_le_bytes()[..3]);
        out.push(0);
    }
    out
}

/// Returns brotli metablocks that expand 20 bytes to 16 MiB: some zeros, then one copy of them to
/// the end.
///
/// Written bit by bit after RFC 7932. Each code has a single symbol and thus takes no bits.
fn brotli_bomb() -> Vec<u8> {
    const METABLOCK: u64 = 1 << 24;
    // Command 703 has insert code 23 (22,594 plus 24 extra bits) and
    // copy code 23 (2,118 plus 24 extra bits).
    const INSERT: u64 = 22_594;
    const COPY: u64 = 2118;
    let mut bits = BitWriter::default();
    bits.put(0b0011, 4); // a window of 256 KiB
    for _ in 0..640 {
        bits.put(0, 1); // not the last metablock
        bits.put(2, 2); // its length in six nibbles
        bits.put(METABLOCK - 1, 24);
        bits.put(0, 1); // compressed
        bits.put(0, 3); // one block type for literals, commands and distances each
        bits.put(0, 6); // no postfix bits, no direct distances
        bits.put(0, 2); // literal context mode
        bits.put(0, 2); // one tree for literals, one for distances
        bits.put(0b0001, 4); // literals: simple code of one symbol ...
        bits.put(0, 8); // ... which is zero
        bits.put(0b0001, 4); // commands
        bits.put(703, 10);
        bits.put(0b0001, 4); // distances
        bits.put(16, 6); // distance 1 or 2, by one extra bit
        bits.put(0, 24);
        bits.put(METABLOCK - INSERT - COPY, 24);
        bits.put(0, 1);
    }
    bits.put(0b11, 2);
    bits.finish()
}

#[derive(Default)]
struct BitWriter {
    out: Vec<u8>,
    pending: u64,
    count: u32,
}

impl BitWriter {
    fn put(&mut self, value: u64, count: u32) {
        self.pending |= value << self.count;
        self.count += count;
        while self.count >= 8 {
            self.out.push((self.pending & 0xff) as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.out.push((self.pending & 0xff) as u8);
        }
        self.out
    }
}

/// Returns the peak memory of this process in bytes.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("0");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// Reads a body without keeping it; returns the number of bytes and why it ended.
async fn swallow(client: &GuardedClient, request: FetchRequest) -> (u64, Option<FetchError>) {
    let mut reader = client.fetch(request).await.outcome.unwrap();
    loop {
        match reader.next_chunk().await {
            Ok(Some(piece)) => assert!(piece.len() <= 1 << 20),
            Ok(None) => return (reader.decoded_bytes(), None),
            Err(failure) => {
                assert_eq!(reader.next_chunk().await, Err(failure.clone()), "told again");
                return (reader.decoded_bytes(), Some(failure));
            }
        }
    }
}

#[tokio::test]
async fn bombs_of_every_codec_are_cut_by_ratio_or_size_in_little_memory() {
    let client = test_client();
    let before = peak_memory();
    for (encoding, body) in [
        ("gzip", gzip_bomb(1024)),
        ("deflate", deflate_bomb(1024)),
        ("zstd", zstd_bomb(10_240)),
        ("br", brotli_bomb()),
        ("gzip, gzip", gzip(&gzip_bomb(1024))),
        ("br, gzip", gzip(&brotli_bomb())),
        ("zstd, gzip", gzip(&zstd_bomb(10_240))),
    ] {
        let server =
            RawServer::start_fixed(build_response("200 OK", &[("content-encoding", encoding)], &body)).await;
        // With an unlimited size, the compression ratio ends the download.
        let request = FetchRequest { max_bytes: u64::MAX, ..request_without_robots(server.url("/")) };
        let (bytes, failure) = swallow(&client, request).await;
        assert_eq!(failure.unwrap().class.as_str(), "bomb", "{encoding}");
        assert!(bytes < 24 << 20, "{encoding}: {bytes}");
        // With a limit, the page is truncated there, and still reported as a bomb.
        let fetched = client
            .fetch(FetchRequest { max_bytes: 100_000, ..request_without_robots(server.url("/")) })
            .await;
        let (class, bytes) = read_outcome(fetched).await;
        assert_eq!((class, bytes.len()), (Some("bomb"), 100_000), "{encoding}");
    }
    let grown = peak_memory().saturating_sub(before);
    assert!(grown < 96 << 20, "{grown} bytes more");
}

#[tokio::test]
async fn honest_compression_passes() {
    let text: Vec<u8> = (0..50_000).flat_map(|n: u32| format!("line {n}\n").into_bytes()).collect();
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
    zlib.write_all(&text).unwrap();
    let zstd = ruzstd::encoding::compress_to_vec(&text[..], ruzstd::encoding::CompressionLevel::Fastest);
    for (encoding, body) in [
        ("gzip", gzip(&text)),
        ("deflate", zlib.finish().unwrap()),
        ("zstd", zstd),
        ("gzip, gzip", gzip(&gzip(&text))),
    ] {
        let server =
            RawServer::start_fixed(build_response("200 OK", &[("content-encoding", encoding)], &body)).await;
        let fetched = test_client().fetch(request_without_robots(server.url("/"))).await;
        assert_eq!(fetched.head.total_length, None);
        let mut reader = fetched.outcome.unwrap();
        let mut got = Vec::new();
        while let Some(piece) = reader.next_chunk().await.unwrap() {
            got.extend_from_slice(&piece);
        }
        assert!(got == text, "{encoding}");
        assert_eq!(reader.raw_bytes(), body.len() as u64);
        assert_eq!(reader.decoded_bytes(), text.len() as u64);
    }
}

#[tokio::test]
async fn damage_in_compressed_bodies_is_told_apart() {
    let whole = gzip(&(0..20_000_u32).flat_map(u32::to_le_bytes).collect::<Vec<u8>>());
    let mut broken = whole.clone();
    let middle = broken.len() / 2;
    broken[middle..middle + 64].fill(0xff);
    for (body, encoding, expected) in [
        (&whole[..whole.len() / 2], "gzip", "truncated"),
        (&broken[..], "gzip", "decode"),
        (&whole[..], "br", "decode"),
        (&whole[..], "zstd", "decode"),
        (&whole[..], "gzip, gzip, gzip", "decode"),
    ] {
        let server =
            RawServer::start_fixed(build_response("200 OK", &[("content-encoding", encoding)], body)).await;
        let fetched = test_client().fetch(request_without_robots(server.url("/"))).await;
        assert_eq!(fetched.head.status, 200);
        assert_eq!(read_outcome(fetched).await.0, Some(expected), "{encoding} {expected}");
    }
    // Labelled as compressed, but is not. Some servers send this.
    let server =
        RawServer::start_fixed(build_response("200 OK", &[("content-encoding", "gzip")], b"<html>")).await;
    assert_eq!(
        read_outcome(test_client().fetch(request_without_robots(server.url("/"))).await).await,
        (None, b"<html>".to_vec())
    );
}

#[tokio::test]
async fn too_much_is_cut_exactly_and_the_rest_is_not_read() {
    let server = RawServer::start(|_, stream| {
        Box::pin(async move {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n").await;
            let piece = [b'x'; 8192];
            let mut sent = 0_u64;
            while sent < 1 << 30 && stream.write_all(&piece).await.is_ok() {
                sent += 8192;
            }
            assert!(sent < 64 << 20, "the client stopped reading");
            false
        })
    })
    .await;
    for limit in [0, 1, 100_000] {
        let fetched = test_client()
            .fetch(FetchRequest { max_bytes: limit, ..request_without_robots(server.url("/")) })
            .await;
        let body = fetched.outcome.unwrap().collect(u64::MAX).await;
        assert_eq!(body.bytes.len() as u64, limit);
        let failure = body.truncated.unwrap();
        assert_eq!((failure.class.as_str(), failure.retry), ("too-large", false));
    }
    let body =
        test_client().fetch(request_without_robots(server.url("/"))).await.outcome.unwrap().collect(10).await;
    assert_eq!((body.bytes.len(), body.truncated.unwrap().class.as_str()), (10, "too-large"));
    // A body of exactly the limit is not too long.
    let server = RawServer::start_fixed(build_response("200 OK", &[], &[7; 5000])).await;
    let fetched = test_client()
        .fetch(FetchRequest { max_bytes: 5000, ..request_without_robots(server.url("/")) })
        .await;
    assert_eq!(read_outcome(fetched).await, (None, vec![7; 5000]));
}

#[tokio::test]
async fn a_body_that_trickles_for_ever_ends_at_its_deadline() {
    let server = RawServer::start(|_, stream| {
        Box::pin(async move {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
            while stream.write_all(b"x").await.is_ok() {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            false
        })
    })
    .await;
    let request = FetchRequest {
        deadline: Some(std::time::Duration::from_millis(400)),
        ..request_without_robots(server.url("/"))
    };
    let start = std::time::Instant::now();
    let body = test_client().fetch(request).await.outcome.unwrap().collect(u64::MAX).await;
    let failure = body.truncated.unwrap();
    assert_eq!(failure.class.as_str(), "timeout");
    assert!(failure.message.contains("did not finish"), "{}", failure.message);
    assert!(start.elapsed().as_secs() < 20);
}

#[tokio::test]
async fn the_wire_itself_is_bounded_too() {
    // Empty stored blocks: endless compressed data without output.
    let mut body = gzip(b"");
    body.truncate(10);
    for _ in 0..60_000 {
        body.extend_from_slice(&[0, 0, 0, 0xff, 0xff]);
    }
    let server =
        RawServer::start_fixed(build_response("200 OK", &[("content-encoding", "gzip")], &body)).await;
    let mut config = test_config();
    config.limits.raw_bytes = 100_000;
    let fetched = GuardedClient::new(config).unwrap().fetch(request_without_robots(server.url("/"))).await;
    assert_eq!(read_outcome(fetched).await, (Some("too-large"), Vec::new()));
}
