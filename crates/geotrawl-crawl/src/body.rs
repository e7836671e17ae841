//! Bodies on their way from the network to the parsers, within a fixed share of memory.

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

/// Most pages fit in this; it needs no permit.
const SMALL: usize = 256 * 1024;
/// What is larger than this is read as a stream, or cut when its reader cannot stream.
const LARGE: usize = 8 * 1024 * 1024;
/// What is looked at to tell what a body is.
const SNIFFED: usize = 16 * 1024;

/// Most buffers kept for bodies to come.
const SPARE: usize = 64;

/// Permits for bodies that are more than small, so that a thousand hostile servers cannot fill the memory.
#[derive(Clone)]
pub struct BodyPool {
    /// Buffers of small bodies that were read: fresh memory has to be cleared by the system.
    spare: Arc<Mutex<Vec<BytesMut>>>,
    /// Bodies between [`SMALL`] and [`LARGE`] held at once.
    large: Arc<Semaphore>,
    /// Documents streamed at once: each may build a large record.
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
    /// A buffer with so much room, from a body that is done with if there is one.
    fn buffer(&self, room: usize) -> BytesMut {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut buffer = spare.unwrap_or_default();
        buffer.reserve(room);
        buffer
    }

    /// Takes back the memory of a body that nobody needs any more; an unusually large one goes.
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

/// A body as it came.
pub enum ReceivedBody {
    /// All of it, or its beginning and why no more came.
    Whole { bytes: Bytes, cut: Option<FetchError>, permit: Option<OwnedSemaphorePermit> },
    /// The beginning of a document that its reader takes as a stream.
    Large { start: Bytes, rest: Box<BodyReader> },
    /// Nothing of use came.
    Failed(FetchError),
}

/// Reads a body: small ones whole, larger ones with a permit, very large XML as a stream. `expected` is
/// what the server says of its length: believed only as far as it costs little.
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
            let message = format!("More than {} MB came; the rest was left", LARGE >> 20);
            let cut = Some(FetchError::lasting(FailureClass::TooLarge, message));
            return ReceivedBody::Whole { bytes: bytes.freeze(), cut, permit };
        }
        match body.next_chunk().await {
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => return ReceivedBody::Whole { bytes: bytes.freeze(), cut: None, permit },
            // A document cut short still tells what it tells; a bomb or nothing at all is a failure.
            Err(failure) if bytes.is_empty() || failure.class == FailureClass::Bomb => {
                return ReceivedBody::Failed(failure);
            }
            Err(failure) => return ReceivedBody::Whole { bytes: bytes.freeze(), cut: Some(failure), permit },
        }
    }
}

/// What came of a streamed document.
pub struct ProbedStream {
    pub probe: Probe,
    pub head: ResponseHead,
    pub step: ProbeStep,
    pub hash: Sha256,
    pub bytes: u64,
}

/// Feeds a very large document to its probe while it arrives.
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

/// Gives a very large document to a reader, on a thread of its own, while it arrives.
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
        // A reader that has seen enough hangs up, and so do we.
        if chunks.send(chunk).await.is_err() {
            break;
        }
        next = rest.next_chunk().await.ok().flatten();
    }
    drop(chunks);
    reading.await.ok()
}

/// A [`Read`] over chunks that arrive from elsewhere; hashes what passes. Blocks: not for the runtime.
pub struct ChunkReader {
    chunks: Receiver<Bytes>,
    current: Bytes,
    hash: Sha256,
    read: u64,
}

impl ChunkReader {
    /// The hash of what was read, and how much it was.
    pub fn hash_and_length(&self) -> (Sha256, u64) {
        (self.hash.clone(), self.read)
    }
}

/// Both ends of a bounded pipe of chunks.
fn pipe() -> (Sender<Bytes>, ChunkReader) {
    let (sender, chunks) = channel(16);
    (sender, ChunkReader { chunks, current: Bytes::new(), hash: Sha256::new(), read: 0 })
}

impl Read for ChunkReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.current.is_empty() {
            match self.chunks.blocking_recv() {
                Some(chunk) => self.current = chunk,
                // The sender is gone: the end of the body.
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
