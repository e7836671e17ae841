//! Decodes brotli streams step by step.

use super::{DecodeError, DecodeStep};
use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

/// Decoder state. The window is at most 16 MiB and grows with the content.
pub(super) struct BrotliStream {
    inner: BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>,
    total_out: usize,
    touched: bool,
}

impl Default for BrotliStream {
    fn default() -> Self {
        // Strict mode: the "large window" extension (up to 1 GiB) is not part of the `br` encoding.
        let inner = BrotliState::new_strict(
            StandardAlloc::default(),
            StandardAlloc::default(),
            StandardAlloc::default(),
        );
        Self { inner, total_out: 0, touched: false }
    }
}

impl BrotliStream {
    pub fn is_untouched(&self) -> bool {
        !self.touched
    }

    pub fn decode_step(&mut self, input: &[u8], output: &mut [u8]) -> Result<DecodeStep, DecodeError> {
        let (mut available_in, mut used) = (input.len(), 0);
        let (mut available_out, mut made) = (output.len(), 0);
        self.touched |= !input.is_empty();
        let result = BrotliDecompressStream(
            &mut available_in,
            &mut used,
            input,
            &mut available_out,
            &mut made,
            output,
            &mut self.total_out,
            &mut self.inner,
        );
        match result {
            BrotliResult::ResultFailure => {
                Err(DecodeError::Damaged(format!("brotli: {:?}", self.inner.error_code)))
            }
            result => Ok(DecodeStep { used, made, finished: matches!(result, BrotliResult::ResultSuccess) }),
        }
    }
}
