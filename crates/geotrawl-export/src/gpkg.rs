//! GeoPackage 1.3: services and layers with their footprints, and hosts as points; with spatial
//! indexes and QGIS styles.

use crate::{ExportError, RecordSource, styles, wkb};
use geotrawl_model::{Bbox, Host, Precision, Record};
use rusqlite::{Connection, params};
use std::io::{self, Write};

/// "GPKG", required by the standard in the file header.
const APPLICATION_ID: i32 = 0x4750_4B47;
// Version 1.3, because nothing newer is used and older readers warn about newer versions.
const VERSION: i32 = 10_300;
const TABLES: &[&str] = &["services", "layers", "hosts"];

pub(crate) fn write_gpkg(give: &mut RecordSource<'_>, out: &mut dyn Write) -> Result<u64, ExportError> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("catalogue.gpkg");
    let written = fill_file(&path, give)?;
    io::copy(&mut std::fs::File::open(&path)?, out)?;
    Ok(written)
}

fn fill_file(path: &std::path::Path, give: &mut RecordSource<'_>) -> Result<u64, ExportError> {
    let conn = Connection::open(path)?;
    conn.pragma_update(None, "application_id", APPLICATION_ID)?;
    conn.pragma_update(None, "user_version", VERSION)?;
    // The file is discarded on any failure, so it needs no journal.
    conn.pragma_update(None, "journal_mode", "OFF")?;
    conn.pragma_update(None, "synchronous", "OFF")?;
    conn.execute_batch(include_str!("gpkg.sql"))?;
    conn.execute_batch("BEGIN")?;
    let mut written = 0;
    let mut extents = [TableExtent::default(), TableExtent::default(), TableExtent::default()];
    give(&mut |record| {
        let [services, layers, hosts] = &mut extents;
        add_service(&conn, record, services)?;
        add_layers(&conn, record, layers)?;
        add_host(&conn, record, hosts)?;
        written += 1;
        Ok(())
    })?;
    for (table, extent) in TABLES.iter().zip(&extents) {
        let [west, south, east, north] = extent.sides();
        conn.execute(
            "UPDATE gpkg_contents SET min_x = ?2, min_y = ?3, max_x = ?4, max_y = ?5 WHERE table_name = ?1",
            params![table, west, south, east, north],
        )?;
        conn.execute_batch(&index_triggers(table))?;
    }
    for style in styles::all_styles() {
        conn.execute(
            "INSERT INTO layer_styles (f_table_catalog, f_table_schema, f_table_name, f_geometry_column, styleName, \
             styleQML, styleSLD, useAsDefault, description, owner, ui) VALUES ('', '', ?1, 'geom', ?2, ?3, '', ?4, ?5, '', NULL)",
            params![style.table, style.name, style.qml, style.first, style.description],
        )?;
    }
    conn.execute_batch("COMMIT")?;
    conn.close().map_err(|(_, error)| error)?;
    Ok(written)
}

/// Returns the triggers that the standard requires to keep a spatial index up to date. They are
/// created last, because they use functions that only GIS programs provide; the index is filled
/// directly here.
fn index_triggers(table: &str) -> String {
    let set = "NEW.geom NOTNULL AND NOT ST_IsEmpty(NEW.geom)";
    let unset = "NEW.geom ISNULL OR ST_IsEmpty(NEW.geom)";
    let index = format!("rtree_{table}_geom");
    let put = format!(
        "INSERT OR REPLACE INTO {index} VALUES (NEW.fid, ST_MinX(NEW.geom), ST_MaxX(NEW.geom), ST_MinY(NEW.geom), \
         ST_MaxY(NEW.geom));"
    );
    let drop = format!("DELETE FROM {index} WHERE id = OLD.fid;");
    format!(
        "CREATE TRIGGER {index}_insert AFTER INSERT ON {table} WHEN ({set}) BEGIN {put} END;
         CREATE TRIGGER {index}_update1 AFTER UPDATE OF geom ON {table} WHEN OLD.fid = NEW.fid AND ({set}) BEGIN {put} END;
         CREATE TRIGGER {index}_update2 AFTER UPDATE OF geom ON {table} WHEN OLD.fid = NEW.fid AND ({unset}) BEGIN {drop} END;
         CREATE TRIGGER {index}_update3 AFTER UPDATE ON {table} WHEN OLD.fid != NEW.fid AND ({set}) BEGIN {drop} {put} END;
         CREATE TRIGGER {index}_update4 AFTER UPDATE ON {table} WHEN OLD.fid != NEW.fid AND ({unset})
           BEGIN DELETE FROM {index} WHERE id IN (OLD.fid, NEW.fid); END;
         CREATE TRIGGER {index}_delete AFTER DELETE ON {table} WHEN OLD.geom NOT NULL BEGIN {drop} END;"
    )
}

fn add_service(conn: &Connection, record: &Record, extent: &mut TableExtent) -> Result<(), ExportError> {
    let resource = &record.resource;
    extent.include_box(resource.bbox);
    conn.prepare_cached(
        "INSERT INTO services (geom, id, kind, url, title, abstract, provider, keywords, licence, status, reason, \
         score, provisional, layers, host, country, software, checked, first_seen, last_seen) VALUES (?1, ?2, ?3, ?4, ?5, \
         ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)",
    )?
    .execute(params![
        resource.bbox.map(geometry),
        record.id,
        resource.kind,
        resource.url,
        resource.title,
        resource.abstract_,
        resource.provider,
        resource.keywords.join("; "),
        resource.licence,
        record.status.as_str(),
        record.reason,
        record.score,
        record.provisional,
        resource.dataset_count as i64,
        record.host.name,
        record.host.country,
        resource.software,
        record.checked.map(datetime),
        datetime(record.first_seen),
        datetime(record.last_seen),
    ])?;
    index_last_row(conn, "services", resource.bbox)
}

fn add_layers(conn: &Connection, record: &Record, extent: &mut TableExtent) -> Result<(), ExportError> {
    let resource = &record.resource;
    let mut insert = conn.prepare_cached(
        "INSERT INTO layers (geom, service, kind, url, name, title, abstract, keywords, time, score) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    for layer in &resource.datasets {
        extent.include_box(layer.bbox);
        insert.execute(params![
            layer.bbox.map(geometry),
            record.id,
            resource.kind,
            resource.url,
            layer.name,
            layer.title,
            layer.abstract_,
            layer.keywords.join("; "),
            layer.time.join(" "),
            record.score,
        ])?;
        index_last_row(conn, "layers", layer.bbox)?;
    }
    Ok(())
}

/// Adds a host, or counts another service on it.
fn add_host(conn: &Connection, record: &Record, extent: &mut TableExtent) -> Result<(), ExportError> {
    let Host { name, ip, country, city, lat, lon, precision } = &record.host;
    if name.is_empty() {
        return Ok(());
    }
    let known = conn
        .prepare_cached(
            "UPDATE hosts SET services = services + 1, best_score = CASE WHEN ?2 IS NULL THEN best_score ELSE \
             max(coalesce(best_score, 0), ?2) END WHERE name = ?1",
        )?
        .execute(params![name, record.score])?;
    if known > 0 {
        return Ok(());
    }
    let place = lon.zip(*lat).filter(|(x, y)| x.is_finite() && y.is_finite());
    let spot = place.map(|(x, y)| Bbox { west: x, south: y, east: x, north: y });
    extent.include_box(spot);
    conn.prepare_cached(
        "INSERT INTO hosts (geom, name, ip, country, city, precision, services, best_score) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7)",
    )?
    .execute(params![
        place.map(|(x, y)| geometry_blob([x, x, y, y], &wkb::encode_point(x, y))),
        name,
        ip,
        country,
        city,
        precision.map(|precision| match precision {
            Precision::City => "city",
            Precision::Region => "region",
            Precision::Country => "country",
        }),
        record.score,
    ])?;
    index_last_row(conn, "hosts", spot)
}

/// Adds the row just inserted to the spatial index of its table.
fn index_last_row(conn: &Connection, table: &str, bbox: Option<Bbox>) -> Result<(), ExportError> {
    let Some(b) = bbox else { return Ok(()) };
    let (west, east) = span(b);
    conn.prepare_cached(&format!("INSERT INTO rtree_{table}_geom VALUES (?1, ?2, ?3, ?4, ?5)"))?
        .execute(params![conn.last_insert_rowid(), west, east, b.south, b.north])?;
    Ok(())
}

/// Formats a DATETIME of the standard: UTC with milliseconds.
fn datetime(at: jiff::Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

/// Returns west and east of a geometry, which spans the world if it crosses the antimeridian.
fn span(b: Bbox) -> (f64, f64) {
    if b.west <= b.east { (b.west, b.east) } else { (-180.0, 180.0) }
}

/// Encodes a footprint as a GeoPackage geometry.
fn geometry(b: Bbox) -> Vec<u8> {
    let (west, east) = span(b);
    geometry_blob([west, east, b.south, b.north], &wkb::encode_multi_polygon(b))
}

/// Encodes a GeoPackage geometry: a header with the box, then WKB.
fn geometry_blob(sides: [f64; 4], wkb: &[u8]) -> Vec<u8> {
    // Little-endian, with an envelope of x and y.
    const FLAGS: u8 = 0b0000_0011;
    let mut blob = vec![b'G', b'P', 0, FLAGS];
    blob.extend(4326_i32.to_le_bytes());
    for side in sides {
        blob.extend(side.to_le_bytes());
    }
    blob.extend(wkb);
    blob
}

/// Bounding box of all rows of a table.
#[derive(Default)]
pub(crate) struct TableExtent(Option<Bbox>);

impl TableExtent {
    pub(crate) fn include_box(&mut self, bbox: Option<Bbox>) {
        let Some(mut b) = bbox else { return };
        (b.west, b.east) = span(b);
        let sum = self.0.get_or_insert(b);
        sum.west = sum.west.min(b.west);
        sum.south = sum.south.min(b.south);
        sum.east = sum.east.max(b.east);
        sum.north = sum.north.max(b.north);
    }

    /// Returns west, south, east and north, or `None` if nothing was added.
    pub(crate) fn sides(&self) -> [Option<f64>; 4] {
        self.0.map_or([None; 4], |b| [Some(b.west), Some(b.south), Some(b.east), Some(b.north)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_model::Dataset;

    #[test]
    fn tables_hold_services_layers_and_hosts_with_their_boxes() {
        let mut record = Record { id: "r1".into(), score: Some(40), ..Record::default() };
        record.resource.bbox = Some([5.0, 50.0, 6.0, 51.0].into());
        record.host = Host { name: "h.example".into(), lat: Some(1.0), lon: Some(2.0), ..Host::default() };
        record.resource.datasets = vec![
            Dataset {
                name: "a".into(),
                bbox: Some([170.0, -20.0, -170.0, 10.0].into()),
                ..Dataset::default()
            },
            Dataset { name: "b".into(), ..Dataset::default() },
        ];
        let better = Record { id: "r2".into(), score: Some(90), ..record.clone() };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.gpkg");
        let records = [record, better];
        assert_eq!(fill_file(&path, &mut |take| records.iter().try_for_each(&mut *take)).unwrap(), 2);
        let conn = Connection::open(&path).unwrap();
        let id: i32 = conn.pragma_query_value(None, "application_id", |row| row.get(0)).unwrap();
        assert_eq!(id, APPLICATION_ID);
        let one = |sql: &str| {
            conn.query_row(&format!("SELECT CAST(({sql}) AS INTEGER)"), [], |row| row.get::<_, i64>(0))
                .unwrap()
        };
        assert_eq!(one("SELECT count(*) FROM layers"), 4);
        assert_eq!(one("SELECT min_x FROM gpkg_contents WHERE table_name = 'layers'"), -180);
        assert_eq!(one("SELECT count(*) FROM rtree_layers_geom"), 2);
        assert_eq!(one("SELECT services FROM hosts"), 2);
        assert_eq!(one("SELECT best_score FROM hosts"), 90);
        assert_eq!(one("SELECT minx FROM rtree_hosts_geom"), 2);
        assert_eq!(one("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'"), 18);
        let blob: Vec<u8> = conn.query_row("SELECT geom FROM services", [], |row| row.get(0)).unwrap();
        assert_eq!((&blob[..2], blob.len()), (&b"GP"[..], 8 + 32 + 9 + 93));
    }
}
