//! Command line of `harvest`.

use super::values;
use clap::Args;

/// Arguments of `harvest`.
#[derive(Debug, Args)]
pub struct HarvestArgs {
    /// Addresses of catalogues, or of pages that link to them
    #[arg(required_unless_present = "seeds_from", value_name = "URL")]
    pub catalogues: Vec<String>,
    /// Harvest the catalogues of a list stored by `geotrawl seeds import` (repeatable)
    #[arg(long = "seeds", value_name = "LIST", id = "seeds_from", conflicts_with = "dry_run")]
    pub lists: Vec<String>,
    /// Show the first pages of the catalogue without storing anything
    #[arg(long)]
    pub dry_run: bool,
    /// With --dry-run, the number of pages to read
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub pages: u32,
    /// Harvest only what changed since TIME (2026-01-31 or 2026-01-31T12:00:00Z) [default: since the last complete
    /// harvest]
    #[arg(long, value_name = "TIME")]
    pub since: Option<values::TimeArg>,
    /// Harvest everything, including records harvested before
    #[arg(long, conflicts_with = "since")]
    pub full: bool,
    /// Store the records, but do not probe the services and files that they name
    #[arg(long)]
    pub records_only: bool,
    /// Name of the task; reuse it to resume an interrupted task [default: derived from the
    /// addresses]
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,
}
