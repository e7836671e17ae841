//! A client connection: reads requests, sends responses, logs each of them.

use super::wire::ReplyWriter;
use super::{GRACE, LogEntry, ServerState};
use crate::reply::{ReplyBody, SiteReply};
use crate::request::SiteRequest;
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;
use tokio::sync::watch;

const MAX_HEAD: usize = 64 * 1024;
const MAX_HEADERS: usize = 100;
/// Maximum size of a request body that is passed on; the rest is discarded.
const MAX_BODY: usize = 16 * 1024;
const IDLE: Duration = Duration::from_mins(1);

pub(super) struct ClientConnection {
    wire: ReplyWriter,
    shared: Arc<ServerState>,
    stopped: watch::Receiver<bool>,
    buffer: Vec<u8>,
}

/// The head of a request.
struct RequestHead {
    method: String,
    host: String,
    target: String,
    agent: String,
    range: Option<String>,
    accepts_gzip: bool,
    authorization: Option<String>,
    cookie: Option<String>,
    keep_alive: bool,
    body_length: u64,
    head_length: usize,
}

impl ClientConnection {
    pub(super) fn new(stream: TcpStream, shared: Arc<ServerState>, stopped: watch::Receiver<bool>) -> Self {
        Self { wire: ReplyWriter::new(stream), shared, stopped, buffer: Vec::with_capacity(2048) }
    }

    pub(super) async fn run(mut self) {
        let mut stop = self.stopped.clone();
        while let Ok(Some(parsed)) = self.next_request().await {
            let arrival = Instant::now();
            self.buffer.drain(..parsed.head_length);
            let outcome = self.exchange(&parsed, arrival, &mut stop).await;
            if !matches!(outcome, Ok(true)) || !parsed.keep_alive {
                break;
            }
        }
        self.wire.close().await;
    }

    /// Reads a complete request head; `None` if the client is done, does not use HTTP, or the
    /// server stops.
    async fn next_request(&mut self) -> io::Result<Option<RequestHead>> {
        loop {
            match parse(&self.buffer) {
                Ok(Some(parsed)) => return Ok(Some(parsed)),
                Ok(None) if self.buffer.len() < MAX_HEAD => {}
                // TLS, garbage or an endless head: close the connection, as plain servers do.
                _ => return Ok(None),
            }
            tokio::select! {
                read = self.wire.stream.read_buf(&mut self.buffer) => if read? == 0 {
                    return Ok(None);
                },
                _ = self.stopped.changed() => return Ok(None),
                () = tokio::time::sleep(IDLE) => return Ok(None),
            }
        }
    }

    /// Answers one request and logs it; returns `false` if the connection must be closed.
    async fn exchange(
        &mut self,
        parsed: &RequestHead,
        arrival: Instant,
        stop: &mut watch::Receiver<bool>,
    ) -> io::Result<bool> {
        self.wire.begin_reply();
        let body = self.read_body(parsed.body_length).await?;
        let request = SiteRequest {
            method: &parsed.method,
            host: &parsed.host,
            target: &parsed.target,
            range: parsed.range.as_deref(),
            accepts_gzip: parsed.accepts_gzip,
            authorization: parsed.authorization.as_deref(),
            cookie: parsed.cookie.as_deref(),
            body: &body,
        };
        let reply = self.shared.site.answer(&request);
        let (status, outcome) = tokio::select! {
            // Biased, so that a response that is ready is logged as such even while the server
            // stops.
            biased;
            answered = self.respond(&request, reply) => answered,
            // When the server stops, stalled responses are aborted but still logged.
            () = grace_over(stop) => (0, Err(io::ErrorKind::Interrupted.into())),
        };
        self.shared.served.fetch_add(1, Ordering::Relaxed);
        if let Some(log) = &self.shared.log {
            log.push(LogEntry {
                t: log.seconds(arrival),
                end: log.seconds(self.wire.last_write.max(arrival)),
                host: parsed.host.clone(),
                method: parsed.method.clone(),
                target: parsed.target.clone(),
                agent: parsed.agent.clone(),
                status,
                bytes: self.wire.sent,
                given_up: outcome.as_ref().is_err_and(|error| is_disconnect(error.kind())),
            });
        }
        outcome
    }

    /// Reads the whole body and returns its beginning.
    async fn read_body(&mut self, length: u64) -> io::Result<Vec<u8>> {
        let mut kept = Vec::new();
        let mut left = length;
        while left > 0 {
            if self.buffer.is_empty() && self.wire.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let take = left.min(self.buffer.len() as u64);
            let taken = self.buffer.drain(..take as usize);
            kept.extend(taken.take(MAX_BODY - kept.len()));
            left -= take;
        }
        Ok(kept)
    }

    async fn respond(&mut self, request: &SiteRequest<'_>, reply: SiteReply) -> (u16, io::Result<bool>) {
        if let Err(error) = self.wire.pause(reply.delay).await {
            return (0, Err(error));
        }
        let head_only = request.method == "HEAD";
        match &reply.body {
            ReplyBody::Raw(acts) => (reply.status, self.wire.play_acts(acts).await.map(|()| false)),
            ReplyBody::Bytes(bytes) => {
                let head = head(&reply, reply.status, bytes.len() as u64, "");
                let body: &[u8] = if head_only { b"" } else { bytes };
                (reply.status, self.wire.send(head.as_bytes(), body).await.map(|()| true))
            }
            ReplyBody::File { file, ranges } => {
                let span = ranges.then(|| request.range.map(|range| byte_range(range, file.len()))).flatten();
                let (status, from, length, extra) = match span {
                    None => (
                        200,
                        0,
                        file.len(),
                        if *ranges { "Accept-Ranges: bytes\r\n".to_owned() } else { String::new() },
                    ),
                    Some(None) => (416, 0, 0, format!("Content-Range: bytes */{}\r\n", file.len())),
                    Some(Some((from, to))) => (
                        206,
                        from,
                        to - from + 1,
                        format!(
                            "Accept-Ranges: bytes\r\nContent-Range: bytes {from}-{to}/{}\r\n",
                            file.len()
                        ),
                    ),
                };
                let head = head(&reply, status, length, &extra);
                let mut outcome = self.wire.send(head.as_bytes(), b"").await;
                if outcome.is_ok() && !head_only {
                    outcome = self.wire.send_file(file, from, length).await;
                }
                (status, outcome.map(|()| true))
            }
        }
    }
}

/// Waits until the grace period after the stop signal has passed.
async fn grace_over(stop: &mut watch::Receiver<bool>) {
    let _ = stop.changed().await;
    tokio::time::sleep(GRACE).await;
}

fn head(reply: &SiteReply, status: u16, length: u64, extra: &str) -> String {
    let mut head = String::with_capacity(256);
    let _ = write!(head, "HTTP/1.1 {status} {}\r\nContent-Length: {length}\r\n", reason(status));
    if !reply.content_type.is_empty() {
        let _ = write!(head, "Content-Type: {}\r\n", reply.content_type);
    }
    for (name, value) in &reply.headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    head.push_str(extra);
    head.push_str("\r\n");
    head
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        206 => "Partial Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        410 => "Gone",
        416 => "Range Not Satisfiable",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Status",
    }
}

/// Parses a request head; `Ok(None)` if it is incomplete.
fn parse(buffer: &[u8]) -> Result<Option<RequestHead>, httparse::Error> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(head_length) = request.parse(buffer)? else { return Ok(None) };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut parsed = RequestHead {
        method: request.method.unwrap_or("GET").to_owned(),
        host: String::new(),
        target: request.path.unwrap_or("/").to_owned(),
        agent: String::new(),
        range: None,
        accepts_gzip: false,
        authorization: None,
        cookie: None,
        keep_alive: request.version == Some(1),
        body_length: 0,
        head_length,
    };
    for header in request.headers.iter() {
        let name = header.name;
        if name.eq_ignore_ascii_case("host") {
            let host = text(header.value).to_ascii_lowercase();
            host.split(':').next().unwrap_or("").trim_end_matches('.').clone_into(&mut parsed.host);
        } else if name.eq_ignore_ascii_case("user-agent") {
            parsed.agent = text(header.value);
        } else if name.eq_ignore_ascii_case("range") {
            parsed.range = Some(text(header.value));
        } else if name.eq_ignore_ascii_case("accept-encoding") {
            parsed.accepts_gzip = text(header.value).contains("gzip");
        } else if name.eq_ignore_ascii_case("authorization") {
            parsed.authorization = Some(text(header.value));
        } else if name.eq_ignore_ascii_case("cookie") {
            parsed.cookie = Some(text(header.value));
        } else if name.eq_ignore_ascii_case("content-length") {
            parsed.body_length = text(header.value).trim().parse().unwrap_or(0);
        } else if name.eq_ignore_ascii_case("connection") {
            let value = text(header.value).to_ascii_lowercase();
            parsed.keep_alive =
                (parsed.keep_alive && !value.contains("close")) || value.contains("keep-alive");
        }
    }
    Ok(Some(parsed))
}

/// Returns the first and last byte of a single range; `None` if it cannot be satisfied.
fn byte_range(header: &str, len: u64) -> Option<(u64, u64)> {
    let spec = header.trim().strip_prefix("bytes=")?;
    let (from, to) = spec.split_once('-')?;
    if from.is_empty() {
        let last: u64 = to.trim().parse().ok()?;
        return (last > 0 && len > 0).then(|| (len.saturating_sub(last), len - 1));
    }
    let from: u64 = from.trim().parse().ok()?;
    let to = if to.trim().is_empty() { len.saturating_sub(1) } else { to.trim().parse().ok()? };
    (from < len && from <= to).then(|| (from, to.min(len - 1)))
}

/// Whether the error means that the client disconnected.
fn is_disconnect(error: io::ErrorKind) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
    matches!(error, BrokenPipe | ConnectionAborted | ConnectionReset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_follow_the_standard() {
        assert_eq!(byte_range("bytes=0-9", 100), Some((0, 9)));
        assert_eq!(byte_range("bytes=90-", 100), Some((90, 99)));
        assert_eq!(byte_range("bytes=-10", 100), Some((90, 99)));
        assert_eq!(byte_range("bytes=-1000", 100), Some((0, 99)));
        assert_eq!(byte_range("bytes=50-1000", 100), Some((50, 99)));
        assert_eq!(byte_range("bytes=100-", 100), None);
        assert_eq!(byte_range("lines=1-2", 100), None);
    }

    proptest::proptest! {
        #[test]
        fn ranges_stay_inside_the_file(header in "bytes=[0-9]{0,6}-[0-9]{0,6}", len in 0_u64..5000) {
            if let Some((from, to)) = byte_range(&header, len) {
                assert!(from <= to && to < len);
            }
        }

        #[test]
        fn any_bytes_are_a_head_or_not(bytes in proptest::collection::vec(0_u8..=255, 0..300)) {
            let _ = parse(&bytes);
        }
    }

    #[test]
    fn heads_are_read_whole_or_not_at_all() {
        assert!(parse(b"GET / HTTP/1.1\r\nHost: a").unwrap().is_none());
        let parsed = parse(b"GET /x?y HTTP/1.1\r\nHost: A.example:80\r\nAccept-Encoding: gzip, br\r\n\r\n")
            .unwrap()
            .unwrap();
        assert_eq!((parsed.host.as_str(), parsed.target.as_str()), ("a.example", "/x?y"));
        assert!(parsed.keep_alive && parsed.accepts_gzip);
        assert!(parse(b"\x16\x03\x01\x02\x00\x01").is_err());
    }
}
