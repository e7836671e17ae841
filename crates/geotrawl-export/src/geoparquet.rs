//! GeoParquet 1.1: services with their footprints as WKB.

use crate::gpkg::TableExtent;
use crate::{ExportError, RecordSource, wkb};
use geotrawl_model::Record;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

/// Maximum number of rows held in memory.
const ROWS_PER_GROUP: usize = 5_000;

type TextGetter = fn(&Record) -> Option<String>;
type NumberGetter = fn(&Record) -> Option<i64>;

/// Text columns, in schema order.
const TEXTS: &[(&str, TextGetter)] = &[
    ("id", |r| Some(r.id.clone())),
    ("kind", |r| Some(r.resource.kind.clone())),
    ("url", |r| Some(r.resource.url.clone())),
    ("title", |r| r.resource.title.clone()),
    ("abstract", |r| r.resource.abstract_.clone()),
    ("provider", |r| r.resource.provider.clone()),
    ("keywords", |r| Some(r.resource.keywords.join("; "))),
    ("licence", |r| r.resource.licence.clone()),
    ("status", |r| Some(r.status.as_str().to_owned())),
    ("reason", |r| Some(r.reason.clone())),
    ("host", |r| Some(r.host.name.clone())),
    ("country", |r| r.host.country.clone()),
];

/// Integer columns, which follow the text columns.
const NUMBERS: &[(&str, &str, NumberGetter)] = &[
    ("layers", "", |r| Some(r.resource.dataset_count as i64)),
    ("score", "", |r| r.score.map(i64::from)),
    ("first_seen", " (TIMESTAMP(MILLIS,true))", |r| Some(r.first_seen.as_millisecond())),
    ("last_seen", " (TIMESTAMP(MILLIS,true))", |r| Some(r.last_seen.as_millisecond())),
];

pub(crate) fn write_geoparquet(give: &mut RecordSource<'_>, out: &mut dyn Write) -> Result<u64, ExportError> {
    let mut file = tempfile::tempfile()?;
    let written = fill_file(file.try_clone()?, give)?;
    io::Seek::rewind(&mut file)?;
    io::copy(&mut file, out)?;
    Ok(written)
}

fn fill_file(file: File, give: &mut RecordSource<'_>) -> Result<u64, ExportError> {
    let schema = Arc::new(parse_message_type(&schema())?);
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties))?;
    let (mut written, mut extent, mut crossing) = (0, TableExtent::default(), false);
    let mut rows: Vec<Record> = Vec::new();
    give(&mut |record| {
        extent.include_box(record.resource.bbox);
        crossing |= record.resource.bbox.is_some_and(|b| b.west > b.east);
        let mut row = record.clone();
        // Drop what is not exported, to save memory.
        row.resource.datasets = Vec::new();
        row.provenance = Vec::new();
        row.faces = Vec::new();
        rows.push(row);
        written += 1;
        if rows.len() == ROWS_PER_GROUP {
            write_row_group(&mut writer, &rows)?;
            rows.clear();
        }
        Ok(())
    })?;
    if !rows.is_empty() {
        write_row_group(&mut writer, &rows)?;
    }
    writer.append_key_value_metadata(KeyValue::new("geo".to_owned(), geo_metadata(&extent, crossing)));
    writer.close()?;
    Ok(written)
}

fn schema() -> String {
    let mut text = String::from("message services {\n");
    text.extend(TEXTS.iter().map(|(name, _)| format!("  OPTIONAL BYTE_ARRAY {name} (UTF8);\n")));
    text.extend(NUMBERS.iter().map(|(name, logical, _)| format!("  OPTIONAL INT64 {name}{logical};\n")));
    text + "  OPTIONAL BYTE_ARRAY geometry;\n}"
}

fn write_row_group(writer: &mut SerializedFileWriter<File>, rows: &[Record]) -> Result<(), ExportError> {
    let mut group = writer.next_row_group()?;
    for (_, text) in TEXTS {
        write_bytes_column(&mut group, rows, |row| text(row).map(String::into_bytes))?;
    }
    for (_, _, number) in NUMBERS {
        let values: Vec<Option<i64>> = rows.iter().map(number).collect();
        let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
        let present: Vec<i64> = values.into_iter().flatten().collect();
        if let Some(mut column) = group.next_column()? {
            column.typed::<Int64Type>().write_batch(&present, Some(&levels), None)?;
            column.close()?;
        }
    }
    write_bytes_column(&mut group, rows, |row| row.resource.bbox.map(wkb::encode_footprint))?;
    group.close()?;
    Ok(())
}

fn write_bytes_column(
    group: &mut SerializedRowGroupWriter<'_, File>,
    rows: &[Record],
    value: impl Fn(&Record) -> Option<Vec<u8>>,
) -> Result<(), ExportError> {
    let values: Vec<Option<Vec<u8>>> = rows.iter().map(value).collect();
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let present: Vec<ByteArray> = values.into_iter().flatten().map(ByteArray::from).collect();
    if let Some(mut column) = group.next_column()? {
        column.typed::<ByteArrayType>().write_batch(&present, Some(&levels), None)?;
        column.close()?;
    }
    Ok(())
}

/// Returns the `geo` metadata that the standard requires.
fn geo_metadata(extent: &TableExtent, crossing: bool) -> String {
    let types: &[&str] = if crossing { &["Polygon", "MultiPolygon"] } else { &["Polygon"] };
    let mut column = serde_json::json!({ "encoding": "WKB", "geometry_types": types });
    if let [Some(west), Some(south), Some(east), Some(north)] = extent.sides() {
        column["bbox"] = serde_json::json!([west, south, east, north]);
    }
    let geo = serde_json::json!({
        "version": "1.1.0", "primary_column": "geometry", "columns": { "geometry": column }
    });
    geo.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};

    #[test]
    fn rows_and_geometry_come_back() {
        let mut with_box = Record { id: "a".into(), ..Record::default() };
        with_box.resource.bbox = Some([1.0, 2.0, 3.0, 4.0].into());
        let without = Record { id: "b".into(), ..Record::default() };
        let file = tempfile::tempfile().unwrap();
        let records = [with_box, without];
        fill_file(file.try_clone().unwrap(), &mut |take| records.iter().try_for_each(&mut *take)).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let meta = reader.metadata().file_metadata();
        assert_eq!(meta.num_rows(), 2);
        let geo = meta.key_value_metadata().unwrap().iter().find(|pair| pair.key == "geo").unwrap();
        assert!(geo.value.as_deref().unwrap().contains("[1.0,2.0,3.0,4.0]"));
    }
}
