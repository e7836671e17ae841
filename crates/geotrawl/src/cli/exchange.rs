//! Command lines of `export` and `import`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Arguments of `export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t = ExportFormat::Jsonl)]
    pub format: ExportFormat,
    /// File to write, or folder for a dump [default: stdout]; moved into place only when complete
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Only these kinds, e.g. wms,wfs,kml (repeatable)
    #[arg(long = "kind", visible_alias = "kinds", value_name = "KIND,...", value_delimiter = ',', value_parser = super::values::KindParser)]
    #[arg(hide_possible_values = true)]
    pub kinds: Vec<String>,
    /// Only what this task found
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,
    /// Only the results of a search for these words (see `search`)
    #[arg(long, value_name = "WORDS")]
    pub query: Option<String>,
    /// Only records in this area: west,south,east,north, or a place name
    #[arg(long, value_name = "W,S,E,N|PLACE", allow_hyphen_values = true, value_parser = super::values::bbox)]
    pub bbox: Option<geotrawl_model::Bbox>,
    /// For a dump: write the changes since an earlier one (its folder or manifest)
    #[arg(long, value_name = "DUMP")]
    pub since: Option<PathBuf>,
    /// Export harvested catalogue records instead, one JSON object per line
    #[arg(long, conflicts_with_all = ["format", "kinds", "task", "query", "bbox", "since"])]
    pub records: bool,
    /// With --records, only those of the catalogue at this address
    #[arg(long, value_name = "URL", requires = "records")]
    pub catalogue: Option<String>,
}

/// Formats of `export`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// One complete record per line
    Jsonl,
    /// Table, one record per row
    Csv,
    /// Extents with their main properties
    Geojson,
    /// GeoPackage: services, layers and hosts, with styles for QGIS
    Gpkg,
    /// GeoParquet: services
    Geoparquet,
    /// Excel workbook: services and layers
    Xlsx,
    /// Connections for QGIS (ZIP)
    Qgis,
    /// Catalog for TerriaJS
    Terria,
    /// Full dump for other instances: a folder of compressed records with a manifest and checksums
    Dump,
}

/// Arguments of `import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Dump (its folder or manifest) or file of records (.jsonl, .jsonl.gz)
    #[arg(value_name = "DUMP|FILE")]
    pub what: PathBuf,
    /// Name of the source as shown in provenance [default: as named in the dump, else the file
    /// name]
    #[arg(long, value_name = "NAME")]
    pub source: Option<String>,
    /// Import only what the dump adds to the one before it
    #[arg(long)]
    pub diff: bool,
}
