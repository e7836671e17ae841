//! `export` and `import`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Which format
    #[arg(long, value_enum, default_value_t = ExportFormat::Jsonl)]
    pub format: ExportFormat,
    /// Where to; stdout if not given, for a dump a folder. Written aside and moved into place when complete
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Only these kinds
    #[arg(long, alias = "kind", value_delimiter = ',', value_name = "KIND,...")]
    pub kinds: Vec<String>,
    /// Only what this task proved
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,
    /// Only what a search for these words finds (see `search`)
    #[arg(long, value_name = "WORDS")]
    pub query: Option<String>,
    /// Only what lies there: west,south,east,north, or the name of a place
    #[arg(long, value_name = "W,S,E,N|PLACE", allow_hyphen_values = true, value_parser = super::bbox)]
    pub bbox: Option<geotrawl_model::Bbox>,
    /// For a dump: an earlier one (its folder or manifest) to tell the differences from
    #[arg(long, value_name = "DUMP")]
    pub since: Option<PathBuf>,
    /// What catalogues say instead: their records, one JSON object a line
    #[arg(long, conflicts_with_all = ["format", "kinds", "task", "query", "bbox", "since"])]
    pub records: bool,
    /// With --records: only those of the catalogue at this address
    #[arg(long, value_name = "URL", requires = "records")]
    pub catalogue: Option<String>,
}

/// Formats of `export`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// One record a line, complete
    Jsonl,
    /// A table, one record a row
    Csv,
    /// Footprints with their main properties
    Geojson,
    /// GeoPackage: services, layers and hosts, with styles for QGIS
    Gpkg,
    /// GeoParquet: services
    Geoparquet,
    /// A workbook for Excel: services and layers
    Xlsx,
    /// Connections for QGIS (ZIP)
    Qgis,
    /// A catalog for TerriaJS
    Terria,
    /// Everything for others: a folder of compressed records with a manifest and checksums
    Dump,
}

/// `import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// A dump (its folder or manifest), or a file of records (.jsonl, .jsonl.gz)
    #[arg(value_name = "DUMP|FILE")]
    pub what: PathBuf,
    /// Whose finds they are, as provenance shows it [default: as the dump says, else the name of the file]
    #[arg(long, value_name = "NAME")]
    pub source: Option<String>,
    /// Only what the dump adds to the one before it
    #[arg(long)]
    pub diff: bool,
}
