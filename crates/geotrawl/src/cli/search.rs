//! Command lines of `search`, `index` and `themes`.

use super::values;
use clap::{Args, Subcommand, ValueEnum};

/// Arguments of `search`.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// Search words; supports "phrases", wat*, roda~, AND OR NOT, title:, provider: ...
    #[arg(value_name = "WORDS")]
    pub words: Vec<String>,
    /// Only records in this area: west,south,east,north, or a place name
    #[arg(long, value_name = "W,S,E,N|PLACE", allow_hyphen_values = true, value_parser = values::bbox)]
    pub bbox: Option<geotrawl_model::Bbox>,
    /// How the record's box must relate to --bbox
    #[arg(long, value_enum, default_value_t = RelationArg::Overlaps)]
    pub relation: RelationArg,
    /// Only these kinds, e.g. wms,wfs,kml (repeatable)
    #[arg(long = "kind", visible_alias = "kinds", value_name = "KIND,...", value_delimiter = ',', value_parser = values::KindParser)]
    #[arg(hide_possible_values = true)]
    pub kinds: Vec<String>,
    /// Only these themes, as `geotrawl themes --list` names them (repeatable)
    #[arg(long = "theme", value_delimiter = ',', value_name = "THEME,...")]
    pub themes: Vec<String>,
    /// Only records with these statuses, or any (repeatable) [default: usable ones]
    #[arg(long, value_delimiter = ',', value_name = "STATUS,...")]
    pub status: Vec<String>,
    /// Search layers instead of services
    #[arg(long)]
    pub layers: bool,
    /// Maximum number of results
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    /// Number of results to skip
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub offset: usize,
    /// Show how each factor contributed to the ranking
    #[arg(long)]
    pub explain: bool,
}

/// Values of `--relation`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RelationArg {
    /// The boxes intersect
    Overlaps,
    /// The record's box contains the given box
    Contains,
    /// The record's box lies within the given box
    Within,
}

impl RelationArg {
    /// Returns the relation as the index defines it.
    pub fn to_relation(self) -> geotrawl_index::SpatialRelation {
        match self {
            Self::Overlaps => geotrawl_index::SpatialRelation::Overlaps,
            Self::Contains => geotrawl_index::SpatialRelation::Contains,
            Self::Within => geotrawl_index::SpatialRelation::Within,
        }
    }
}

/// Commands of `index`.
#[derive(Debug, Subcommand)]
pub enum IndexCommand {
    /// Delete the index and build it again from the catalogue
    Rebuild,
}

/// Arguments of `themes`.
#[derive(Debug, Args)]
pub struct ThemesArgs {
    /// Texts to label [default: relabel all records of the catalogue]
    #[arg(value_name = "TEXT")]
    pub texts: Vec<String>,
    /// List the vocabularies, or the terms of one
    #[arg(long, value_name = "SCHEME", num_args = 0..=1, default_missing_value = "", conflicts_with = "texts")]
    pub list: Option<String>,
}
