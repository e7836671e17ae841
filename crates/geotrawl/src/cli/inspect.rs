//! Command lines of `probe`, `extract`, `explain` and `check`.

use super::values;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `probe`.
#[derive(Debug, Args)]
pub struct ProbeArgs {
    /// Addresses or files to identify
    #[arg(required_unless_present = "corpus", value_name = "URL|FILE")]
    pub inputs: Vec<String>,
    /// Compare the results with a labelled set: its manifest (JSON Lines), with the files next to
    /// it
    #[arg(long, value_name = "MANIFEST", conflicts_with = "inputs")]
    pub corpus: Option<PathBuf>,
    /// With --corpus, labels that are known to be wrong (JSON list of id, field, reason)
    #[arg(long, value_name = "FILE", requires = "corpus")]
    pub exceptions: Option<PathBuf>,
    /// For a file, the address it was downloaded from
    #[arg(long, value_name = "URL")]
    pub as_url: Option<url::Url>,
    /// For a file, its content type
    #[arg(long, value_name = "TYPE")]
    pub content_type: Option<String>,
}

/// Arguments of `extract`.
#[derive(Debug, Args)]
pub struct ExtractArgs {
    /// Addresses or files to read
    #[arg(required = true, value_name = "URL|FILE")]
    pub inputs: Vec<String>,
    /// For a file, the address that relative links are resolved against
    #[arg(long, value_name = "URL")]
    pub base_url: Option<url::Url>,
    /// List only addresses that may be services or files
    #[arg(long)]
    pub services: bool,
    /// Do not analyze the scripts of map applications
    #[arg(long)]
    pub no_scripts: bool,
    /// Render map applications in a browser (Chromium) when their code reveals nothing
    #[arg(long, conflicts_with = "no_scripts")]
    pub render: bool,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// Address, or id of a record
    #[arg(value_name = "URL|ID")]
    pub what: String,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Addresses or ids of records [default: the whole catalogue]
    #[arg(value_name = "URL|ID")]
    pub targets: Vec<String>,
    /// Kind of the resource, if it cannot be detected from the address, e.g. wms
    #[arg(long, value_name = "KIND", value_parser = values::KindParser, hide_possible_values = true)]
    pub kind: Option<String>,
    /// Number of layers to test
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub sample: usize,
    /// Obey robots.txt, as scheduled checks do
    #[arg(long)]
    pub robots: bool,
}
