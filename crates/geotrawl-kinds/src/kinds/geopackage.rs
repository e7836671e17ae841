//! GeoPackage: layers of features and tiles in one SQLite file.
//!
//! - **Specification**: OGC GeoPackage 1.0 to 1.4 (12-128).
//! - **Recognised by**: an SQLite file with the application id `GPKG`, `GP10` or `GP11` or without
//!   one, and a table `gpkg_contents`.
//! - **Dataset**: each row of `gpkg_contents` is a dataset.
//! - **Extent**: from that row, in the coordinate system described in `gpkg_spatial_ref_sys`.
//! - **False positives**: SQLite files of other programs, including SpatiaLite databases.

use super::{CorpusLabel, DescriptionFormat, Kind, KindProfile, MetadataDepth};
use crate::files::{FileExamination, FileView, MAX_ABSTRACT, MAX_DATASETS, MAX_TITLE};
use crate::files::{combine_datasets, examine_database, locate_extent};
use crate::formats::crs::CrsRef;
use crate::formats::sqlite::{SqliteFile, SqliteRow, SqliteValue, TableSchema};
use crate::formats::xml::tidy_text;
use crate::kinds::kml::file_stem;
use geotrawl_model::{Dataset, Issue, Resource, SharedText};
use std::collections::HashMap;

/// The `geopackage` kind.
pub struct GeoPackageKind;

/// Kind id.
pub const ID: &str = "geopackage";
const MEDIA_TYPE: &str = "application/geopackage+sqlite3";
/// Maximum number of coordinate systems looked up by id.
const MAX_USED: usize = 100;
/// Maximum number of coordinate systems read; real files have three to a few thousand.
const MAX_SYSTEMS: usize = 10_000;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "GeoPackage",
    what: "Layers of features and tiles in one SQLite file. Each row of its table of contents is a dataset.",
    specification: "https://www.geopackage.org/spec/",
    evidence: "An SQLite file whose schema has the table gpkg_contents; the application id GPKG, GP10 or GP11 indicates the version.",
    false_positives: "SQLite files of other programs, including SpatiaLite databases.",
    description: DescriptionFormat::Types(&[
        "application/geopackage+sqlite3",
        "application/vnd.sqlite3",
        "application/x-sqlite3",
        "application/octet-stream",
    ]),
    media_types: &["application/geopackage+sqlite3"],
    extensions: &["gpkg", "sqlite", "sqlite3"],
    protocol: Some("WWW:DOWNLOAD-GeoPackage"),
    metadata: MetadataDepth::Terse,
    corpus_labels: &[CorpusLabel::plain("geopackage")],
    ..KindProfile::FILE
};

impl Kind for GeoPackageKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn examine_file(&self, view: &FileView<'_>) -> Option<FileExamination> {
        examine_database(view, |database, tables| {
            let named = |name: &str| tables.iter().find(|t| t.name.eq_ignore_ascii_case(name));
            let contents = named("gpkg_contents")?;
            if named("gpkg_spatial_ref_sys").is_some() {
                // The rest of the schema is not needed.
                database.clear_missing_ranges();
            }
            Some(read_contents(view, database, tables, contents))
        })
    }
}

/// A row with access by column name.
struct NamedRow<'a>(&'a TableSchema, &'a SqliteRow);

impl NamedRow<'_> {
    fn get(&self, column: &str) -> Option<&SqliteValue> {
        let at = self.0.columns.iter().position(|c| c.eq_ignore_ascii_case(column))?;
        self.1.values.get(at)
    }

    fn text(&self, column: &str) -> Option<&str> {
        self.get(column).and_then(SqliteValue::as_text).map(str::trim).filter(|t| !t.is_empty())
    }

    fn number(&self, column: &str) -> Option<f64> {
        self.get(column).and_then(SqliteValue::as_number)
    }
}

fn read_contents(
    view: &FileView<'_>,
    database: &SqliteFile<'_>,
    tables: &[TableSchema],
    contents: &TableSchema,
) -> FileExamination {
    let rows = database.read_rows(contents, 100_000);
    let mut used: Vec<i64> =
        rows.iter().filter_map(|row| NamedRow(contents, row).number("srs_id")).map(|id| id as i64).collect();
    used.sort_unstable();
    used.dedup();
    let systems = systems(database, tables, &used);
    let mut resource = Resource {
        kind: ID.to_owned(),
        url: view.url.to_string(),
        versions: version(database).into_iter().collect(),
        formats: vec![MEDIA_TYPE.into()],
        ..Resource::default()
    };
    for row in &rows {
        let row = NamedRow(contents, row);
        let Some(name) = row.text("table_name") else { continue };
        resource.dataset_count += 1;
        if resource.datasets.len() >= MAX_DATASETS {
            continue;
        }
        let (dataset, issue) = dataset(&row, name, &systems);
        if let Some(issue) = issue
            && resource.issues.len() < 20
        {
            resource.issues.push(issue);
        }
        resource.datasets.push(dataset);
    }
    resource.title = match resource.datasets.as_slice() {
        [only] => only.title.clone(),
        _ => Some(file_stem(view.url)).filter(|t| !t.is_empty()),
    };
    if let [only] = resource.datasets.as_slice() {
        resource.abstract_.clone_from(&only.abstract_);
    }
    if resource.dataset_count == 0 {
        resource.issues.push(Issue::new("empty", "no row of the table of contents was read"));
    }
    let id = database.application_id.to_be_bytes();
    let marked = if id[0] == b'G' {
        format!("application id {}", String::from_utf8_lossy(&id))
    } else {
        "no application id".to_owned()
    };
    let rule = format!("SQLite file, {marked}, table gpkg_contents");
    FileExamination::proven_file(combine_datasets(resource, rule), "geopackage")
}

/// Returns the version by application id and user version.
fn version(database: &SqliteFile<'_>) -> Option<String> {
    match &database.application_id.to_be_bytes() {
        b"GP10" => Some("1.0".to_owned()),
        b"GP11" => Some("1.1".to_owned()),
        b"GPKG" => {
            let number = database.user_version;
            (10_200..100_000).contains(&number).then(|| format!("{}.{}", number / 10_000, number / 100 % 100))
        }
        _ => None,
    }
}

/// Returns the coordinate systems that are used, by their id in this file.
fn systems(database: &SqliteFile<'_>, tables: &[TableSchema], used: &[i64]) -> HashMap<i64, CrsRef> {
    let mut systems = HashMap::new();
    let Some(table) = tables.iter().find(|t| t.name.eq_ignore_ascii_case("gpkg_spatial_ref_sys")) else {
        return systems;
    };
    // Some files list all systems that exist, so look up only those that are used.
    let rows = if table.is_row_id("srs_id") {
        used.iter().take(MAX_USED).filter_map(|id| database.find_row(table, *id)).collect()
    } else {
        database.read_rows(table, MAX_SYSTEMS)
    };
    for row in &rows {
        let row = NamedRow(table, row);
        let Some(id) = row.number("srs_id") else { continue };
        let code = row.number("organization_coordsys_id").map(|n| format!("{n}"));
        let by_code = match (row.text("organization"), code) {
            (Some(organisation), Some(code)) => CrsRef::from_authority(organisation, &code),
            _ => None,
        };
        let by_text = || row.text("definition").and_then(CrsRef::from_wkt);
        if let Some(reference) = by_code.or_else(by_text) {
            systems.insert(id as i64, reference);
        }
    }
    systems
}

fn dataset(row: &NamedRow<'_>, name: &str, systems: &HashMap<i64, CrsRef>) -> (Dataset, Option<Issue>) {
    let mut dataset = Dataset {
        name: name.chars().take(500).collect(),
        title: row
            .text("identifier")
            .and_then(|t| tidy_text(t, MAX_TITLE))
            .or_else(|| tidy_text(name, MAX_TITLE)),
        abstract_: row.text("description").and_then(|t| tidy_text(t, MAX_ABSTRACT)),
        formats: row.text("data_type").map(SharedText::from).into_iter().collect(),
        ..Dataset::default()
    };
    // Ids of well-known systems are EPSG codes; -1 and 0 mean "undefined".
    let id = row.number("srs_id").map(|n| n as i64);
    let reference = id
        .filter(|id| *id > 0)
        .and_then(|id| systems.get(&id).cloned().or_else(|| CrsRef::from_authority("EPSG", &id.to_string())));
    if let Some(label) = reference.as_ref().and_then(CrsRef::label) {
        dataset.crs = [SharedText::from(label)].into();
    }
    let corner = |name: &str| row.number(name);
    let extent = corner("min_x").zip(corner("min_y")).zip(corner("max_x").zip(corner("max_y")));
    let Some(((west, south), (east, north))) = extent else { return (dataset, None) };
    let (bbox, issue) = locate_extent(reference.as_ref(), [west, south, east, north]);
    dataset.bbox = bbox;
    let issue = issue.map(|issue| Issue::new(&issue.code, format!("{name}: {}", issue.message)));
    (dataset, issue)
}
