//! Reads response bodies in pieces, decompressed, within limits of time and size.

use super::config::FetchLimits;
use super::decode::{BodyDecoder, DecodeError};
use super::failure::{FailureClass, FetchError, RequestPhase};
use super::politeness::RequestSlot;
use bytes::{Bytes, BytesMut};
use http_body::Body as _;
use hyper::body::Incoming;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep};

/// Bytes a compressed body may take on the wire beyond its decoded limit: headers of the encoding.
const ENCODING_SLACK: u64 = 64 * 1024;
/// Most bytes reserved up front because of `Content-Length`. Servers may claim any length, so the
/// buffer grows only as data arrives.
const TRUSTED_LENGTH: usize = 1 << 20;

/// A response body that is being read. Dropping it ends the request and starts the crawl delay.
pub struct BodyReader {
    body: Incoming,
    decoder: Option<Box<BodyDecoder>>,
    caps: BodyLimits,
    clock: RequestClock,
    slot: Option<RequestSlot>,
    raw: u64,
    decoded: u64,
    /// Returned only after the bytes that arrived before the failure.
    failure: Option<FetchError>,
    /// The connection has delivered its last frame.
    ended: bool,
    done: bool,
}

/// Size limits of one body.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyLimits {
    raw: u64,
    decoded: u64,
    bomb_ratio: u64,
    bomb_floor: u64,
}

/// A whole body in memory.
#[derive(Debug, Clone)]
pub struct CollectedBody {
    pub bytes: Bytes,
    /// Why the body is incomplete.
    pub truncated: Option<FetchError>,
    /// Bytes received over the wire.
    pub raw: u64,
    /// From the start of the request, without the wait for a slot, to the end of the body.
    pub elapsed: Duration,
}

/// The timer of one request. It is reset only when it fires too early, because resetting it for
/// every frame is slow.
pub(super) struct RequestClock {
    timer: Pin<Box<Sleep>>,
    pub started: Instant,
    /// When the whole request times out.
    deadline: Instant,
    total: Duration,
    /// The current phase, its limit and its start.
    phase: RequestPhase,
    limit: Duration,
    since: Instant,
}

impl RequestClock {
    /// Starts the clock of a request with `left` of its `total`
    /// time remaining, and `limit` for `phase`.
    pub fn start(left: Duration, total: Duration, phase: RequestPhase, limit: Duration) -> Self {
        let now = Instant::now();
        let deadline = now + left;
        let timer = Box::pin(tokio::time::sleep_until(deadline.min(now + limit)));
        Self { timer, started: now, deadline, total, phase, limit, since: now }
    }

    /// Starts another phase.
    pub fn enter_phase(&mut self, phase: RequestPhase, limit: Duration) {
        self.phase = phase;
        self.limit = limit;
        self.since = Instant::now();
    }

    /// Restarts the limit of the phase because data arrived.
    fn progress(&mut self) {
        self.since = Instant::now();
    }

    /// Returns an error once the phase or the whole request has
    /// timed out. Poll it when no data is ready.
    pub fn poll_overdue(&mut self, context: &mut Context<'_>) -> Poll<FetchError> {
        let end = self.deadline.min(self.since + self.limit);
        if self.timer.deadline() > end {
            self.timer.as_mut().reset(end);
        }
        while self.timer.as_mut().poll(context).is_ready() {
            if Instant::now() >= end {
                return Poll::Ready(self.overdue());
            }
            self.timer.as_mut().reset(end);
        }
        Poll::Pending
    }

    fn overdue(&self) -> FetchError {
        if self.deadline <= self.since + self.limit {
            FetchError::timeout(RequestPhase::Total, self.total)
        } else {
            FetchError::timeout(self.phase, self.limit)
        }
    }

    /// Whether the deadline has passed; catches servers that keep sending data slowly.
    fn is_past(&self, now: Instant) -> bool {
        now >= self.deadline
    }
}

impl BodyLimits {
    pub fn new(limits: &FetchLimits, max_bytes: u64) -> Self {
        let decoded = max_bytes.min(limits.decoded_bytes);
        Self {
            raw: decoded.saturating_add(ENCODING_SLACK).min(limits.raw_bytes),
            decoded,
            bomb_ratio: limits.bomb_ratio.max(1),
            bomb_floor: limits.bomb_floor,
        }
    }
}

impl BodyReader {
    pub(super) fn new(
        body: Incoming,
        decoder: Option<BodyDecoder>,
        caps: BodyLimits,
        mut clock: RequestClock,
        idle: Duration,
        slot: RequestSlot,
    ) -> Self {
        clock.enter_phase(RequestPhase::Idle, idle);
        let decoder = decoder.map(Box::new);
        Self {
            body,
            decoder,
            caps,
            clock,
            slot: Some(slot),
            raw: 0,
            decoded: 0,
            failure: None,
            ended: false,
            done: false,
        }
    }

    /// Returns the next decompressed piece, or `None` at the end. After an error, returns it again.
    pub async fn next_chunk(&mut self) -> Result<Option<Bytes>, FetchError> {
        loop {
            if let Some(failure) = &self.failure {
                return Err(failure.clone());
            }
            if self.done {
                return Ok(None);
            }
            if let Some(decoder) = &mut self.decoder {
                match decoder.pull_piece() {
                    Ok(Some(piece)) => return self.admit(piece).map(Some),
                    Ok(None) => {}
                    Err(error) => return Err(self.fail(decode_failure(error))),
                }
            }
            match self.frame().await {
                Err(failure) => return Err(self.fail(failure)),
                Ok(Some(data)) => {
                    self.raw += data.len() as u64;
                    if self.raw > self.caps.raw {
                        let room = data.len() as u64 - (self.raw - self.caps.raw).min(data.len() as u64);
                        let last = data.slice(..room as usize);
                        let failure = self.cut(self.caps.raw);
                        if self.decoder.is_some() || last.is_empty() {
                            return Err(self.fail(failure));
                        }
                        let piece = self.admit(last);
                        self.fail(failure);
                        return piece.map(Some);
                    }
                    match &mut self.decoder {
                        None => return self.admit(data).map(Some),
                        // Ignore bytes after the end of the compressed
                        // data, and do not wait for them.
                        Some(decoder) if decoder.is_finished() => self.finish(),
                        Some(decoder) => decoder.push_input(data),
                    }
                }
                Ok(None) => match self.decoder.as_mut().filter(|decoder| !decoder.is_finished()) {
                    // The decoder may still hold output back until it
                    // knows that the input has ended.
                    Some(decoder) if !self.ended => {
                        self.ended = true;
                        decoder.finish_input();
                    }
                    _ => self.finish(),
                },
            }
        }
    }

    /// Reads to the end of the body, but at most `limit` bytes.
    pub async fn collect(mut self, limit: u64) -> CollectedBody {
        self.caps.decoded = self.caps.decoded.min(limit);
        let expected = usize::try_from(self.body.size_hint().lower()).unwrap_or(usize::MAX);
        let mut first = Bytes::new();
        let mut all = BytesMut::new();
        let truncated = loop {
            match self.next_chunk().await {
                // Most small bodies arrive in one piece, which needs no copy.
                Ok(Some(piece)) if all.is_empty() && first.is_empty() => first = piece,
                Ok(Some(piece)) => {
                    if all.is_empty() {
                        let whole = (expected + first.len()).min(TRUSTED_LENGTH);
                        all.reserve(whole.max(first.len() + piece.len()));
                        all.extend_from_slice(&first);
                    }
                    all.extend_from_slice(&piece);
                }
                Ok(None) => break None,
                Err(failure) => break Some(failure),
            }
        };
        let bytes = if all.is_empty() { first } else { all.freeze() };
        CollectedBody { bytes, truncated, raw: self.raw, elapsed: self.clock.started.elapsed() }
    }

    /// Returns the number of bytes received over the wire so far.
    pub fn raw_bytes(&self) -> u64 {
        self.raw
    }

    /// Returns the number of decompressed bytes returned so far.
    pub fn decoded_bytes(&self) -> u64 {
        self.decoded
    }

    /// Returns the time since the request was sent.
    pub fn elapsed(&self) -> Duration {
        self.clock.started.elapsed()
    }

    /// Reads the data of the next frame.
    async fn frame(&mut self) -> Result<Option<Bytes>, FetchError> {
        if self.ended {
            return Ok(None);
        }
        let Self { body, clock, .. } = self;
        poll_fn(|context| {
            loop {
                match Pin::new(&mut *body).poll_frame(context) {
                    Poll::Ready(Some(Ok(frame))) => {
                        clock.progress();
                        if clock.is_past(clock.since) {
                            return Poll::Ready(Err(clock.overdue()));
                        }
                        // Trailers hold nothing that is used.
                        if let Ok(data) = frame.into_data() {
                            return Poll::Ready(Ok(Some(data)));
                        }
                    }
                    Poll::Ready(Some(Err(error))) => {
                        return Poll::Ready(Err(super::exchange::http_failure(&error, true)));
                    }
                    Poll::Ready(None) => return Poll::Ready(Ok(None)),
                    Poll::Pending => return clock.poll_overdue(context).map(Err),
                }
            }
        })
        .await
    }

    /// Counts a piece, and truncates it to the remaining limit.
    fn admit(&mut self, mut piece: Bytes) -> Result<Bytes, FetchError> {
        let room = self.caps.decoded - self.decoded;
        if piece.len() as u64 > room {
            piece.truncate(room as usize);
            let failure = self.cut(self.caps.decoded);
            self.fail(failure.clone());
            if piece.is_empty() {
                return Err(failure);
            }
        }
        self.decoded += piece.len() as u64;
        if self.decoded > self.caps.bomb_floor && self.is_bomb() {
            let failure = self.cut(self.decoded);
            self.fail(failure);
        }
        Ok(piece)
    }

    fn is_bomb(&self) -> bool {
        self.decoder
            .as_ref()
            .is_some_and(|decoder| self.decoded / decoder.consumed_bytes().max(1) >= self.caps.bomb_ratio)
    }

    /// Builds the error for a body that was cut off after `limit` bytes.
    fn cut(&self, limit: u64) -> FetchError {
        if self.is_bomb() {
            let message = format!(
                "The response grew to more than {} times its compressed size and was cut off after {limit} bytes",
                self.caps.bomb_ratio
            );
            FetchError::lasting(FailureClass::Bomb, message)
        } else {
            let message = format!("The response is larger than the limit of {limit} bytes");
            FetchError::lasting(FailureClass::TooLarge, message)
        }
    }

    fn fail(&mut self, failure: FetchError) -> FetchError {
        if self.failure.is_none() {
            self.failure = Some(failure.clone());
        }
        self.finish();
        failure
    }

    fn finish(&mut self) {
        self.done = true;
        self.slot = None;
    }
}

fn decode_failure(error: DecodeError) -> FetchError {
    match error {
        DecodeError::Unfinished => FetchError::passing(FailureClass::Truncated, error.to_string()),
        _ => FetchError::lasting(FailureClass::Decode, error.to_string()),
    }
}
