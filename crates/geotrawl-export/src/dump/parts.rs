//! Compressed files of lines, with checksums.

use super::DumpFile;
use crate::ExportError;
use data_encoding::HEXLOWER;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Returns the hash of bytes in hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// Counts and hashes the bytes written.
struct HashingWriter {
    to: BufWriter<File>,
    bytes: u64,
    hash: Sha256,
}

impl Write for HashingWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        let passed = bytes.get(..written).unwrap_or_default();
        self.hash.update(passed);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// A file being written.
struct LineFile {
    name: String,
    lines: u64,
    out: GzEncoder<HashingWriter>,
}

impl LineFile {
    fn begin(folder: &Path, name: String) -> io::Result<Self> {
        let to = BufWriter::new(File::create(folder.join(&name))?);
        let out = GzEncoder::new(HashingWriter { to, bytes: 0, hash: Sha256::new() }, Compression::default());
        Ok(Self { name, lines: 0, out })
    }

    fn end(self) -> io::Result<DumpFile> {
        let HashingWriter { to, bytes, hash } = self.out.finish()?;
        to.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        Ok(DumpFile {
            name: self.name,
            records: self.lines,
            bytes,
            sha256: HEXLOWER.encode(&hash.finalize()),
        })
    }
}

/// Writes lines to one file, or to several numbered files with a maximum number of lines each.
pub(super) struct LineFiles {
    folder: PathBuf,
    name: FileNaming,
    lines_per_file: u64,
    open: Option<LineFile>,
    done: Vec<DumpFile>,
}

enum FileNaming {
    Numbered(&'static str),
    Only(&'static str),
}

impl LineFiles {
    /// Creates numbered files: `records-00001.jsonl.gz` and so on.
    pub(super) fn numbered_files(folder: &Path, stem: &'static str, lines_per_file: u64) -> Self {
        let name = FileNaming::Numbered(stem);
        Self {
            folder: folder.to_owned(),
            name,
            lines_per_file: lines_per_file.max(1),
            open: None,
            done: Vec::new(),
        }
    }

    /// Creates a single file.
    pub(super) fn single_file(folder: &Path, name: &'static str) -> Self {
        let name = FileNaming::Only(name);
        Self { folder: folder.to_owned(), name, lines_per_file: u64::MAX, open: None, done: Vec::new() }
    }

    fn current_file(&mut self) -> Result<&mut LineFile, ExportError> {
        if let Some(full) = self.open.take_if(|part| part.lines >= self.lines_per_file) {
            self.done.push(full.end()?);
        }
        if self.open.is_none() {
            let name = match self.name {
                FileNaming::Numbered(stem) => format!("{stem}-{:05}.jsonl.gz", self.done.len() + 1),
                FileNaming::Only(name) => name.to_owned(),
            };
            self.open = Some(LineFile::begin(&self.folder, name)?);
        }
        self.open.as_mut().ok_or_else(|| ExportError::Dump("no file is open".to_owned()))
    }

    /// Adds a line, including its line end.
    pub(super) fn add_line(&mut self, line: &[u8]) -> Result<(), ExportError> {
        let part = self.current_file()?;
        part.out.write_all(line)?;
        part.lines += 1;
        Ok(())
    }

    /// Returns the files after flushing them to disk.
    pub(super) fn finish(mut self) -> Result<Vec<DumpFile>, ExportError> {
        // Create a file even if there are no records.
        self.current_file()?;
        let last = self.open.take().map(LineFile::end).transpose()?;
        self.done.extend(last);
        Ok(self.done)
    }

    /// Returns the only file.
    pub(super) fn finish_single(self) -> Result<DumpFile, ExportError> {
        Ok(self.finish()?.pop().unwrap_or_default())
    }
}
