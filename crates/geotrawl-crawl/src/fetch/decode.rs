//! Streaming content decoding: gzip, deflate, br and zstd, at most two encodings nested.
//!
//! Each step turns a bounded piece of input into a bounded piece of output. The body reader checks
//! its limits between steps, so no input can make a codec use unbounded memory. All decoders are
//! safe Rust.

use bytes::{Bytes, BytesMut};
use flate2::{Decompress, FlushDecompress, Status};
use std::panic::{AssertUnwindSafe, catch_unwind};

mod brotli;
mod zstd;

/// Most bytes that one step produces.
const PIECE: usize = 32 * 1024;
/// A gzip body may have this many members, plus one per KiB,
/// because each member costs a new decoder.
const FREE_MEMBERS: u64 = 16;

/// Why a compressed body cannot be decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    #[error("The compressed response is damaged ({0})")]
    Damaged(String),
    #[error("The compressed response ends too early")]
    Unfinished,
    #[error("The response is compressed {0} times, more than is supported")]
    TooDeep(usize),
}

/// Decodes the `Content-Encoding` of one body.
pub(super) struct BodyDecoder {
    /// In decoding order: the encoding that was applied last comes first.
    layers: Vec<DecoderLayer>,
    scratch: Box<[u8]>,
    /// Compressed bytes consumed so far.
    consumed: u64,
}

struct DecoderLayer {
    codec: ContentCodec,
    /// Input that is not consumed yet.
    input: Bytes,
    /// No input will follow.
    ended: bool,
    /// The codec has reached the end of its data; further input is ignored.
    finished: bool,
}

enum ContentCodec {
    /// Labelled gzip; the first bytes have not been seen yet.
    Gzip,
    Deflate,
    /// Labelled as compressed, but is not. Some servers send this.
    Plain,
    Inflate {
        state: Box<Decompress>,
        gzip: bool,
        members: u64,
        total_in: u64,
    },
    Brotli(Box<brotli::BrotliStream>),
    Zstd(Box<zstd::ZstdStream>),
}

/// The result of one step.
#[derive(Debug, Default, Clone, Copy)]
struct DecodeStep {
    used: usize,
    made: usize,
    /// End of the compressed data.
    finished: bool,
}

impl BodyDecoder {
    /// Creates a decoder for this `Content-Encoding` (all header lines joined by commas). Returns
    /// `None` if there is nothing to decode. Ignores names that are no compression; some servers
    /// send `utf-8`.
    pub fn for_encoding(encoding: &str) -> Result<Option<Self>, DecodeError> {
        let mut layers = Vec::new();
        for name in encoding.split(',').rev() {
            let name = name.trim();
            let codec = if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") {
                ContentCodec::Gzip
            } else if name.eq_ignore_ascii_case("deflate") {
                ContentCodec::Deflate
            } else if name.eq_ignore_ascii_case("br") {
                ContentCodec::Brotli(Box::default())
            } else if name.eq_ignore_ascii_case("zstd") {
                ContentCodec::Zstd(Box::default())
            } else {
                continue;
            };
            layers.push(DecoderLayer { codec, input: Bytes::new(), ended: false, finished: false });
        }
        match layers.len() {
            0 => Ok(None),
            1 | 2 => Ok(Some(Self { layers, scratch: vec![0; PIECE].into_boxed_slice(), consumed: 0 })),
            depth => Err(DecodeError::TooDeep(depth)),
        }
    }

    /// Adds compressed input.
    pub fn push_input(&mut self, data: Bytes) {
        if let Some(outer) = self.layers.first_mut() {
            outer.push(data);
        }
    }

    /// Marks the end of the input.
    pub fn finish_input(&mut self) {
        if let Some(outer) = self.layers.first_mut() {
            outer.ended = true;
        }
    }

    /// Returns the number of compressed bytes consumed so far.
    pub fn consumed_bytes(&self) -> u64 {
        self.consumed
    }

    /// Whether the compressed data is complete. Bytes may still follow it.
    pub fn is_finished(&self) -> bool {
        self.layers.last().is_some_and(|layer| layer.finished)
    }

    /// Returns the next piece, or `None` if more input is needed. After [`Self::finish_input`],
    /// `None` means that everything is decoded.
    pub fn pull_piece(&mut self) -> Result<Option<Bytes>, DecodeError> {
        self.pull_from(self.layers.len() - 1)
    }

    fn pull_from(&mut self, index: usize) -> Result<Option<Bytes>, DecodeError> {
        loop {
            let layer = &mut self.layers[index];
            if layer.finished {
                layer.input = Bytes::new();
                return Ok(None);
            }
            let step = layer.step(&mut self.scratch)?;
            if index == 0 {
                self.consumed += step.used as u64;
            }
            if step.made > 0 {
                return Ok(Some(Bytes::copy_from_slice(&self.scratch[..step.made])));
            }
            if step.used > 0 || step.finished {
                continue;
            }
            // No progress: get more input from the layer below, if there is any.
            if layer.ended {
                return if layer.is_untouched() { Ok(None) } else { Err(DecodeError::Unfinished) };
            }
            if index == 0 {
                return Ok(None);
            }
            match self.pull_from(index - 1)? {
                Some(data) => self.layers[index].push(data),
                None if self.layers[index - 1].ended || self.layers[index - 1].finished => {
                    self.layers[index].ended = true;
                }
                None => return Ok(None),
            }
        }
    }
}

impl DecoderLayer {
    fn push(&mut self, data: Bytes) {
        if self.finished {
        } else if self.input.is_empty() {
            self.input = data;
        } else {
            // Up to 128 KiB may be left over until a whole zstd block has arrived. Reuse the buffer
            // and let it grow by doubling: a body that arrives byte by byte would otherwise take
            // quadratic time.
            let mut joined = std::mem::take(&mut self.input).try_into_mut().unwrap_or_else(BytesMut::from);
            joined.extend_from_slice(&data);
            self.input = joined.freeze();
        }
    }

    /// Whether no input was seen. An empty body is valid under any encoding.
    fn is_untouched(&self) -> bool {
        self.input.is_empty()
            && match &self.codec {
                ContentCodec::Gzip | ContentCodec::Deflate | ContentCodec::Plain => true,
                ContentCodec::Inflate { .. } => false,
                ContentCodec::Brotli(state) => state.is_untouched(),
                ContentCodec::Zstd(state) => state.is_between_frames(),
            }
    }

    fn step(&mut self, output: &mut [u8]) -> Result<DecodeStep, DecodeError> {
        if matches!(self.codec, ContentCodec::Gzip | ContentCodec::Deflate) && !self.recognise() {
            return Ok(DecodeStep::default());
        }
        let input = &self.input;
        let ended = self.ended;
        let step = match &mut self.codec {
            ContentCodec::Gzip | ContentCodec::Deflate => DecodeStep::default(),
            ContentCodec::Plain => {
                let count = input.len().min(output.len());
                output[..count].copy_from_slice(&input[..count]);
                DecodeStep { used: count, made: count, finished: false }
            }
            ContentCodec::Inflate { state, gzip, members, total_in } => {
                inflate(state, *gzip, members, total_in, input, ended, output)?
            }
            ContentCodec::Brotli(state) => guarded(|| state.decode_step(input, output))?,
            ContentCodec::Zstd(state) => guarded(|| state.decode_step(input, ended, output))?,
        };
        bytes::Buf::advance(&mut self.input, step.used);
        self.finished |= step.finished;
        Ok(step)
    }

    /// Detects the format of a body labelled gzip or deflate.
    /// Returns `false` if it needs more bytes.
    fn recognise(&mut self) -> bool {
        let (first, second) = match (self.input.first(), self.input.get(1)) {
            (Some(first), Some(second)) => (*first, *second),
            (Some(first), None) if self.ended => (*first, 0),
            _ => return false,
        };
        let inflate =
            |state, gzip| ContentCodec::Inflate { state: Box::new(state), gzip, members: 1, total_in: 0 };
        self.codec = match self.codec {
            ContentCodec::Gzip if (first, second) == (0x1f, 0x8b) => inflate(Decompress::new_gzip(15), true),
            ContentCodec::Gzip => ContentCodec::Plain,
            // `deflate` means zlib (RFC 9110), but some servers send raw deflate data. The zlib
            // header has a checksum, which tells them apart.
            _ => {
                let zlib = first & 0x0f == 8
                    && first >> 4 <= 7
                    && (u32::from(first) * 256 + u32::from(second)).is_multiple_of(31);
                inflate(Decompress::new(zlib), false)
            }
        };
        true
    }
}

fn inflate(
    state: &mut Decompress,
    gzip: bool,
    members: &mut u64,
    total_in: &mut u64,
    input: &[u8],
    ended: bool,
    output: &mut [u8],
) -> Result<DecodeStep, DecodeError> {
    let (before_in, before_out) = (state.total_in(), state.total_out());
    let status = state
        .decompress(input, output, FlushDecompress::None)
        .map_err(|error| DecodeError::Damaged(error.to_string()))?;
    let used = (state.total_in() - before_in) as usize;
    let made = (state.total_out() - before_out) as usize;
    *total_in += used as u64;
    let mut step = DecodeStep { used, made, finished: false };
    if status == Status::StreamEnd {
        let rest = &input[used..];
        if !gzip {
            step.finished = true;
        } else if rest.starts_with(&[0x1f, 0x8b]) {
            *members += 1;
            if *members > FREE_MEMBERS + *total_in / 1024 {
                return Err(DecodeError::Damaged(format!("{members} gzip members in {total_in} bytes")));
            }
            *state = Decompress::new_gzip(15);
        } else if rest.len() >= 2 || ended {
            // Bytes after the last member (padding, garbage) are not content.
            step.finished = true;
        }
        // Otherwise another member may start with the next bytes. The finished decompressor reports
        // the end of its stream again when they arrive.
    }
    Ok(step)
}

/// Runs a third-party decoder on untrusted bytes. A panic counts as damaged data, so that one body
/// cannot end the crawl.
fn guarded(step: impl FnOnce() -> Result<DecodeStep, DecodeError>) -> Result<DecodeStep, DecodeError> {
    catch_unwind(AssertUnwindSafe(step))
        .unwrap_or_else(|_panic| Err(DecodeError::Damaged("the decoder panicked".to_owned())))
}

#[cfg(test)]
mod tests;
