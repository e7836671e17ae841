//! Content decoding as a stream: gzip, deflate, br and zstd, at most two on top of each other.
//!
//! Every step turns a bounded piece of input into a bounded piece of output, so that the caps of the
//! body reader are looked at before the next step: no codec can run away with memory, whatever it is
//! fed. All decoders are safe Rust.

use bytes::{Bytes, BytesMut};
use flate2::{Decompress, FlushDecompress, Status};
use std::panic::{AssertUnwindSafe, catch_unwind};

mod brotli;
mod zstd;

/// Most bytes that one step gives.
const PIECE: usize = 32 * 1024;
/// A gzip body may have this many members for free, and one more per KiB: each costs a decoder.
const FREE_MEMBERS: u64 = 16;

/// What is wrong with a compressed body, in words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    #[error("The compressed answer is damaged ({0})")]
    Damaged(String),
    #[error("The compressed answer ends in the middle")]
    Unfinished,
    #[error("The answer is compressed {0} times over")]
    TooDeep(usize),
}

/// Undoes the `Content-Encoding` of one body.
pub(super) struct BodyDecoder {
    /// In the order of undoing: the last encoding applied comes first.
    layers: Vec<DecoderLayer>,
    scratch: Box<[u8]>,
    /// Compressed bytes that have been used so far.
    consumed: u64,
}

struct DecoderLayer {
    codec: ContentCodec,
    /// Not yet used.
    input: Bytes,
    /// Nothing will come after `input`.
    ended: bool,
    /// The codec has reached the end of its data: the rest is ignored.
    finished: bool,
}

enum ContentCodec {
    /// Not yet known what it really is.
    Gzip,
    Deflate,
    /// Labelled as compressed, but is not: servers do that.
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

/// What one step did.
#[derive(Debug, Default, Clone, Copy)]
struct DecodeStep {
    used: usize,
    made: usize,
    /// End of the compressed data.
    finished: bool,
}

impl BodyDecoder {
    /// A decoder for this `Content-Encoding` (all header lines joined by commas); `None` when there is
    /// nothing to undo. Names that are no compression (`utf-8` is seen in the wild) are passed over.
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

    /// Gives the next compressed bytes.
    pub fn push_input(&mut self, data: Bytes) {
        if let Some(outer) = self.layers.first_mut() {
            outer.push(data);
        }
    }

    /// Says that no more will come.
    pub fn finish_input(&mut self) {
        if let Some(outer) = self.layers.first_mut() {
            outer.ended = true;
        }
    }

    /// Compressed bytes used so far.
    pub fn consumed_bytes(&self) -> u64 {
        self.consumed
    }

    /// The compressed data is complete, whatever may still follow it.
    pub fn is_finished(&self) -> bool {
        self.layers.last().is_some_and(|layer| layer.finished)
    }

    /// The next piece, or `None` when more input is needed (after [`Self::end`]: when all is done).
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
            // No progress: more input, if there is any.
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
            // A few bytes are left over, up to 128 KiB before a whole zstd block is there. The buffer is
            // taken back and grows by doubling, so that a body in pieces of one byte is not quadratic.
            let mut joined = std::mem::take(&mut self.input).try_into_mut().unwrap_or_else(BytesMut::from);
            joined.extend_from_slice(&data);
            self.input = joined.freeze();
        }
    }

    /// An empty body is a valid nothing, whatever its label.
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

    /// Looks at the first bytes of a body labelled gzip or deflate. `false`: too few yet.
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
            // RFC 9110 means zlib by `deflate`; some send the bare stream. The zlib header has a checksum.
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
            // What follows the last member (padding, rubbish) is not content.
            step.finished = true;
        }
        // Else: a further member may begin with the next bytes; the finished stream waits and says
        // the same again.
    }
    Ok(step)
}

/// Foreign decoders over strangers' bytes: should one panic, that is the body's fault, and the crawl
/// goes on.
fn guarded(step: impl FnOnce() -> Result<DecodeStep, DecodeError>) -> Result<DecodeStep, DecodeError> {
    catch_unwind(AssertUnwindSafe(step))
        .unwrap_or_else(|_panic| Err(DecodeError::Damaged("the decoder gave up".to_owned())))
}

#[cfg(test)]
mod tests;
