//! Reads a file on a server in ranges. No byte is requested twice, broken connections are resumed,
//! and nothing is stored.

use super::source::ByteSource;
use crate::fetch::{BodyReader, FetchError, FetchRequest, GuardedClient, RedirectPolicy};
use bytes::Bytes;
use geotrawl_kinds::probe::ByteRange;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use url::Url;

/// Bytes per request: enough to make the crawl delay negligible,
/// few enough to arrive before the timeout.
const SPAN: u64 = 32 << 20;
/// Gaps up to this size are bridged by reading on instead of sending a new request.
const NEAR: u64 = 1 << 20;
/// Most consecutive attempts without data.
const ATTEMPTS: u32 = 4;

/// A stream that is kept open for the next reader. There is only one in the process, because an
/// open response occupies the server's request slot, which would block other readers.
static IDLE: Mutex<Option<(Url, OpenStream)>> = Mutex::new(None);

/// A file on a server.
pub struct RemoteFile {
    shared: Arc<RemoteState>,
    length: Option<u64>,
    version: String,
}

struct RemoteState {
    url: Url,
    client: GuardedClient,
    runtime: Handle,
    /// Whether ranges are supported; if not, each read starts at the beginning.
    ranges: bool,
    length: Option<u64>,
    /// Whether it is read in many short pieces, one after the other.
    in_pieces: AtomicBool,
}

/// A response that is being read.
struct OpenStream {
    at: u64,
    /// End of the response.
    end: u64,
    body: BodyReader,
    chunk: Bytes,
}

impl RemoteFile {
    /// Requests the length of the file, and whether ranges are supported.
    pub fn open(url: Url, client: GuardedClient, runtime: Handle) -> io::Result<Self> {
        let span = ByteRange::Span { from: 0, to: 0 };
        let fetched = runtime.block_on(client.fetch(request(&url, Some(span))));
        let status = fetched.head.status;
        fetched.outcome.map_err(told)?;
        if !matches!(status, 200 | 206) {
            return Err(io::Error::other(format!("the server responded with HTTP status {status}")));
        }
        let header = |name: &str| fetched.headers.get(name).and_then(|value| value.to_str().ok());
        let version = header("etag").or_else(|| header("last-modified")).unwrap_or_default().to_owned();
        let length = fetched.head.total_length;
        // Use the redirect target from now on.
        let shared = RemoteState {
            url: fetched.url,
            client,
            runtime,
            ranges: status == 206,
            length,
            in_pieces: AtomicBool::new(false),
        };
        Ok(Self { shared: Arc::new(shared), length, version })
    }

    /// Returns the version of the content: its entity tag or modification time.
    pub fn version(&self) -> &str {
        &self.version
    }
}

impl ByteSource for RemoteFile {
    fn length(&self) -> Option<u64> {
        self.length
    }

    fn open(&self, from: u64) -> io::Result<Box<dyn Read + Send>> {
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        let near = |(url, open): &mut (Url, OpenStream)| {
            *url == self.shared.url && open.at <= from && from - open.at <= NEAR && from < open.end
        };
        let open = idle.take_if(near).map(|(_, open)| open);
        drop(idle);
        Ok(Box::new(RangeReader { shared: Arc::clone(&self.shared), at: from, open, idle_attempts: 0 }))
    }

    fn is_local(&self) -> bool {
        false
    }

    fn expect_short_reads(&self) {
        self.shared.in_pieces.store(true, Ordering::Relaxed);
    }
}

/// Reads from an offset on.
struct RangeReader {
    shared: Arc<RemoteState>,
    at: u64,
    open: Option<OpenStream>,
    idle_attempts: u32,
}

impl Read for RangeReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if into.is_empty() || self.shared.length.is_some_and(|length| self.at >= length) {
                return Ok(0);
            }
            let mut open = match self.open.take() {
                Some(open) => open,
                None => match self.ask()? {
                    Some(open) => open,
                    None => return Ok(0),
                },
            };
            // Discard bytes before the current offset.
            while open.at < self.at && !open.chunk.is_empty() {
                let skip = (self.at - open.at).min(open.chunk.len() as u64);
                open.chunk = open.chunk.slice(skip as usize..);
                open.at += skip;
            }
            if !open.chunk.is_empty() {
                let n = into.len().min(open.chunk.len());
                into.get_mut(..n).unwrap_or_default().copy_from_slice(&open.chunk[..n]);
                open.chunk = open.chunk.slice(n..);
                open.at += n as u64;
                self.at += n as u64;
                self.idle_attempts = 0;
                self.open = Some(open);
                return Ok(n);
            }
            match self.shared.runtime.block_on(open.body.next_chunk()) {
                Ok(Some(chunk)) => {
                    open.chunk = chunk;
                    self.open = Some(open);
                }
                // The response is complete; request the next range unless this was the last one.
                Ok(None) if self.shared.ranges && open.at >= open.end => {}
                Ok(None) if self.shared.length.is_none() => return Ok(0),
                Ok(None) => self.failed(io::Error::other("the response ended early"))?,
                Err(failure) => self.failed(told(failure))?,
            }
        }
    }
}

impl RangeReader {
    /// Counts a failed attempt; returns an error if there were
    /// too many or if resuming is impossible.
    fn failed(&mut self, why: io::Error) -> io::Result<()> {
        self.idle_attempts += 1;
        if self.idle_attempts >= ATTEMPTS || !self.shared.ranges {
            return Err(why);
        }
        Ok(())
    }

    /// Requests the next range; `None` at the end of the file.
    fn ask(&mut self) -> io::Result<Option<OpenStream>> {
        drop(IDLE.lock().unwrap_or_else(PoisonError::into_inner).take());
        loop {
            let shared = &self.shared;
            let range = shared.ranges.then(|| {
                let to = (self.at + SPAN - 1).min(shared.length.map_or(u64::MAX, |length| length - 1));
                ByteRange::Span { from: self.at, to }
            });
            let fetched = shared.runtime.block_on(shared.client.fetch(request(&shared.url, range)));
            let status = fetched.head.status;
            let served = fetched.head.served_from;
            let why = match fetched.outcome {
                Ok(_) if status == 416 => return Ok(None),
                Ok(body) if status == 206 && served == Some(self.at) => {
                    let end = (self.at + SPAN).min(shared.length.unwrap_or(u64::MAX));
                    return Ok(Some(OpenStream { at: self.at, end, body, chunk: Bytes::new() }));
                }
                Ok(body) if status == 200 && !shared.ranges => {
                    let end = shared.length.unwrap_or(u64::MAX);
                    return Ok(Some(OpenStream { at: 0, end, body, chunk: Bytes::new() }));
                }
                Ok(_) => io::Error::other(format!(
                    "the server responded with HTTP status {status} instead of a part of the file"
                )),
                Err(failure) => told(failure),
            };
            self.failed(why)?;
        }
    }
}

impl Drop for RangeReader {
    fn drop(&mut self) {
        if let Some(open) = self.open.take()
            && self.shared.ranges
            && self.shared.in_pieces.load(Ordering::Relaxed)
        {
            *IDLE.lock().unwrap_or_else(PoisonError::into_inner) = Some((self.shared.url.clone(), open));
        }
    }
}

/// Builds a request. The operator named this address, so
/// robots.txt is not checked; all limits apply.
fn request(url: &Url, range: Option<ByteRange>) -> FetchRequest {
    FetchRequest {
        range,
        check_robots: false,
        redirects: RedirectPolicy::Follow(5),
        deadline: Some(Duration::from_mins(3)),
        ..FetchRequest::new(url.clone(), u64::MAX)
    }
}

fn told(failure: FetchError) -> io::Error {
    io::Error::other(failure.message)
}
