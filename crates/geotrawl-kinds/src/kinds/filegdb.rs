//! Esri file geodatabase: a folder of tables, published as a ZIP archive.
//!
//! - **Specification**: none published; the layout is known from use.
//! - **Recognised by**: a ZIP archive with the entry `<name>.gdb/a00000001.gdbtable`, the table of
//!   tables.
//! - **Dataset**: each geodatabase in the archive; its layers are not listed, since that requires
//!   its tables.
//! - **False positives**: archives that only have a folder called `.gdb`.

use super::{DescriptionFormat, Kind, KindProfile, MetadataDepth};
use crate::files::{ArchiveView, FileExamination, MAX_DATASETS, combine_datasets};
use crate::formats::zip::ZipEntry;
use crate::kinds::kml::file_stem;
use crate::probe::Found;
use geotrawl_model::{Dataset, Resource};
use url::Url;

/// The `filegdb` kind.
pub struct FileGdbKind;

/// Kind id.
const ID: &str = "filegdb";
const MEDIA_TYPE: &str = "application/x-filegdb";
/// File name of the table of tables.
const FIRST_TABLE: &str = "a00000001.gdbtable";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "Esri file geodatabase",
    what: "A folder of tables with features and rasters, in a ZIP archive. Each geodatabase in it is a dataset.",
    specification: "https://www.loc.gov/preservation/digital/formats/fdd/fdd000294.shtml",
    evidence: "A ZIP archive whose directory lists a00000001.gdbtable in a folder.",
    false_positives: "Archives that only have a folder called .gdb.",
    description: DescriptionFormat::Types(&[
        "application/zip",
        "application/x-zip-compressed",
        "application/octet-stream",
        "application/x-filegdb",
    ]),
    metadata: MetadataDepth::Terse,
    has_extent: false,
    ..KindProfile::FILE
};

impl Kind for FileGdbKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn archive_extensions(&self) -> &'static [&'static str] {
        &[".gdbtable"]
    }

    fn examine_archive(&self, archive: &ArchiveView<'_>) -> Option<FileExamination> {
        let databases = databases(archive.entries);
        (!databases.is_empty()).then(|| FileExamination::proven_file(found(archive.url, &databases), ID))
    }
}

/// Returns the folders of the geodatabases in an archive.
fn databases(entries: &[ZipEntry]) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for entry in entries {
        if entry.file_name().eq_ignore_ascii_case(FIRST_TABLE) {
            let folder = entry.name.rsplit_once('/').map_or("", |(folder, _)| folder);
            if !found.contains(&folder) && found.len() < 1000 {
                found.push(folder);
            }
        }
    }
    found
}

/// Builds the resource of an archive with geodatabases.
fn found(url: &Url, databases: &[&str]) -> Found {
    let name = |folder: &str| {
        let base = folder.rsplit('/').next().unwrap_or(folder);
        let stem = base
            .len()
            .checked_sub(4)
            .and_then(|at| base.get(at..))
            .filter(|e| e.eq_ignore_ascii_case(".gdb"));
        let stem = stem.map_or(base, |_| &base[..base.len() - 4]);
        if stem.is_empty() { file_stem(url) } else { stem.to_owned() }
    };
    let datasets: Vec<Dataset> = databases
        .iter()
        .take(MAX_DATASETS)
        .map(|folder| Dataset { name: (*folder).to_owned(), title: Some(name(folder)), ..Dataset::default() })
        .collect();
    let title = match databases {
        [only] => name(only),
        _ => file_stem(url),
    };
    let resource = Resource {
        kind: ID.to_owned(),
        url: url.to_string(),
        title: Some(title).filter(|t| !t.is_empty()),
        formats: vec![MEDIA_TYPE.into()],
        dataset_count: databases.len() as u64,
        datasets,
        ..Resource::default()
    };
    combine_datasets(resource, format!("ZIP with {FIRST_TABLE}"))
}
