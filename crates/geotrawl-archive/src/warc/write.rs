//! Writes records.

use super::head::on_one_line;
use super::{RecordLocation, SAME_PAYLOAD};
use crate::digest::{sha256_of, uuid_of, warc_sha1};
use flate2::Compression;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Software description, for the first record of a file.
#[derive(Debug, Clone)]
pub struct SoftwareInfo<'a> {
    /// Name and version of the program.
    pub software: &'a str,
    /// Name of the collection that the file is part of.
    pub is_part_of: &'a str,
    pub description: &'a str,
    /// User agent of the crawler.
    pub user_agent: &'a str,
}

/// A request and its response.
#[derive(Debug, Clone)]
pub struct HttpExchange<'a> {
    pub url: &'a str,
    pub date: Timestamp,
    /// IP address that answered.
    pub ip: Option<String>,
    /// Request headers: names and values.
    pub request: &'a [(String, String)],
    pub status: u16,
    /// Response headers as received.
    pub headers: &'a [(String, Vec<u8>)],
    /// Response body after decompression.
    pub payload: &'a [u8],
    /// Why the payload is incomplete, in WARC's terms: `length`, `time`, `disconnect`.
    pub truncated: Option<&'static str>,
}

/// A payload that was stored before.
#[derive(Debug, Clone)]
pub struct KnownPayload {
    /// URL and time of the record that holds it.
    pub url: String,
    pub date: Timestamp,
}

/// Appends records to a file.
pub struct WarcWriter<W: Write> {
    out: W,
    /// File name; makes record identifiers unique.
    name: String,
    position: u64,
}

/// Headers about the encoding of the message, which no longer apply because the payload is stored
/// decoded.
const PACKING: [&str; 3] = ["content-encoding", "transfer-encoding", "content-length"];

struct RecordParts<'a> {
    kind: &'static str,
    date: Timestamp,
    target: Option<&'a str>,
    content_type: Option<&'a str>,
    more: Vec<(&'static str, String)>,
    block: [&'a [u8]; 2],
}

impl<W: Write> WarcWriter<W> {
    /// Creates a writer for a file of `position` bytes, positioned at its end.
    pub fn new(out: W, name: &str, position: u64) -> Self {
        Self { out, name: name.to_owned(), position }
    }

    /// Returns the current length of the file.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Returns the file, for flushing it to disk.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Writes the first record, which describes the file.
    pub fn write_info(&mut self, info: &SoftwareInfo<'_>, date: Timestamp) -> io::Result<RecordLocation> {
        let mut text = String::new();
        for (name, value) in [
            ("software", info.software),
            ("format", "WARC File Format 1.1"),
            ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
            ("isPartOf", info.is_part_of),
            ("description", info.description),
            ("http-header-user-agent", info.user_agent),
            ("robots", "obey"),
        ] {
            let _ = write!(text, "{name}: {}\r\n", on_one_line(value));
        }
        let more = vec![("WARC-Filename", self.name.clone())];
        self.write_record(&RecordParts {
            kind: "warcinfo",
            date,
            target: None,
            content_type: Some("application/warc-fields"),
            more,
            block: [text.as_bytes(), b""],
        })
        .map(|(place, _)| place)
    }

    /// Writes a request and its response. With `known`, writes a revisit record that refers to the
    /// stored payload instead of repeating it. Returns the location of the response record.
    pub fn write_exchange(
        &mut self,
        exchange: &HttpExchange<'_>,
        known: Option<&KnownPayload>,
    ) -> io::Result<RecordLocation> {
        let head = http_head(exchange);
        let digest = warc_sha1(exchange.payload);
        let mut more = vec![("WARC-Payload-Digest", digest)];
        more.extend(exchange.ip.iter().map(|ip| ("WARC-IP-Address", ip.clone())));
        more.extend(exchange.truncated.map(|why| ("WARC-Truncated", why.to_owned())));
        let (kind, payload) = match known {
            Some(known) => {
                more.push(("WARC-Profile", SAME_PAYLOAD.to_owned()));
                more.push(("WARC-Refers-To-Target-URI", known.url.clone()));
                more.push(("WARC-Refers-To-Date", date_text(known.date)));
                ("revisit", &b""[..])
            }
            None => ("response", exchange.payload),
        };
        let (place, id) = self.write_record(&RecordParts {
            kind,
            date: exchange.date,
            target: Some(exchange.url),
            content_type: Some("application/http; msgtype=response"),
            more,
            block: [&head, payload],
        })?;
        let request = http_request(exchange);
        self.write_record(&RecordParts {
            kind: "request",
            date: exchange.date,
            target: Some(exchange.url),
            content_type: Some("application/http; msgtype=request"),
            more: vec![("WARC-Concurrent-To", id)],
            block: [request.as_bytes(), b""],
        })?;
        Ok(place)
    }

    /// Writes metadata fields about a URL.
    pub fn write_metadata(
        &mut self,
        url: &str,
        date: Timestamp,
        fields: &[(String, String)],
    ) -> io::Result<RecordLocation> {
        let mut text = String::new();
        for (name, value) in fields {
            let _ =
                write!(text, "{}: {}\r\n", on_one_line(name).replace([':', ' '], "-"), on_one_line(value));
        }
        self.write_record(&RecordParts {
            kind: "metadata",
            date,
            target: Some(url),
            content_type: Some("application/warc-fields"),
            more: Vec::new(),
            block: [text.as_bytes(), b""],
        })
        .map(|(place, _)| place)
    }

    /// Writes a resource that was generated here rather than fetched.
    pub fn write_resource(
        &mut self,
        url: &str,
        date: Timestamp,
        content_type: &str,
        bytes: &[u8],
    ) -> io::Result<RecordLocation> {
        self.write_record(&RecordParts {
            kind: "resource",
            date,
            target: Some(url),
            content_type: Some(content_type),
            more: vec![("WARC-Payload-Digest", warc_sha1(bytes))],
            block: [bytes, b""],
        })
        .map(|(place, _)| place)
    }

    fn write_record(&mut self, record: &RecordParts<'_>) -> io::Result<(RecordLocation, String)> {
        let offset = self.position;
        let block_digest = sha256_of(&record.block);
        let id = uuid_of(&[
            self.name.as_bytes(),
            &offset.to_le_bytes(),
            date_text(record.date).as_bytes(),
            block_digest.as_bytes(),
        ]);
        let id = format!("<urn:uuid:{id}>");
        let mut head = format!(
            "WARC/1.1\r\nWARC-Type: {}\r\nWARC-Record-ID: {id}\r\nWARC-Date: {}\r\n",
            record.kind,
            date_text(record.date)
        );
        let mut line = |name: &str, value: &str| {
            head.push_str(name);
            head.push_str(": ");
            head.push_str(&on_one_line(value));
            head.push_str("\r\n");
        };
        if let Some(target) = record.target {
            line("WARC-Target-URI", target);
        }
        for (name, value) in &record.more {
            line(name, value);
        }
        line("WARC-Block-Digest", &format!("sha256:{block_digest}"));
        if let Some(content_type) = record.content_type {
            line("Content-Type", content_type);
        }
        let length: usize = record.block.iter().map(|piece| piece.len()).sum();
        line("Content-Length", &length.to_string());
        head.push_str("\r\n");
        let counted = CountingWriter { out: &mut self.out, bytes: 0 };
        let mut packed = GzEncoder::new(counted, Compression::default());
        packed.write_all(head.as_bytes())?;
        for piece in record.block {
            packed.write_all(piece)?;
        }
        packed.write_all(b"\r\n\r\n")?;
        let length = packed.finish()?.bytes;
        self.position += length;
        Ok((RecordLocation { offset, length }, id))
    }
}

struct CountingWriter<'w, W: Write> {
    out: &'w mut W,
    bytes: u64,
}

impl<W: Write> Write for CountingWriter<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Formats a date with microseconds, because two visits may fall into the same second.
fn date_text(date: Timestamp) -> String {
    date.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string()
}

/// Returns the response header. Encoding headers that no longer apply are renamed.
fn http_head(exchange: &HttpExchange<'_>) -> Vec<u8> {
    let mut head =
        format!("HTTP/1.1 {} {}\r\n", exchange.status, reason_phrase(exchange.status)).into_bytes();
    for (name, value) in exchange.headers {
        if PACKING.iter().any(|packing| name.eq_ignore_ascii_case(packing)) {
            head.extend_from_slice(b"X-Archive-Orig-");
        }
        head.extend_from_slice(on_one_line(name).as_bytes());
        head.extend_from_slice(b": ");
        head.extend(value.iter().map(|byte| if byte.is_ascii_control() { b' ' } else { *byte }));
        head.extend_from_slice(b"\r\n");
    }
    head.extend_from_slice(format!("Content-Length: {}\r\n\r\n", exchange.payload.len()).as_bytes());
    head
}

fn http_request(exchange: &HttpExchange<'_>) -> String {
    let (host, path) = match url::Url::parse(exchange.url) {
        Ok(url) => {
            let path = url[url::Position::BeforePath..url::Position::AfterQuery].to_owned();
            (url[url::Position::BeforeHost..url::Position::AfterPort].to_owned(), path)
        }
        Err(_) => (String::new(), "/".to_owned()),
    };
    let mut text = format!("GET {} HTTP/1.1\r\nHost: {}\r\n", on_one_line(&path), on_one_line(&host));
    for (name, value) in exchange.request {
        let _ = write!(text, "{}: {}\r\n", on_one_line(name), on_one_line(value));
    }
    text.push_str("\r\n");
    text
}

fn reason_phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        203 => "Non-Authoritative Information",
        206 => "Partial Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        410 => "Gone",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Answer",
    }
}
