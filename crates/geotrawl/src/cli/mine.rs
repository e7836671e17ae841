//! `mine` on the command line.

use clap::Args;

/// `mine`.
#[derive(Debug, Args)]
pub struct MineArgs {
    /// Archives, indexes of captures or lists of addresses: files, or addresses of files, which are read in parts
    #[arg(required = true, value_name = "FILE|URL")]
    pub archives: Vec<String>,
    /// List what the archives show without asking anybody; else it is proven live, politely
    #[arg(long)]
    pub offline: bool,
    /// Look at the addresses only, not into the archived pages
    #[arg(long)]
    pub addresses_only: bool,
    /// Do not read the scripts of map applications
    #[arg(long)]
    pub no_scripts: bool,
    /// Only these kinds, e.g. wms,wfs,kml
    #[arg(long, value_delimiter = ',', value_name = "KIND,...")]
    pub kinds: Vec<String>,
    /// Threads that read [default: one per core]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
    /// Read also what this task has read before
    #[arg(long)]
    pub again: bool,
    /// Name of the task; the same name continues what was interrupted [default: from the archives and options]
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,
}
