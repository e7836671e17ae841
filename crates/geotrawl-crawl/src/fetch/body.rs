//! Reading a body: piece by piece, decompressed, within its limits of time and size.

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

/// Space that the wire may take on top of what a body may decode to: headers of the encoding.
const ENCODING_SLACK: u64 = 64 * 1024;
/// What is reserved at once for a body that claims to be long; the rest only when it really comes.
const TRUSTED_LENGTH: usize = 1 << 20;

/// A body that is being read. Dropping it ends the request and begins the host's pause.
pub struct BodyReader {
    body: Incoming,
    decoder: Option<Box<BodyDecoder>>,
    caps: BodyLimits,
    clock: RequestClock,
    slot: Option<RequestSlot>,
    raw: u64,
    decoded: u64,
    /// Told after the bytes that came before it.
    failure: Option<FetchError>,
    /// Nothing more comes over the wire.
    ended: bool,
    done: bool,
}

/// How much of this body may come.
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
    /// Why it is not all there.
    pub truncated: Option<FetchError>,
    /// Bytes that came over the wire.
    pub raw: u64,
    /// From the start of the request (our own waiting not counted) to the end of the body.
    pub elapsed: Duration,
}

/// One timer for one request: armed once, and set anew only when it goes off too early.
pub(super) struct RequestClock {
    timer: Pin<Box<Sleep>>,
    pub started: Instant,
    /// End of the whole request.
    deadline: Instant,
    total: Duration,
    /// The phase under way, its limit and when it began.
    phase: RequestPhase,
    limit: Duration,
    since: Instant,
}

impl RequestClock {
    /// Begins a request that may take `left` of its `total`, of which `limit` for `phase`.
    pub fn start(left: Duration, total: Duration, phase: RequestPhase, limit: Duration) -> Self {
        let now = Instant::now();
        let deadline = now + left;
        let timer = Box::pin(tokio::time::sleep_until(deadline.min(now + limit)));
        Self { timer, started: now, deadline, total, phase, limit, since: now }
    }

    /// Begins another phase.
    pub fn enter_phase(&mut self, phase: RequestPhase, limit: Duration) {
        self.phase = phase;
        self.limit = limit;
        self.since = Instant::now();
    }

    /// Something came: the phase begins anew.
    fn progress(&mut self) {
        self.since = Instant::now();
    }

    /// Ready when the phase or the whole has taken too long; to be polled when nothing else moves.
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

    /// The deadline has passed although something always moved.
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

    /// The next decompressed piece; `None` at the end. After a failure, the same failure again.
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
                        // What follows the end of the compressed data is not content, nor waited for.
                        Some(decoder) if decoder.is_finished() => self.finish(),
                        Some(decoder) => decoder.push_input(data),
                    }
                }
                Ok(None) => match self.decoder.as_mut().filter(|decoder| !decoder.is_finished()) {
                    // The decoder is told, and may still hold something back.
                    Some(decoder) if !self.ended => {
                        self.ended = true;
                        decoder.finish_input();
                    }
                    _ => self.finish(),
                },
            }
        }
    }

    /// Reads on to the end, or to `limit` bytes.
    pub async fn collect(mut self, limit: u64) -> CollectedBody {
        self.caps.decoded = self.caps.decoded.min(limit);
        let expected = usize::try_from(self.body.size_hint().lower()).unwrap_or(usize::MAX);
        let mut first = Bytes::new();
        let mut all = BytesMut::new();
        let truncated = loop {
            match self.next_chunk().await {
                // Most small answers come in one piece, which then need not be copied.
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

    /// Bytes that came over the wire so far.
    pub fn raw_bytes(&self) -> u64 {
        self.raw
    }

    /// Decompressed bytes given so far.
    pub fn decoded_bytes(&self) -> u64 {
        self.decoded
    }

    /// Time since the request began, our own waiting not counted.
    pub fn elapsed(&self) -> Duration {
        self.clock.started.elapsed()
    }

    /// Data of the next frame.
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
                        // Trailers say nothing we want.
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

    /// Counts a piece, and shortens it to what the caps leave.
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

    /// The failure for a body that is cut after `limit` bytes.
    fn cut(&self, limit: u64) -> FetchError {
        if self.is_bomb() {
            let message = format!(
                "The answer grew to more than {} times its compressed size and was cut after {limit} bytes",
                self.caps.bomb_ratio
            );
            FetchError::lasting(FailureClass::Bomb, message)
        } else {
            let message = format!("The answer is longer than the {limit} bytes that were wanted of it");
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
