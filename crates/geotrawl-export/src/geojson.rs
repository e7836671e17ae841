//! GeoJSON (RFC 7946): footprints with their main properties.

use crate::{ExportError, RecordSource};
use geotrawl_model::{Bbox, Record};
use serde_json::{Value, json};
use std::io::{self, Write};

pub(crate) fn write_geojson(give: &mut RecordSource<'_>, out: &mut dyn Write) -> Result<u64, ExportError> {
    out.write_all(b"{\"type\":\"FeatureCollection\",\"features\":[\n")?;
    let mut written = 0;
    give(&mut |record| {
        if written > 0 {
            out.write_all(b",\n")?;
        }
        serde_json::to_writer(&mut *out, &to_feature(record)).map_err(io::Error::from)?;
        written += 1;
        Ok(())
    })?;
    out.write_all(b"\n]}\n")?;
    Ok(written)
}

fn to_feature(record: &Record) -> Value {
    let resource = &record.resource;
    json!({
        "type": "Feature",
        "id": record.id,
        "geometry": resource.bbox.map(footprint),
        "properties": {
            "kind": resource.kind,
            "url": resource.url,
            "title": resource.title,
            "abstract": resource.abstract_,
            "provider": resource.provider,
            "keywords": resource.keywords,
            "versions": resource.versions,
            "dataset_count": resource.dataset_count,
            "licence": resource.licence,
            "status": record.status,
            "reason": record.reason,
            "host": record.host.name,
            "country": record.host.country,
            "score": record.score,
            "aliases": record.aliases,
            "first_seen": record.first_seen,
            "last_seen": record.last_seen,
        }
    })
}

/// Returns a box as a polygon, or as two if it crosses the antimeridian (RFC 7946, section 3.1.9).
fn footprint(b: Bbox) -> Value {
    let ring = |west: f64, east: f64| {
        json!([[west, b.south], [east, b.south], [east, b.north], [west, b.north], [west, b.south]])
    };
    if b.west <= b.east {
        json!({"type": "Polygon", "coordinates": [ring(b.west, b.east)]})
    } else {
        json!({"type": "MultiPolygon", "coordinates": [[ring(b.west, 180.0)], [ring(-180.0, b.east)]]})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_across_the_antimeridian_is_two_polygons() {
        let shape = footprint([170.0, -20.0, -170.0, 10.0].into());
        assert_eq!(shape["type"], "MultiPolygon");
        assert_eq!(shape["coordinates"].as_array().unwrap().len(), 2);
    }
}
