//! `export`: the catalogue as JSON Lines, CSV or GeoJSON, streamed.

use crate::cli::{ExportArgs, ExportFormat, Global};
use crate::exit::Exit;
use crate::output;
use anyhow::{Context, Result};
use geotrawl_kinds::model::Bbox;
use geotrawl_store::record::Record;
use geotrawl_store::{RecordFilter, Store};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufWriter, Write};

/// Writes the catalogue.
pub fn run(global: &Global, args: &ExportArgs) -> Result<Exit> {
    let store = super::catalogue(global)?;
    let filter = RecordFilter { kinds: args.kinds.clone(), task: args.task.clone(), status: Vec::new() };
    match &args.output {
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            match write(&store, &filter, args, &mut out).and_then(|_| Ok(out.flush()?)) {
                // A reader that has gone away (`| head`) is no failure.
                Err(error) if is_broken_pipe(&error) => Ok(Exit::Done),
                other => other.map(|()| Exit::Done),
            }
        }
        Some(path) => {
            // Aside first: a reader never sees half a file, a full disk never costs the old one.
            let mut aside = path.clone().into_os_string();
            aside.push(".part");
            let file = File::create(&aside).with_context(|| format!("cannot write {}", path.display()))?;
            let mut out = BufWriter::new(file);
            let written = write(&store, &filter, args, &mut out)?;
            out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            std::fs::rename(&aside, path).with_context(|| format!("cannot write {}", path.display()))?;
            if !global.quiet {
                let what = output::count(written, "record", "records");
                output::remark(&format!("{what} written to {}", path.display()));
            }
            Ok(Exit::Done)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn write(store: &dyn Store, filter: &RecordFilter, args: &ExportArgs, out: &mut dyn Write) -> Result<u64> {
    if args.records {
        return write_records(store, args.catalogue.as_deref(), out);
    }
    let format = args.format;
    let mut written = 0;
    let mut outcome = begin(format, out);
    if outcome.is_ok() {
        store.records(filter, &mut |record| {
            outcome = one(format, &record, written == 0, out);
            written += u64::from(outcome.is_ok());
            outcome.is_ok()
        })?;
    }
    outcome?;
    if format == ExportFormat::Geojson {
        out.write_all(b"\n]}\n")?;
    }
    Ok(written)
}

/// What catalogues say.
fn write_records(store: &dyn Store, catalogue: Option<&str>, out: &mut dyn Write) -> Result<u64> {
    let (mut written, mut outcome) = (0, Ok(()));
    store.harvested(catalogue, &mut |record| {
        outcome = serde_json::to_writer(&mut *out, &record)
            .map_err(io::Error::from)
            .and_then(|()| out.write_all(b"\n"));
        written += u64::from(outcome.is_ok());
        outcome.is_ok()
    })?;
    outcome?;
    Ok(written)
}

fn begin(format: ExportFormat, out: &mut dyn Write) -> io::Result<()> {
    match format {
        ExportFormat::Jsonl => Ok(()),
        ExportFormat::Csv => {
            out.write_all(COLUMNS.join(",").as_bytes())?;
            out.write_all(b"\r\n")
        }
        ExportFormat::Geojson => out.write_all(b"{\"type\":\"FeatureCollection\",\"features\":[\n"),
    }
}

fn one(format: ExportFormat, record: &Record, first: bool, out: &mut dyn Write) -> io::Result<()> {
    match format {
        ExportFormat::Jsonl => {
            serde_json::to_writer(&mut *out, record)?;
            out.write_all(b"\n")
        }
        ExportFormat::Csv => csv_row(record, out),
        ExportFormat::Geojson => {
            if !first {
                out.write_all(b",\n")?;
            }
            serde_json::to_writer(&mut *out, &feature(record))?;
            Ok(())
        }
    }
}

const COLUMNS: &[&str] = &[
    "id",
    "kind",
    "url",
    "title",
    "provider",
    "versions",
    "dataset_count",
    "west",
    "south",
    "east",
    "north",
    "status",
    "reason",
    "host",
    "ip",
    "first_seen",
    "last_seen",
    "licence",
    "keywords",
    "aliases",
    "page",
    "way",
    "depth",
];

fn csv_row(record: &Record, out: &mut dyn Write) -> io::Result<()> {
    let resource = &record.resource;
    let side = |pick: fn(Bbox) -> f64| resource.bbox.map(|bbox| pick(bbox).to_string()).unwrap_or_default();
    let found = record.provenance.first();
    let fields = [
        record.id.clone(),
        resource.kind.clone(),
        resource.url.clone(),
        resource.title.clone().unwrap_or_default(),
        resource.provider.clone().unwrap_or_default(),
        resource.versions.join(" "),
        resource.dataset_count.to_string(),
        side(|b| b.west),
        side(|b| b.south),
        side(|b| b.east),
        side(|b| b.north),
        record.status.as_str().to_owned(),
        record.reason.clone(),
        record.host.name.clone(),
        record.host.ip.clone().unwrap_or_default(),
        record.first_seen.to_string(),
        record.last_seen.to_string(),
        resource.licence.clone().unwrap_or_default(),
        resource.keywords.join("; "),
        record.aliases.join(" "),
        found.map(|found| found.page.clone()).unwrap_or_default(),
        found.map(|found| found.way.clone()).unwrap_or_default(),
        found.map(|found| found.depth.to_string()).unwrap_or_default(),
    ];
    let row: Vec<String> = fields.iter().map(|field| csv_field(field)).collect();
    out.write_all(row.join(",").as_bytes())?;
    out.write_all(b"\r\n")
}

/// RFC 4180 quoting. Text that a spreadsheet would run as a formula is defused with an apostrophe;
/// numbers stay numbers.
fn csv_field(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

fn feature(record: &Record) -> Value {
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
            "aliases": record.aliases,
            "first_seen": record.first_seen,
            "last_seen": record.last_seen,
        }
    })
}

/// A box as a polygon; across the antimeridian as two (RFC 7946, 3.1.9).
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
    fn csv_fields_are_quoted_and_formulas_defused() {
        assert_eq!(csv_field("plain"), "plain");
        assert_eq!(csv_field("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(csv_field("=HYPERLINK(1)"), "'=HYPERLINK(1)");
        assert_eq!(csv_field("-12.5"), "-12.5");
    }

    #[test]
    fn a_box_across_the_antimeridian_is_two_polygons() {
        let shape = footprint([170.0, -20.0, -170.0, 10.0].into());
        assert_eq!(shape["type"], "MultiPolygon");
        assert_eq!(shape["coordinates"].as_array().unwrap().len(), 2);
    }
}
