//! GeoPackage 1.3: the services with their footprints, and the layers of each with theirs.

use crate::{ExportError, Give, wkb};
use geotrawl_kinds::model::Bbox;
use geotrawl_store::record::Record;
use rusqlite::{Connection, params};
use std::io::{self, Write};

/// "GPKG", as the standard asks for in the file's header.
const APPLICATION_ID: i32 = 0x4750_4B47;
// 1.3: nothing of a later version is used, and older readers warn of those.
const VERSION: i32 = 10_300;

pub(crate) fn write(give: &mut Give<'_>, out: &mut dyn Write) -> Result<u64, ExportError> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("catalogue.gpkg");
    let written = fill(&path, give)?;
    io::copy(&mut std::fs::File::open(&path)?, out)?;
    Ok(written)
}

fn fill(path: &std::path::Path, give: &mut Give<'_>) -> Result<u64, ExportError> {
    let conn = Connection::open(path)?;
    conn.pragma_update(None, "application_id", APPLICATION_ID)?;
    conn.pragma_update(None, "user_version", VERSION)?;
    // A file that is thrown away when anything fails needs no journal.
    conn.pragma_update(None, "journal_mode", "OFF")?;
    conn.execute_batch(include_str!("gpkg.sql"))?;
    conn.execute_batch("BEGIN")?;
    let (mut written, mut services, mut layers) = (0, Extent::default(), Extent::default());
    give(&mut |record| {
        add(&conn, record, &mut services, &mut layers)?;
        written += 1;
        Ok(())
    })?;
    for (table, extent) in [("services", &services), ("layers", &layers)] {
        let [west, south, east, north] = extent.sides();
        conn.execute(
            "UPDATE gpkg_contents SET min_x = ?2, min_y = ?3, max_x = ?4, max_y = ?5 WHERE table_name = ?1",
            params![table, west, south, east, north],
        )?;
    }
    conn.execute_batch("COMMIT")?;
    conn.close().map_err(|(_, error)| error)?;
    Ok(written)
}

fn add(
    conn: &Connection,
    record: &Record,
    services: &mut Extent,
    layers: &mut Extent,
) -> Result<(), ExportError> {
    let resource = &record.resource;
    services.take(resource.bbox);
    conn.prepare_cached(
        "INSERT INTO services (geom, id, kind, url, title, abstract, provider, keywords, licence, status, reason, \
         score, layers, host, country, first_seen, last_seen) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, \
         ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
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
        resource.dataset_count as i64,
        record.host.name,
        record.host.country,
        datetime(record.first_seen),
        datetime(record.last_seen),
    ])?;
    let mut insert = conn.prepare_cached(
        "INSERT INTO layers (geom, service, kind, url, name, title, abstract, keywords, time) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    for layer in &resource.datasets {
        layers.take(layer.bbox);
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
        ])?;
    }
    Ok(())
}

/// DATETIME of the standard: UTC with milliseconds.
fn datetime(at: jiff::Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

/// Geometry as the standard stores it: a header with the box, then well-known binary.
fn geometry(b: Bbox) -> Vec<u8> {
    // Little-endian header with an envelope of x and y.
    const FLAGS: u8 = 0b0000_0011;
    let (west, east) = if b.west <= b.east { (b.west, b.east) } else { (-180.0, 180.0) };
    let mut blob = vec![b'G', b'P', 0, FLAGS];
    blob.extend(4326_i32.to_le_bytes());
    for side in [west, east, b.south, b.north] {
        blob.extend(side.to_le_bytes());
    }
    blob.extend(wkb::footprint(b));
    blob
}

/// The box around everything in a table.
#[derive(Default)]
pub(crate) struct Extent(Option<Bbox>);

impl Extent {
    pub(crate) fn take(&mut self, bbox: Option<Bbox>) {
        let Some(mut b) = bbox else { return };
        if b.west > b.east {
            (b.west, b.east) = (-180.0, 180.0);
        }
        let sum = self.0.get_or_insert(b);
        sum.west = sum.west.min(b.west);
        sum.south = sum.south.min(b.south);
        sum.east = sum.east.max(b.east);
        sum.north = sum.north.max(b.north);
    }

    /// West, south, east, north; nothing where nothing was taken.
    pub(crate) fn sides(&self) -> [Option<f64>; 4] {
        self.0.map_or([None; 4], |b| [Some(b.west), Some(b.south), Some(b.east), Some(b.north)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_kinds::model::Dataset;

    #[test]
    fn tables_hold_services_and_layers_with_their_boxes() {
        let mut record = Record { id: "r1".into(), ..Record::default() };
        record.resource.bbox = Some([5.0, 50.0, 6.0, 51.0].into());
        record.resource.datasets = vec![
            Dataset {
                name: "a".into(),
                bbox: Some([170.0, -20.0, -170.0, 10.0].into()),
                ..Dataset::default()
            },
            Dataset { name: "b".into(), ..Dataset::default() },
        ];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.gpkg");
        assert_eq!(fill(&path, &mut |take| take(&record)).unwrap(), 1);
        let conn = Connection::open(&path).unwrap();
        let id: i32 = conn.pragma_query_value(None, "application_id", |row| row.get(0)).unwrap();
        assert_eq!(id, APPLICATION_ID);
        let (rows, west): (i64, f64) = conn
            .query_row(
                "SELECT (SELECT count(*) FROM layers), min_x FROM gpkg_contents WHERE table_name = 'layers'",
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .unwrap();
        assert_eq!((rows, west), (2, -180.0));
        let blob: Vec<u8> = conn.query_row("SELECT geom FROM services", [], |row| row.get(0)).unwrap();
        assert_eq!((&blob[..2], blob.len()), (&b"GP"[..], 8 + 32 + 93));
    }
}
