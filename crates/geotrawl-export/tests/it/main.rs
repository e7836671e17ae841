//! Snapshots of every export format: text as it is, archives file by file, tables row by row.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use geotrawl_export::{FileFormat, write_records};
use geotrawl_model::Record;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::json;
use std::fmt::Write as _;
use std::io::{Cursor, Read as _};

/// Returns a service and a file with all properties, and a service about which nothing is known.
fn records() -> Vec<Record> {
    let seen = json!({ "first_seen": "2026-06-01T00:00:00Z", "last_seen": "2026-06-02T03:04:05Z" });
    let service = json!({
        "id": "r1", "kind": "wms", "url": "http://water.example/wms?map=a&b=1", "versions": ["1.1.1", "1.3.0"],
        "title": "Rivers & \"lakes\"", "abstract": "Rivers and lakes,\nas surveyed.",
        "keywords": ["rivers", "hydrography"], "provider": "Office for Water", "licence": "CC BY 4.0",
        "contact": { "organisation": "Office for Water", "email": "ann@water.example" },
        "bbox": [170.0, -20.0, -170.0, 10.0], "crs": ["EPSG:4326"], "languages": ["en"],
        "software": "GeoServer", "formats": ["image/png"], "dataset_count": 2,
        "datasets": [
            { "name": "rivers", "title": "Rivers", "bbox": [5.0, 47.0, 15.0, 55.0], "crs": ["EPSG:4326"] },
            { "name": "lakes & ponds" },
        ],
        "aliases": ["https://water.example/wms"], "status": "alive", "reason": "It answered.",
        "host": { "name": "water.example", "ip": "192.0.2.1", "country": "DE", "lat": 52.5, "lon": 13.4 },
        "last_ok": "2026-06-02T03:04:05Z", "score": 87, "score_points": { "availability": 20.5 },
        "provenance": [{ "way": "href", "page": "http://portal.example/", "task": "rivers", "depth": 1 }],
        "themes": [{ "scheme": "inspire", "term": "hy", "evidence": "rivers" }],
    });
    let file = json!({
        "id": "r2", "kind": "geojson", "url": "http://files.example/=paths.geojson", "title": "=Paths",
        "bbox": [-10.0, 35.5, 4.25, 44.0], "dataset_count": 1, "datasets": [{ "name": "paths" }],
        "aliases": [], "status": "degraded", "host": { "name": "files.example" }, "provenance": [],
    });
    let bare = json!({
        "id": "r3", "kind": "wfs", "url": "http://bare.example/wfs",
        "aliases": [], "status": "dead", "host": { "name": "bare.example" }, "provenance": [],
    });
    let whole = |mut record: serde_json::Value| {
        record.as_object_mut().unwrap().extend(seen.as_object().unwrap().clone());
        serde_json::from_value(record).unwrap()
    };
    [service, file, bare].map(whole).into()
}

fn written(format: FileFormat) -> Vec<u8> {
    let (records, mut out) = (records(), Vec::new());
    write_records(format, &mut |take| records.iter().try_for_each(&mut *take), &mut out).unwrap();
    out
}

/// Returns the files of an archive, in order; XML with a line per element.
fn archive(bytes: Vec<u8>) -> String {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut files: Vec<(String, String)> = Vec::new();
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).unwrap();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        files.push((entry.name().unwrap().to_string(), text.replace("><", ">\n<")));
    }
    files.sort();
    files.iter().fold(String::new(), |mut all, (name, text)| {
        writeln!(all, "=== {name}\n{text}").unwrap();
        all
    })
}

/// Returns every table and view of a database: its statement, and its rows.
fn database(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("export.gpkg");
    std::fs::write(&path, bytes).unwrap();
    let conn = Connection::open(path).unwrap();
    let mut tables = conn
        .prepare("SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'rtree%_%_%' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        .unwrap();
    let tables =
        tables.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))).unwrap();
    let mut all = String::new();
    for (name, statement) in tables.map(Result::unwrap) {
        writeln!(all, "=== {statement}").unwrap();
        let mut rows = conn.prepare(&format!("SELECT * FROM \"{name}\"")).unwrap();
        let columns = rows.column_count();
        let mut rows = rows.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let cells: Vec<String> = (0..columns).map(|at| cell(row.get_ref(at).unwrap())).collect();
            writeln!(all, "{}", cells.join(" | ")).unwrap();
        }
    }
    all
}

fn cell(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "NULL".into(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        // The time of the export, in milliseconds.
        ValueRef::Text(text) if text.len() == 24 && text.ends_with(b"Z") => "[now]".into(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => format!("{} bytes", bytes.len()),
    }
}

/// Returns the schema, the metadata and the rows of a GeoParquet file.
fn columns(bytes: Vec<u8>) -> String {
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
    let meta = reader.metadata().file_metadata();
    let mut all = String::new();
    for column in meta.schema_descr().columns() {
        let (kind, logical) = (column.physical_type(), column.logical_type_ref());
        writeln!(all, "{} {kind} {logical:?}", column.path().string()).unwrap();
    }
    for pair in meta.key_value_metadata().unwrap() {
        writeln!(all, "{} = {}", pair.key, pair.value.as_deref().unwrap_or_default()).unwrap();
    }
    for row in reader.get_row_iter(None).unwrap() {
        writeln!(all, "{}", row.unwrap()).unwrap();
    }
    all
}

/// Returns the sheets of a workbook. Other files come from the library and contain the current
/// time.
fn sheets(bytes: Vec<u8>) -> String {
    archive(bytes)
        .split("=== ")
        .filter(|file| file.starts_with("xl/worksheets/sheet") || file.starts_with("xl/workbook.xml"))
        .collect()
}

#[test]
fn every_format_is_as_it_was() {
    for format in FileFormat::ALL {
        let bytes = written(*format);
        let shown = match format {
            FileFormat::Jsonl | FileFormat::Csv | FileFormat::Geojson | FileFormat::Terria => {
                String::from_utf8(bytes).unwrap()
            }
            FileFormat::Gpkg => database(&bytes),
            FileFormat::Geoparquet => columns(bytes),
            FileFormat::Qgis => archive(bytes),
            FileFormat::Xlsx => sheets(bytes),
        };
        insta::assert_snapshot!(format.id(), shown.replace(env!("CARGO_PKG_VERSION"), "[version]"));
    }
}
