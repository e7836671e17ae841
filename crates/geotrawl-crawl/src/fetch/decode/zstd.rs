//! Decodes Zstandard frames block by block.
//!
//! The library decodes every block of its input in one call, and a block of four bytes may expand
//! to 128 KiB. Passing one block at a time keeps the output bounded.

use super::{DecodeError, DecodeStep};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::Read;

/// The largest window allowed in the `zstd` content encoding (RFC 9659).
const LARGEST_WINDOW: u64 = 8 << 20;
/// The longest frame header (RFC 8878): magic, descriptor, window, dictionary id and content size.
const LONGEST_HEADER: usize = 18;
const BLOCK_HEADER: usize = 3;
const LARGEST_BLOCK: usize = 128 * 1024;

/// Decoder state across all frames of a body.
pub(super) struct ZstdStream {
    decoder: FrameDecoder,
    at: ZstdPosition,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ZstdPosition {
    /// Before a frame, or after the last one.
    Frame,
    /// Inside a skippable frame, with the number of bytes left to skip.
    Skip(u64),
    /// Before a block; `checksum` tells whether the frame ends with one.
    Block { checksum: bool },
}

impl Default for ZstdStream {
    fn default() -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(LARGEST_WINDOW);
        Self { decoder, at: ZstdPosition::Frame }
    }
}

impl ZstdStream {
    pub fn is_between_frames(&self) -> bool {
        self.at == ZstdPosition::Frame && self.decoder.can_collect() == 0
    }

    pub fn decode_step(
        &mut self,
        input: &[u8],
        ended: bool,
        output: &mut [u8],
    ) -> Result<DecodeStep, DecodeError> {
        if self.decoder.can_collect() > 0 {
            let made = self.decoder.read(output).map_err(damaged)?;
            return Ok(DecodeStep { used: 0, made, finished: false });
        }
        match self.at {
            ZstdPosition::Skip(left) => {
                let used = usize::try_from(left).unwrap_or(usize::MAX).min(input.len());
                let left = left - used as u64;
                self.at = if left == 0 { ZstdPosition::Frame } else { ZstdPosition::Skip(left) };
                Ok(DecodeStep { used, made: 0, finished: false })
            }
            ZstdPosition::Frame => self.frame(input, ended),
            ZstdPosition::Block { checksum } => {
                let Some(length) = whole_block(input, checksum)? else { return Ok(DecodeStep::default()) };
                let mut block = &input[..length];
                let last = self
                    .decoder
                    .decode_blocks(&mut block, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(damaged)?;
                if last {
                    self.at = ZstdPosition::Frame;
                }
                let made = self.decoder.read(output).map_err(damaged)?;
                Ok(DecodeStep { used: length - block.len(), made, finished: false })
            }
        }
    }

    fn frame(&mut self, input: &[u8], ended: bool) -> Result<DecodeStep, DecodeError> {
        if input.is_empty() || (input.len() < LONGEST_HEADER && !ended) {
            return Ok(DecodeStep::default());
        }
        let mut header = &input[..input.len().min(LONGEST_HEADER)];
        let before = header.len();
        match self.decoder.reset(&mut header) {
            Ok(()) => {
                let checksum = input.get(4).is_some_and(|descriptor| descriptor & 0b100 != 0);
                self.at = ZstdPosition::Block { checksum };
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => self.at = ZstdPosition::Skip(u64::from(length)),
            Err(error) => return Err(damaged(error)),
        }
        Ok(DecodeStep { used: before - header.len(), made: 0, finished: false })
    }
}

/// Returns the length of the block at the start of `input` with its header, and with the checksum
/// after the last block of a frame. Returns `None` if the block is incomplete.
fn whole_block(input: &[u8], checksum: bool) -> Result<Option<usize>, DecodeError> {
    let &[a, b, c, ..] = input else { return Ok(None) };
    let header = u32::from_le_bytes([a, b, c, 0]);
    let size = (header >> 3) as usize;
    if size > LARGEST_BLOCK {
        return Err(DecodeError::Damaged(format!("zstd block of {size} bytes")));
    }
    // A run-length block holds only the byte that it repeats.
    let content = if (header >> 1) & 3 == 1 { 1 } else { size };
    let trailer = if checksum && header & 1 == 1 { 4 } else { 0 };
    let length = BLOCK_HEADER + content + trailer;
    Ok((input.len() >= length).then_some(length))
}

fn damaged(error: impl std::fmt::Display) -> DecodeError {
    DecodeError::Damaged(format!("zstd: {error}"))
}
