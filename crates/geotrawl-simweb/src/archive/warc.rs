//! Writes WARC records.
//!
//! Written by hand: the `warc` crate compresses a file as one stream, while archives store every
//! record as a separate gzip member, so that each record can be read without the others.

use super::capture::Capture;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt::Write as _;
use std::io::{self, Write};

/// All captures have the same timestamp, so that the same web gives the same bytes.
const DATE: &str = "2026-01-31T12:00:00Z";

/// Compression of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordPacking {
    /// A separate gzip member per record.
    Gzip,
    Plain,
}

/// Writes WARC records.
pub(super) struct WarcWriter<W: Write> {
    out: W,
    packing: RecordPacking,
    /// Offset of the next record in the file.
    offset: u64,
    /// Bytes before compression.
    written: u64,
    number: u64,
}

impl<W: Write> WarcWriter<W> {
    pub(super) fn new(out: W, packing: RecordPacking) -> Self {
        Self { out, packing, offset: 0, written: 0, number: 0 }
    }

    /// Returns the number of bytes written so far, before compression.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Writes the warcinfo record.
    pub(super) fn write_info(&mut self, name: &str) -> io::Result<()> {
        let headers =
            [("WARC-Filename", name.to_owned()), ("Content-Type", "application/warc-fields".into())];
        self.record("warcinfo", &headers, b"software: geotrawl simweb\r\nformat: WARC File Format 1.0\r\n")?;
        Ok(())
    }

    /// Writes a request and its response; returns offset and length of the response.
    pub(super) fn write_response(&mut self, capture: &Capture) -> io::Result<(u64, u64)> {
        let (host, target) = split_url(&capture.url);
        let asked =
            format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: simweb\r\nAccept: */*\r\n\r\n");
        let uri = || ("WARC-Target-URI", capture.url.clone());
        let kind = |what: &str| ("Content-Type", format!("application/http; msgtype={what}"));
        self.record("request", &[uri(), kind("request")], asked.as_bytes())?;
        let mut block =
            format!("HTTP/1.1 {} {}\r\n", capture.status, status_reason(capture.status)).into_bytes();
        for (name, value) in &capture.headers {
            block.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
        }
        block.extend_from_slice(b"\r\n");
        block.extend_from_slice(&capture.body);
        let mut headers = vec![uri(), kind("response")];
        if capture.truncated {
            headers.push(("WARC-Truncated", "length".to_owned()));
        }
        self.record("response", &headers, &block)
    }

    /// Writes a metadata record with JSON (WAT).
    pub(super) fn write_metadata(&mut self, capture: &Capture, json: &str) -> io::Result<()> {
        let headers = [("WARC-Target-URI", capture.url.clone()), ("Content-Type", "application/json".into())];
        self.record("metadata", &headers, json.as_bytes())?;
        Ok(())
    }

    /// Writes a conversion record with the text of a page (WET).
    pub(super) fn write_conversion(&mut self, capture: &Capture, text: &str) -> io::Result<()> {
        let headers = [("WARC-Target-URI", capture.url.clone()), ("Content-Type", "text/plain".into())];
        self.record("conversion", &headers, text.as_bytes())?;
        Ok(())
    }

    fn record(&mut self, kind: &str, headers: &[(&str, String)], block: &[u8]) -> io::Result<(u64, u64)> {
        self.number += 1;
        let mut head = format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: {DATE}\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{:012x}>\r\n",
            self.number
        );
        for (name, value) in headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        let _ = write!(head, "Content-Length: {}\r\n\r\n", block.len());
        let pieces = [head.as_bytes(), block, b"\r\n\r\n"];
        let plain: u64 = pieces.iter().map(|piece| piece.len() as u64).sum();
        self.written += plain;
        let length = match self.packing {
            RecordPacking::Plain => {
                for piece in pieces {
                    self.out.write_all(piece)?;
                }
                plain
            }
            RecordPacking::Gzip => {
                // Compressed in memory first, because the index needs the length of the member.
                let mut member = GzEncoder::new(Vec::new(), Compression::fast());
                for piece in pieces {
                    member.write_all(piece)?;
                }
                let member = member.finish()?;
                self.out.write_all(&member)?;
                member.len() as u64
            }
        };
        let offset = self.offset;
        self.offset += length;
        Ok((offset, length))
    }

    /// Finishes the file; returns the number of bytes before compression.
    pub(super) fn finish(mut self) -> io::Result<u64> {
        self.out.flush()?;
        Ok(self.written)
    }
}

/// Splits an address into host and target.
pub(super) fn split_url(url: &str) -> (&str, &str) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split_at(rest.find('/').unwrap_or(rest.len()))
}

pub(super) fn status_reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        307 => "Temporary Redirect",
        404 => "Not Found",
        _ => "Status",
    }
}

pub(super) const CAPTURED: &str = DATE;
