//! Exports records in formats that common tools read.
//!
//! Every format processes records one at a time and never holds them all. Formats that need random
//! access (GeoPackage, GeoParquet, Excel) are written to a temporary file and copied out when
//! complete.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod csv;
pub mod dump;
mod geojson;
mod geoparquet;
mod gpkg;
pub mod import;
pub mod qgis;
mod styles;
mod terria;
mod wkb;
mod xlsx;

use geotrawl_model::Record;
use std::io::{self, Write};

/// An export format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileFormat {
    /// JSON Lines, complete records.
    Jsonl,
    /// CSV, one record per row.
    Csv,
    /// GeoJSON: footprints with their main properties.
    Geojson,
    /// GeoPackage: services, layers and hosts as tables, with styles.
    Gpkg,
    /// GeoParquet: services.
    Geoparquet,
    /// QGIS connections: a ZIP archive with one file per type of connection.
    Qgis,
    /// Excel workbook.
    Xlsx,
    /// Catalog for TerriaJS.
    Terria,
}

impl FileFormat {
    /// All formats.
    pub const ALL: &[Self] = &[
        Self::Jsonl,
        Self::Csv,
        Self::Geojson,
        Self::Gpkg,
        Self::Geoparquet,
        Self::Qgis,
        Self::Xlsx,
        Self::Terria,
    ];

    /// Returns the identifier of the format.
    pub fn id(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Geojson => "geojson",
            Self::Gpkg => "gpkg",
            Self::Geoparquet => "geoparquet",
            Self::Qgis => "qgis",
            Self::Xlsx => "xlsx",
            Self::Terria => "terria",
        }
    }

    /// Returns the format with this identifier.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.id() == word)
    }

    /// Returns the media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Jsonl => "application/jsonl",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Geojson => "application/geo+json",
            Self::Gpkg => "application/geopackage+sqlite3",
            Self::Geoparquet => "application/vnd.apache.parquet",
            Self::Qgis => "application/zip",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Terria => "application/json",
        }
    }

    /// Returns the file name extension.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Geoparquet => "parquet",
            Self::Qgis => "zip",
            Self::Terria => "json",
            other => other.id(),
        }
    }
}

/// Reason why an export, dump or import failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The output cannot be written.
    #[error("cannot write: {0}")]
    Io(#[from] io::Error),
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] geotrawl_model::StoreError),
    /// The GeoPackage cannot be created.
    #[error("cannot create the GeoPackage: {0}")]
    Gpkg(#[from] rusqlite::Error),
    /// The GeoParquet file cannot be created.
    #[error("cannot create the GeoParquet file: {0}")]
    Parquet(#[from] parquet::errors::ParquetError),
    /// The workbook cannot be created.
    #[error("cannot create the workbook: {0}")]
    Workbook(String),
    /// A dump is invalid or in the wrong place.
    #[error("{0}")]
    Dump(String),
}

/// Receives one record.
pub type RecordSink<'a> = dyn FnMut(&Record) -> Result<(), ExportError> + 'a;
/// Passes all records to a sink, one at a time, until it fails.
pub type RecordSource<'a> = dyn FnMut(&mut RecordSink<'_>) -> Result<(), ExportError> + 'a;

/// Writes all records in a format and returns their number.
pub fn write_records(
    format: FileFormat,
    give: &mut RecordSource<'_>,
    out: &mut dyn Write,
) -> Result<u64, ExportError> {
    match format {
        FileFormat::Jsonl => write_jsonl(give, out),
        FileFormat::Csv => csv::write_csv(give, out),
        FileFormat::Geojson => geojson::write_geojson(give, out),
        FileFormat::Gpkg => gpkg::write_gpkg(give, out),
        FileFormat::Geoparquet => geoparquet::write_geoparquet(give, out),
        FileFormat::Qgis => qgis::write_connections(give, out),
        FileFormat::Xlsx => xlsx::write_xlsx(give, out),
        FileFormat::Terria => terria::write_terria(give, out),
    }
}

fn write_jsonl(give: &mut RecordSource<'_>, out: &mut dyn Write) -> Result<u64, ExportError> {
    let mut written = 0;
    give(&mut |record| {
        serde_json::to_writer(&mut *out, record).map_err(io::Error::from)?;
        out.write_all(b"\n")?;
        written += 1;
        Ok(())
    })?;
    Ok(written)
}
