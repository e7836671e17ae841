//! Reads dumps and record files from any source: limited in size, checked, line by line.

use super::parts::sha256;
use super::{DumpFile, DumpManifest, FORMAT, MANIFEST, SCHEMA_VERSION};
use crate::ExportError;
use data_encoding::HEXLOWER;
use flate2::read::MultiGzDecoder;
use geotrawl_model::Record;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Maximum length of a line, enough for a service with a million layers.
const LONGEST: u64 = 512 << 20;
/// Maximum length of a manifest.
const LONGEST_MANIFEST: u64 = 16 << 20;

/// A line of a dump.
#[derive(Debug)]
pub enum DumpLine {
    /// A record as claimed by the source, with the hash of its line.
    Record(Box<Record>, String),
    /// A line that is not a valid record, and why.
    Unreadable(String),
}

/// An opened dump or record file.
#[derive(Debug)]
pub struct OpenDump {
    /// `None` for a record file.
    pub manifest: Option<DumpManifest>,
    pub(super) manifest_sha256: String,
    folder: PathBuf,
    /// Record files, in order.
    files: Vec<String>,
}

/// Opens a dump (its folder or manifest) or a record file (`.jsonl`, `.jsonl.gz`).
pub fn open_dump(path: &Path) -> Result<OpenDump, ExportError> {
    let fail = |what: &str| ExportError::Dump(format!("{}: {what}", path.display()));
    let is_manifest = !path.is_dir() && path.file_name().is_some_and(|name| name == MANIFEST);
    if !path.is_dir() && !is_manifest {
        let name = path.file_name().and_then(|name| name.to_str()).ok_or_else(|| fail("has no name"))?;
        if !path.is_file() {
            return Err(fail("no such file or folder"));
        }
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        return Ok(OpenDump {
            manifest: None,
            manifest_sha256: String::new(),
            folder,
            files: vec![name.to_owned()],
        });
    }
    let place = if is_manifest { path.to_owned() } else { path.join(MANIFEST) };
    let folder = place.parent().unwrap_or(Path::new("")).to_owned();
    let file = File::open(&place).map_err(|error| fail(&format!("cannot read its {MANIFEST}: {error}")))?;
    let mut text = Vec::new();
    file.take(LONGEST_MANIFEST).read_to_end(&mut text)?;
    let manifest: DumpManifest = serde_json::from_slice(&text)
        .map_err(|error| fail(&format!("{MANIFEST} is not the manifest of a Geotrawl dump: {error}")))?;
    if manifest.format != FORMAT {
        return Err(fail(&format!("{MANIFEST} is not the manifest of a Geotrawl dump")));
    }
    if manifest.schema_version > SCHEMA_VERSION {
        let version = manifest.schema_version;
        return Err(fail(&format!(
            "the dump has format version {version}; this program reads up to {SCHEMA_VERSION}"
        )));
    }
    let mut named: Vec<&DumpFile> = manifest.files.iter().collect();
    named.push(&manifest.ids);
    if let Some(diff) = &manifest.diff {
        named.extend([&diff.added, &diff.changed, &diff.removed]);
    }
    // File names must not lead out of the folder.
    let plain = |name: &str| {
        !name.is_empty()
            && !name.starts_with('.')
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
    };
    if let Some(odd) = named.iter().find(|file| !plain(&file.name)) {
        return Err(fail(&format!(
            "{MANIFEST} contains the invalid file name '{}'",
            odd.name.escape_debug()
        )));
    }
    let files = manifest.files.iter().map(|file| file.name.clone()).collect();
    let manifest_sha256 = sha256(&text);
    Ok(OpenDump { manifest: Some(manifest), manifest_sha256, folder, files })
}

impl OpenDump {
    /// Restricts reading to what differs from the earlier dump.
    pub fn only_differences(mut self) -> Result<Self, ExportError> {
        let diff = self.manifest.as_ref().and_then(|manifest| manifest.diff.as_ref());
        let diff = diff.ok_or_else(|| {
            ExportError::Dump("this dump has no differences from an earlier one".to_owned())
        })?;
        self.files = vec![diff.added.name.clone(), diff.changed.name.clone()];
        Ok(self)
    }

    /// Verifies the checksums of all files that will be read. A record file has none.
    pub fn verify_checksums(&self) -> Result<(), ExportError> {
        let Some(manifest) = &self.manifest else { return Ok(()) };
        let diff = manifest.diff.iter().flat_map(|diff| [&diff.added, &diff.changed]);
        for file in manifest.files.iter().chain(diff).filter(|file| self.files.contains(&file.name)) {
            self.verify_file(file)?;
        }
        Ok(())
    }

    fn verify_file(&self, file: &DumpFile) -> Result<(), ExportError> {
        let path = self.folder.join(&file.name);
        let fail = |what: String| ExportError::Dump(format!("{}: {what}", path.display()));
        let mut input = File::open(&path).map_err(|error| fail(error.to_string()))?;
        let (mut hash, mut bytes, mut piece) = (Sha256::new(), 0, vec![0; 64 << 10]);
        loop {
            let read = input.read(&mut piece)?;
            if read == 0 {
                break;
            }
            bytes += read as u64;
            hash.update(piece.get(..read).unwrap_or_default());
        }
        if bytes != file.bytes || HEXLOWER.encode(&hash.finalize()) != file.sha256.to_ascii_lowercase() {
            return Err(fail(
                "checksum mismatch: the file differs from the manifest; download the dump again".to_owned(),
            ));
        }
        Ok(())
    }

    fn open_lines(&self, name: &str) -> Result<Box<dyn BufRead>, ExportError> {
        let path = self.folder.join(name);
        let file =
            File::open(&path).map_err(|error| ExportError::Dump(format!("{}: {error}", path.display())))?;
        Ok(if Path::new(name).extension().is_some_and(|end| end.eq_ignore_ascii_case("gz")) {
            Box::new(BufReader::with_capacity(64 << 10, MultiGzDecoder::new(file)))
        } else {
            Box::new(BufReader::with_capacity(64 << 10, file))
        })
    }

    /// Passes every record to `take`, one at a time.
    pub fn read_records(
        &self,
        take: &mut dyn FnMut(DumpLine) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        for name in &self.files {
            let mut input = self.open_lines(name)?;
            let (mut line, mut number) = (Vec::new(), 0_u64);
            while let Some(whole) = next_line(&mut *input, &mut line)? {
                number += 1;
                if whole && line.iter().all(u8::is_ascii_whitespace) {
                    continue;
                }
                take(if whole {
                    match serde_json::from_slice::<Record>(&line) {
                        Ok(record) => DumpLine::Record(Box::new(record), sha256(&line)),
                        Err(error) => DumpLine::Unreadable(format!("{name}, line {number}: {error}")),
                    }
                } else {
                    DumpLine::Unreadable(format!("{name}, line {number}: longer than {LONGEST} bytes"))
                })?;
            }
        }
        Ok(())
    }

    /// Passes id and hash of every record to `take`, as listed in the dump.
    pub(super) fn read_ids(
        &self,
        take: &mut dyn FnMut(&str, &str) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let Some(manifest) = &self.manifest else { return Ok(()) };
        self.verify_file(&manifest.ids)?;
        let mut input = self.open_lines(&manifest.ids.name)?;
        let mut line = Vec::new();
        while let Some(whole) = next_line(&mut *input, &mut line)? {
            let pair = std::str::from_utf8(&line).ok().and_then(|line| line.trim_end().split_once('\t'));
            match pair {
                Some((id, hash)) if whole => take(id, hash)?,
                _ => return Err(ExportError::Dump(format!("{} is damaged", manifest.ids.name))),
            }
        }
        Ok(())
    }
}

/// Reads a line into `line`. Returns `Some(false)` if it was too long and was skipped, `None` at
/// the end.
fn next_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    if Read::take(&mut *input, LONGEST).read_until(b'\n', line)? == 0 {
        return Ok(None);
    }
    if line.ends_with(b"\n") || (line.len() as u64) < LONGEST {
        return Ok(Some(true));
    }
    line.clear();
    loop {
        let held = input.fill_buf()?;
        if held.is_empty() {
            return Ok(Some(false));
        }
        let end = held.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(held.len(), |at| at + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(Some(false));
        }
    }
}
