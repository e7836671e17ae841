//! Parses the HTTP message inside of an archived response.
//!
//! Written by hand because archives contain what servers really sent, much of which the strict
//! parsers of HTTP clients reject. The headers are then interpreted as by the guarded client.

use super::warc::{end_of_head, parse_fields};
use crate::fetch::{content_encoding, read_head};
use flate2::read::{DeflateDecoder, GzDecoder, ZlibDecoder};
use geotrawl_kinds::probe::ResponseHead;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use std::io::{self, Read};
use url::Url;

/// Most bytes read of a decompressed body, as for a fetched one.
pub const MOST_DECODED: u64 = 150 << 20;

/// The head of an archived response.
pub struct ArchivedResponse {
    pub head: ResponseHead,
    /// Target of a redirect.
    pub location: Option<String>,
    /// Offset of the body in the block.
    pub body: usize,
    /// Encodings; the last one applied comes first.
    encodings: Vec<BodyEncoding>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BodyEncoding {
    Chunked,
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

impl ArchivedResponse {
    /// Parses the head of a response; `None` if the block does not contain one. `token` is the
    /// crawler's name for `X-Robots-Tag`.
    pub fn parse(block: &[u8], url: &Url, token: &str) -> Option<Self> {
        if !block.starts_with(b"HTTP/") {
            return None;
        }
        let body = end_of_head(block)?;
        let head = block.get(..body)?;
        let first = head.split(|byte| *byte == b'\n').next()?;
        let status: u16 = std::str::from_utf8(first).ok()?.split_whitespace().nth(1)?.parse().ok()?;
        let mut headers = HeaderMap::new();
        for (name, value) in parse_fields(head).take(200) {
            if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name), HeaderValue::from_bytes(value)) {
                headers.append(name, value);
            }
        }
        let mut response = http::Response::builder().status(status).body(()).ok()?;
        *response.headers_mut() = headers;
        let (parts, ()) = response.into_parts();
        let said = |name: header::HeaderName| {
            parts.headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        };
        let mut encodings = Vec::new();
        if said(header::TRANSFER_ENCODING).is_some_and(|value| value.to_ascii_lowercase().contains("chunked"))
        {
            encodings.push(BodyEncoding::Chunked);
        }
        let named = content_encoding(&parts.headers).unwrap_or_default().to_ascii_lowercase();
        encodings.extend(named.rsplit(',').filter_map(|name| match name.trim() {
            "gzip" | "x-gzip" => Some(BodyEncoding::Gzip),
            "deflate" => Some(BodyEncoding::Deflate),
            "br" => Some(BodyEncoding::Brotli),
            "zstd" => Some(BodyEncoding::Zstd),
            _ => None,
        }));
        Some(Self { head: read_head(&parts, url, token), location: said(header::LOCATION), body, encodings })
    }

    /// Creates the head for a record without HTTP headers.
    pub fn from_resource(content_type: &str, url: &Url) -> Self {
        let content_type = (!content_type.is_empty()).then(|| content_type.to_owned());
        let head =
            ResponseHead { url: Some(url.clone()), status: 200, content_type, ..ResponseHead::default() };
        Self { head, location: None, body: 0, encodings: Vec::new() }
    }

    /// Whether the body is stored without encodings.
    pub fn is_plain(&self) -> bool {
        self.encodings.is_empty()
    }

    /// Decodes a body. Many archives keep the headers but store the body decoded, so each encoding
    /// is undone only if the bytes look like it.
    pub fn decode_body<'b>(&self, body: impl Read + 'b) -> Box<dyn Read + 'b> {
        let mut open: Box<dyn Read + 'b> = Box::new(body);
        for encoding in &self.encodings {
            let mut start = Vec::new();
            // A read error here will occur again when the caller reads.
            let _ = (&mut open).take(16).read_to_end(&mut start);
            let believed = encoding.begins(&start);
            let whole = io::Cursor::new(start).chain(open);
            open = match encoding {
                _ if !believed => Box::new(whole),
                BodyEncoding::Chunked => Box::new(ChunkedBody { stream: whole, left: 0, over: false }),
                BodyEncoding::Gzip => Box::new(GzDecoder::new(whole)),
                BodyEncoding::Deflate => deflate(whole),
                BodyEncoding::Brotli => Box::new(brotli_decompressor::Decompressor::new(whole, 16 << 10)),
                BodyEncoding::Zstd => match ruzstd::decoding::StreamingDecoder::new(whole) {
                    Ok(decoder) => Box::new(decoder),
                    Err(_) => Box::new(io::empty()),
                },
            };
        }
        Box::new(open.take(MOST_DECODED))
    }
}

impl BodyEncoding {
    fn begins(self, start: &[u8]) -> bool {
        match self {
            Self::Chunked => {
                let line = start.split(|byte| *byte == b'\r' || *byte == b'\n' || *byte == b';').next();
                line.is_some_and(|line| {
                    let line = line.trim_ascii_end();
                    !line.is_empty() && line.len() <= 8 && line.iter().all(u8::is_ascii_hexdigit)
                })
            }
            Self::Gzip => start.starts_with(&[0x1F, 0x8B]),
            Self::Zstd => start.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]),
            // Neither has a signature, but plain text is neither.
            Self::Deflate | Self::Brotli => {
                let text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
                !start.iter().all(text)
            }
        }
    }
}

/// Inflates with or without a zlib header, since servers disagree.
fn deflate<'b>(mut stream: impl Read + 'b) -> Box<dyn Read + 'b> {
    let mut start = [0; 2];
    let n = stream.read(&mut start).unwrap_or(0);
    let zlib = n == 2 && start[0] & 0x0F == 8 && u16::from_be_bytes(start).is_multiple_of(31);
    let whole = io::Cursor::new(start.get(..n).unwrap_or_default().to_vec()).chain(stream);
    if zlib { Box::new(ZlibDecoder::new(whole)) } else { Box::new(DeflateDecoder::new(whole)) }
}

/// Decodes a chunked body; ends at the first invalid chunk.
struct ChunkedBody<R> {
    stream: R,
    left: u64,
    over: bool,
}

impl<R: Read> ChunkedBody<R> {
    /// Reads the length of the next chunk.
    fn length(&mut self) -> Option<u64> {
        let mut line = Vec::new();
        let mut byte = [0];
        while line.len() < 100 {
            if self.stream.read(&mut byte).ok()? == 0 {
                return None;
            }
            match byte[0] {
                b'\n' if line.is_empty() => {}
                b'\n' => break,
                b'\r' => {}
                other => line.push(other),
            }
        }
        let digits = line.split(|byte| *byte == b';').next()?.trim_ascii();
        u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    }
}

impl<R: Read> Read for ChunkedBody<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !self.over {
            self.left = self.length().unwrap_or(0);
            self.over = self.left == 0;
        }
        if self.over || into.is_empty() {
            return Ok(0);
        }
        let most = into.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let n = self.stream.read(into.get_mut(..most).unwrap_or_default())?;
        self.over = n == 0;
        self.left -= n as u64;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn opened(head: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let block = [head.as_bytes(), body].concat();
        let url = Url::parse("http://a.example/x").unwrap();
        let message = ArchivedResponse::parse(&block, &url, "geotrawl").unwrap();
        let mut out = Vec::new();
        let _ = message.decode_body(&block[message.body..]).read_to_end(&mut out);
        (message.head.status, out)
    }

    #[test]
    fn bodies_are_opened_as_far_as_they_are_closed() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(b"<html>packed</html>").unwrap();
        let gzip = gzip.finish().unwrap();
        let chunked = [format!("{:x}\r\n", gzip.len()).as_bytes(), &gzip, b"\r\n0\r\n\r\n"].concat();
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n";
        assert_eq!(opened(head, &chunked).1, b"<html>packed</html>");
        assert_eq!(opened(head, &gzip).1, b"<html>packed</html>", "the chunks were taken away");
        assert_eq!(opened(head, b"<html>plain</html>").1, b"<html>plain</html>", "all was taken away");
        let head = "HTTP/1.0 404 Not Found\nContent-Encoding: br\n\n";
        assert_eq!(opened(head, b"<html>plain</html>"), (404, b"<html>plain</html>".to_vec()));
    }

    #[test]
    fn a_head_may_be_odd() {
        let url = Url::parse("http://a.example/x").unwrap();
        let read = |text: &str| ArchivedResponse::parse(text.as_bytes(), &url, "geotrawl");
        let message = read("HTTP/1.1 302\r\nnonsense\r\n : x\r\nLocation: /wms\r\n\r\nbody").unwrap();
        assert_eq!((message.head.status, message.location.as_deref()), (302, Some("/wms")));
        for broken in
            ["", "HTTP/1.1", "HTTP/1.1 abc\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b"]
        {
            assert!(read(broken).is_none(), "{broken}");
        }
    }
}
