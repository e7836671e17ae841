//! A file as a list of segments, most of them zeros: gigabytes that use no memory.

use bytes::Bytes;

/// A segment of a file.
#[derive(Debug, Clone)]
pub(crate) enum FileSegment {
    Data(Bytes),
    Zeros(u64),
}

impl FileSegment {
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Data(bytes) => bytes.len() as u64,
            Self::Zeros(n) => *n,
        }
    }
}

/// A file whose bytes are generated on request.
#[derive(Debug, Clone, Default)]
pub(crate) struct SparseFile {
    segments: Vec<FileSegment>,
    len: u64,
}

static ZEROS: [u8; 65_536] = [0; 65_536];

impl SparseFile {
    pub(crate) fn new(segments: Vec<FileSegment>) -> Self {
        let len = segments.iter().map(FileSegment::len).sum();
        Self { segments, len }
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Returns up to 64 KiB from `offset`; empty at the end of the file.
    pub(crate) fn chunk(&self, offset: u64) -> Bytes {
        let mut start = 0;
        for segment in &self.segments {
            let end = start + segment.len();
            if offset < end {
                let within = offset - start;
                return match segment {
                    FileSegment::Data(bytes) => {
                        let from = within as usize;
                        bytes.slice(from..bytes.len().min(from + ZEROS.len()))
                    }
                    FileSegment::Zeros(n) => {
                        Bytes::from_static(&ZEROS[..(n - within).min(ZEROS.len() as u64) as usize])
                    }
                };
            }
            start = end;
        }
        Bytes::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_join_to_the_whole() {
        let file = SparseFile::new(vec![
            FileSegment::Data(Bytes::from_static(b"head")),
            FileSegment::Zeros(100_000),
            FileSegment::Data(Bytes::from_static(b"tail")),
        ]);
        let mut all = Vec::new();
        while (all.len() as u64) < file.len() {
            all.extend_from_slice(&file.chunk(all.len() as u64));
        }
        assert_eq!(all.len(), 100_008);
        assert!(all.starts_with(b"head\0") && all.ends_with(b"\0tail"));
        assert!(file.chunk(100_008).is_empty());
    }
}
