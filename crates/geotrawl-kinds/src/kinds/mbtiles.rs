//! MBTiles: a set of map tiles in one SQLite file.
//!
//! - **Specification**: MBTiles 1.3.
//! - **Recognised by**: an SQLite file with a table `metadata` of names and values and a table or
//!   view `tiles` with zoom level, column and row.
//! - **Dataset**: the file is one dataset.
//! - **False positives**: SQLite files of other programs, even with a table `metadata`.

use super::{DescriptionFormat, Family, Kind, KindProfile, MetadataDepth};
use crate::files::{
    FileDescription, FileExamination, FileView, MAX_DATASETS, bbox_from_degrees, examine_database,
};
use crate::formats::crs::wgs84_code;
use crate::formats::sqlite::{SqliteFile, SqliteValue, TableSchema};
use geotrawl_model::{Dataset, Issue};
use serde_json::Value as Json;

/// The `mbtiles` kind.
pub struct MbTilesKind;

/// Kind id.
pub const ID: &str = "mbtiles";
const MEDIA_TYPE: &str = "application/vnd.mapbox.mbtiles";
/// Maximum number of metadata rows; real files have about a dozen.
const MAX_ROWS: usize = 200;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "MBTiles",
    what: "A set of map tiles, images or vectors, in one SQLite file. The file is one dataset.",
    specification: "https://github.com/mapbox/mbtiles-spec",
    evidence: "An SQLite file with a table metadata (name, value) and a table or view tiles (zoom_level, tile_column, tile_row).",
    false_positives: "SQLite files of other programs, even with a table called metadata.",
    family: Family::Tiles,
    description: DescriptionFormat::Types(&[
        "application/vnd.mapbox.mbtiles",
        "application/vnd.sqlite3",
        "application/x-sqlite3",
        "application/octet-stream",
    ]),
    extensions: &["mbtiles"],
    fixed_crs: true,
    metadata: MetadataDepth::Terse,
    ..KindProfile::FILE
};

impl Kind for MbTilesKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn examine_file(&self, view: &FileView<'_>) -> Option<FileExamination> {
        examine_database(view, |database, tables| {
            let metadata = metadata_table(tables)?;
            // The rest of the schema is not needed.
            database.clear_missing_ranges();
            Some(read(view, database, metadata))
        })
    }
}

/// Returns the table `metadata`, if the tables are those of a tile set.
fn metadata_table(tables: &[TableSchema]) -> Option<&TableSchema> {
    let named = |name: &str| tables.iter().find(|t| t.name.eq_ignore_ascii_case(name));
    let has =
        |table: &TableSchema, column: &str| table.columns.iter().any(|c| c.eq_ignore_ascii_case(column));
    let tiles = named("tiles")?;
    // The columns of a view are in its query, which is not parsed here.
    let is_tiles = tiles.root == 0 || has(tiles, "zoom_level") && has(tiles, "tile_column");
    named("metadata").filter(|m| is_tiles && (m.root == 0 || has(m, "name") && has(m, "value")))
}

/// Reads the metadata.
fn read(view: &FileView<'_>, database: &SqliteFile<'_>, metadata: &TableSchema) -> FileExamination {
    let mut sheet = FileDescription::new(
        ID,
        MEDIA_TYPE,
        "SQLite tables metadata and tiles with zoom_level, tile_column, tile_row",
    );
    let at = |column: &str| metadata.columns.iter().position(|c| c.eq_ignore_ascii_case(column));
    let (name_at, value_at) = (at("name").unwrap_or(0), at("value").unwrap_or(1));
    let mut layers: Vec<Dataset> = Vec::new();
    let mut format = None;
    for row in database.read_rows(metadata, MAX_ROWS) {
        let text =
            |i: usize| row.values.get(i).and_then(SqliteValue::as_text).unwrap_or_default().trim().to_owned();
        let value = Some(text(value_at)).filter(|v| !v.is_empty());
        match text(name_at).as_str() {
            "name" => sheet.title = value,
            "description" => sheet.abstract_ = value,
            "attribution" => sheet.licence = value,
            "version" => sheet.versions = value.into_iter().collect(),
            "format" => format = value,
            "bounds" => {
                let numbers: Vec<f64> =
                    value.iter().flat_map(|v| v.split(',')).filter_map(|n| n.trim().parse().ok()).collect();
                if let Ok(bounds) = <[f64; 4]>::try_from(numbers) {
                    let (bbox, issue) = bbox_from_degrees(bounds);
                    sheet.bbox = bbox;
                    sheet.issues.extend(issue);
                } else {
                    sheet.issues.push(Issue::new("bbox-broken", "the bounds are not four numbers"));
                }
            }
            "json" => layers = value.map(|v| vector_layers(&v)).unwrap_or_default(),
            _ => {}
        }
    }
    sheet.crs = vec![wgs84_code()];
    let mut found = sheet.into_found(view.url);
    found.resource.formats.extend(format.map(|f| f.chars().take(60).collect::<String>().into()));
    found.resource.crs = vec!["EPSG:3857".into()];
    name_layers(&mut found.resource.datasets, &layers);
    FileExamination::proven_file(found, "mbtiles")
}

/// Returns the layers of vector tiles from the JSON in the metadata.
pub fn vector_layers(text: &str) -> Vec<Dataset> {
    let Ok(json) = serde_json::from_str::<Json>(text) else { return Vec::new() };
    layers_of(&json)
}

/// Returns the layers in the member `vector_layers` of a document.
pub fn layers_of(json: &Json) -> Vec<Dataset> {
    let layers = json.get("vector_layers").and_then(Json::as_array);
    let layer = |layer: &Json| {
        let text = |name: &str| layer.get(name).and_then(Json::as_str).filter(|t| !t.trim().is_empty());
        let name = text("id")?.chars().take(500).collect();
        let abstract_ = text("description").map(|t| t.chars().take(2000).collect());
        Some(Dataset { name, abstract_, ..Dataset::default() })
    };
    layers.into_iter().flatten().filter_map(layer).take(MAX_DATASETS).collect()
}

/// Adds the names of vector layers to the keywords of the only dataset, since every tile contains
/// all layers.
pub fn name_layers(datasets: &mut [Dataset], layers: &[Dataset]) {
    if let Some(dataset) = datasets.first_mut() {
        dataset.keywords.extend(layers.iter().take(200).map(|layer| layer.name.as_str().into()));
    }
}
