//! Dumps of the whole catalogue: records in parts, a manifest with checksums, and the difference
//! from an earlier dump.
//!
//! A dump is a folder: `records-00001.jsonl.gz` and so on hold the records, `ids.tsv.gz` holds the
//! id of each with the hash of its line, and `manifest.json` is written last. If an earlier dump is
//! given, there are also `added.jsonl.gz`, `changed.jsonl.gz` and `removed.tsv.gz`. Only one record
//! is held in memory at a time.

mod difference;
mod parts;
mod read;

pub use read::{DumpLine, OpenDump, open_dump};

use crate::{ExportError, RecordSource};
use difference::DiffBuilder;
use jiff::Timestamp;
use parts::{LineFiles, sha256};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// Value of `format` in a manifest.
pub const FORMAT: &str = "geotrawl-dump";
/// Version of the dump format. Readers refuse later versions.
pub const SCHEMA_VERSION: u32 = 1;
/// Name of the manifest.
pub const MANIFEST: &str = "manifest.json";

/// Manifest of a dump.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DumpManifest {
    pub format: String,
    pub schema_version: u32,
    pub created: Timestamp,
    /// Program and version.
    pub generator: String,
    /// Source of the catalogue: a URL or a name.
    pub instance: String,
    /// Sequence number of the last catalogue change included.
    pub sequence: i64,
    pub records: u64,
    pub datasets: u64,
    pub kinds: BTreeMap<String, u64>,
    pub files: Vec<DumpFile>,
    /// Ids and hashes of all records.
    pub ids: DumpFile,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<DumpDiff>,
}

/// A file of a dump.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DumpFile {
    pub name: String,
    /// Number of lines.
    pub records: u64,
    pub bytes: u64,
    /// SHA-256 of the compressed file, in hexadecimal.
    pub sha256: String,
}

/// Difference from an earlier dump.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DumpDiff {
    /// SHA-256 of the earlier dump's manifest.
    pub previous: String,
    pub previous_sequence: i64,
    pub added: DumpFile,
    pub changed: DumpFile,
    /// File with ids only.
    pub removed: DumpFile,
}

/// Options for writing a dump.
#[derive(Debug, Clone)]
pub struct DumpOptions<'a> {
    /// Folder without a dump.
    pub folder: &'a Path,
    pub instance: String,
    pub generator: String,
    pub sequence: i64,
    pub created: Timestamp,
    /// Folder or manifest of an earlier dump to compare with.
    pub since: Option<&'a Path>,
    /// Maximum number of records per file.
    pub records_per_file: u64,
}

/// Writes a dump.
pub fn write_dump(
    give: &mut RecordSource<'_>,
    options: &DumpOptions<'_>,
) -> Result<DumpManifest, ExportError> {
    let folder = options.folder;
    let place = folder.join(MANIFEST);
    if place.exists() {
        return Err(ExportError::Dump(format!(
            "{} already holds a dump; choose another folder",
            folder.display()
        )));
    }
    // Fail before writing anything if the earlier dump is unusable.
    let mut difference = match options.since {
        None => None,
        Some(previous) => Some(DiffBuilder::open_previous(&open_dump(previous)?, folder)?),
    };
    std::fs::create_dir_all(folder)?;
    let mut records = LineFiles::numbered_files(folder, "records", options.records_per_file);
    let mut ids = LineFiles::single_file(folder, "ids.tsv.gz");
    let mut manifest = DumpManifest {
        format: FORMAT.to_owned(),
        schema_version: SCHEMA_VERSION,
        created: options.created,
        generator: options.generator.clone(),
        instance: options.instance.clone(),
        sequence: options.sequence,
        ..DumpManifest::default()
    };
    let mut line = Vec::new();
    give(&mut |record| {
        line.clear();
        serde_json::to_writer(&mut line, record).map_err(std::io::Error::from)?;
        line.push(b'\n');
        let hash = sha256(&line);
        records.add_line(&line)?;
        ids.add_line(format!("{}\t{hash}\n", record.id).as_bytes())?;
        if let Some(difference) = &mut difference {
            difference.compare_record(&record.id, &hash, &line)?;
        }
        manifest.records += 1;
        manifest.datasets += record.resource.dataset_count;
        *manifest.kinds.entry(record.resource.kind.clone()).or_default() += 1;
        Ok(())
    })?;
    manifest.files = records.finish()?;
    manifest.ids = ids.finish_single()?;
    manifest.diff = difference.map(DiffBuilder::finish).transpose()?;
    // The manifest comes last and is renamed into place: a folder without one is not a dump.
    let aside = folder.join("manifest.json.part");
    let mut file = File::create(&aside)?;
    serde_json::to_writer_pretty(&mut file, &manifest).map_err(std::io::Error::from)?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    std::fs::rename(&aside, &place)?;
    Ok(manifest)
}

#[cfg(test)]
mod tests;
