//! Command line of `mine`.

use clap::Args;

/// Arguments of `mine`.
#[derive(Debug, Args)]
pub struct MineArgs {
    /// Archives, capture indexes or lists of addresses: files, or URLs of files, which are read in
    /// parts
    #[arg(required = true, value_name = "FILE|URL")]
    pub archives: Vec<String>,
    /// List what the archives contain without contacting any server [default: verify it live]
    #[arg(long)]
    pub offline: bool,
    /// Search only the addresses, not the archived pages
    #[arg(long)]
    pub addresses_only: bool,
    /// Do not analyze the scripts of map applications
    #[arg(long)]
    pub no_scripts: bool,
    /// Find only these kinds, e.g. wms,wfs,kml (repeatable)
    #[arg(long = "kind", visible_alias = "kinds", value_name = "KIND,...", value_delimiter = ',', value_parser = super::values::KindParser)]
    #[arg(hide_possible_values = true)]
    pub kinds: Vec<String>,
    /// Number of reader threads [default: one per core]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
    /// Also read archives that this task has read before
    #[arg(long)]
    pub again: bool,
    /// Name of the task; reuse it to resume an interrupted task [default: derived from the archives
    /// and options]
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,
}
