//! Receives response bodies within a fixed amount of memory.

use crate::fetch::{BodyReader, FailureClass, FetchError};
use bytes::{Bytes, BytesMut};
use data_encoding::HEXLOWER;
use geotrawl_kinds::probe::{Probe, ProbeResponse, ProbeStep, ResponseBody, ResponseHead};
use geotrawl_kinds::sniff::{self, SniffedType};
use sha2::{Digest, Sha256};
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Most bodies fit into this size, which needs no permit.
const SMALL: usize = 256 * 1024;
/// Larger bodies are streamed to their parser, or truncated if it cannot stream.
const LARGE: usize = 8 * 1024 * 1024;
/// Number of bytes used to detect the type of a body.
const SNIFFED: usize = 16 * 1024;

/// Maximum number of buffers kept for reuse.
const SPARE: usize = 64;

/// Limits the memory of large bodies, so that a thousand hostile servers cannot exhaust it, and
/// reuses the buffers of small ones.
#[derive(Clone)]
pub struct BodyPool {
    /// Buffers of small bodies, kept for reuse because the system has to zero fresh memory.
    spare: Arc<Mutex<Vec<BytesMut>>>,
    /// Permits for bodies between [`SMALL`] and [`LARGE`].
    large: Arc<Semaphore>,
    /// Permits for streamed documents, each of which may produce a large record.
    streams: Arc<Semaphore>,
}

impl Default for BodyPool {
    fn default() -> Self {
        Self {
            spare: Arc::default(),
            large: Arc::new(Semaphore::new(8)),
            streams: Arc::new(Semaphore::new(2)),
        }
    }
}

impl BodyPool {
    /// Returns a buffer with this capacity, reusing an old one if possible.
    fn buffer(&self, room: usize) -> BytesMut {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut buffer = spare.unwrap_or_default();
        buffer.reserve(room);
        buffer
    }

    /// Keeps the buffer of a body for reuse, unless it is shared or unusually large.
    pub fn recycle_buffer(&self, body: Bytes) {
        let Ok(mut buffer) = body.try_into_mut() else { return };
        buffer.clear();
        if (1..=SMALL).contains(&buffer.capacity()) {
            let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
            if spare.len() < SPARE {
                spare.push(buffer);
            }
        }
    }
}

/// A received body.
pub enum ReceivedBody {
    /// The whole body, or its beginning and why the rest is missing.
    Whole { bytes: Bytes, cut: Option<FetchError>, permit: Option<OwnedSemaphorePermit> },
    /// The beginning of a document that is parsed as a stream.
    Large { start: Bytes, rest: Box<BodyReader> },
    /// The body could not be received.
    Failed(FetchError),
}

/// Receives a body: small ones whole, larger ones with a permit, very large XML as a stream.
/// `expected` is the declared length; it only sizes the first buffer, so a wrong value costs
/// little.
pub async fn receive_body(mut body: BodyReader, expected: Option<u64>, lanes: &BodyPool) -> ReceivedBody {
    let room = expected.map_or(0, |length| usize::try_from(length).unwrap_or(SMALL).min(SMALL));
    let mut bytes = lanes.buffer(room);
    let mut permit = None;
    loop {
        if bytes.len() > SMALL && permit.is_none() {
            permit = lanes.large.clone().acquire_owned().await.ok();
        }
        if bytes.len() > LARGE {
            if matches!(sniff::sniff_type(&bytes[..SNIFFED], None), SniffedType::Xml(_)) {
                return ReceivedBody::Large { start: bytes.freeze(), rest: Box::new(body) };
            }
            let message = format!("Received more than {} MB; skipped the rest", LARGE >> 20);
            let cut = Some(FetchError::lasting(FailureClass::TooLarge, message));
            return ReceivedBody::Whole { bytes: bytes.freeze(), cut, permit };
        }
        match body.next_chunk().await {
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => return ReceivedBody::Whole { bytes: bytes.freeze(), cut: None, permit },
            // A truncated document is still useful; a decompression bomb or an empty body is a
            // failure.
            Err(failure) if bytes.is_empty() || failure.class == FailureClass::Bomb => {
                return ReceivedBody::Failed(failure);
            }
            Err(failure) => return ReceivedBody::Whole { bytes: bytes.freeze(), cut: Some(failure), permit },
        }
    }
}

/// Result of probing a streamed document.
pub struct ProbedStream {
    pub probe: Probe,
    pub head: ResponseHead,
    pub step: ProbeStep,
    pub hash: Sha256,
    pub bytes: u64,
}

/// Passes a very large document to its probe while it arrives.
pub async fn probe_stream(
    mut probe: Probe,
    head: ResponseHead,
    start: Bytes,
    rest: BodyReader,
    lanes: &BodyPool,
) -> Option<ProbedStream> {
    read_stream(start, rest, lanes, move |mut reader| {
        let answer = ProbeResponse { head: &head, body: ResponseBody::Stream(&mut reader), truncated: false };
        let step = probe.handle_response(answer);
        let (hash, bytes) = reader.hash_and_length();
        ProbedStream { probe, head, step, hash, bytes }
    })
    .await
}

/// Passes a very large document to `read` on a blocking thread while it arrives.
pub async fn read_stream<T: Send + 'static>(
    start: Bytes,
    mut rest: BodyReader,
    lanes: &BodyPool,
    read: impl FnOnce(ChunkReader) -> T + Send + 'static,
) -> Option<T> {
    let permit = lanes.streams.clone().acquire_owned().await.ok()?;
    let (chunks, reader) = pipe();
    let reading = tokio::task::spawn_blocking(move || {
        let out = read(reader);
        drop(permit);
        out
    });
    let mut next = Some(start);
    while let Some(chunk) = next {
        // The reader closes its end once it has seen enough.
        if chunks.send(chunk).await.is_err() {
            break;
        }
        next = rest.next_chunk().await.ok().flatten();
    }
    drop(chunks);
    reading.await.ok()
}

/// A [`Read`] over chunks from an async task, which also hashes them. Blocks, so it must not run on
/// the async runtime.
pub struct ChunkReader {
    chunks: Receiver<Bytes>,
    current: Bytes,
    hash: Sha256,
    read: u64,
}

impl ChunkReader {
    /// Returns the hash and the number of the bytes read so far.
    pub fn hash_and_length(&self) -> (Sha256, u64) {
        (self.hash.clone(), self.read)
    }
}

/// Creates both ends of a bounded pipe of chunks.
fn pipe() -> (Sender<Bytes>, ChunkReader) {
    let (sender, chunks) = channel(16);
    (sender, ChunkReader { chunks, current: Bytes::new(), hash: Sha256::new(), read: 0 })
}

impl Read for ChunkReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.current.is_empty() {
            match self.chunks.blocking_recv() {
                Some(chunk) => self.current = chunk,
                // The sender was dropped at the end of the body.
                None => return Ok(0),
            }
        }
        let n = out.len().min(self.current.len());
        out[..n].copy_from_slice(&self.current.split_to(n));
        self.hash.update(&out[..n]);
        self.read += n as u64;
        Ok(n)
    }
}

/// Returns the digest in lower-case hexadecimal.
pub fn to_hex(digest: Sha256) -> String {
    HEXLOWER.encode(&digest.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_come_out_as_they_went_in_and_are_hashed() {
        let (send, mut reader) = pipe();
        let writer = std::thread::spawn(move || {
            for part in ["Ge", "", "otrawl"] {
                send.blocking_send(Bytes::from_static(part.as_bytes())).unwrap();
            }
        });
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        writer.join().unwrap();
        assert_eq!((text.as_str(), reader.read), ("Geotrawl", 8));
        assert_eq!(to_hex(reader.hash), to_hex(Sha256::new_with_prefix(b"Geotrawl")));
    }

    #[test]
    fn buffers_are_used_again_unless_they_are_large_or_still_read() {
        let lanes = BodyPool::default();
        let spare = || lanes.spare.lock().unwrap().len();
        let mut body = lanes.buffer(1_000);
        body.extend_from_slice(&[7; 1_000]);
        let memory = body.as_ptr();
        lanes.recycle_buffer(body.freeze());
        let again = lanes.buffer(900);
        assert_eq!((again.len(), again.as_ptr()), (0, memory));
        let shared = again.freeze();
        let reader = shared.clone();
        lanes.recycle_buffer(shared);
        lanes.recycle_buffer(BytesMut::zeroed(SMALL + 1).freeze());
        assert_eq!(spare(), 0);
        drop(reader);
        for _ in 0..2 * SPARE {
            lanes.recycle_buffer(BytesMut::zeroed(10).freeze());
        }
        assert_eq!(spare(), SPARE);
    }
}
