//! Command lines of `demo` and `simweb`.

use super::values;
use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Arguments of `demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Address to listen on [default: 127.0.0.1:8080, or a free port]
    #[arg(long, value_name = "[IP:]PORT", value_parser = values::listen_address)]
    pub listen: Option<SocketAddr>,
    /// Exit when the crawl is finished instead of serving the application
    #[arg(long)]
    pub no_serve: bool,
    /// Seed of the simulated web
    #[arg(long, default_value_t = 7)]
    pub seed: u64,
    /// Number of hosts
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u64).range(10..=20_000))]
    pub hosts: u64,
}

/// Arguments of `simweb`.
#[derive(Debug, Args)]
pub struct SimwebArgs {
    /// Seed of the simulated web; the same seed and size always give the same web
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of hosts
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u64).range(10..=20_000))]
    pub hosts: u64,
    /// Approximate number of pages [default: 60 per host]
    #[arg(long)]
    pub pages: Option<u64>,
    /// Include all hostile hosts
    #[arg(long)]
    pub hostile: bool,
    /// Address to listen on; loopback only
    #[arg(long, default_value = "127.0.0.1:8090", value_name = "[IP:]PORT", value_parser = values::listen_address)]
    pub listen: SocketAddr,
    /// Write the ground truth to this file (JSON)
    #[arg(long, value_name = "FILE")]
    pub truth: Option<PathBuf>,
    /// Log every request to this file (JSON Lines)
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Write the web as archives to this folder instead of serving it (WARC, WAT, WET, CDXJ,
    /// Parquet)
    #[arg(long, value_name = "DIR", conflicts_with = "log")]
    pub archive: Option<PathBuf>,
    /// With --archive, add further webs until the WARC file has N megabytes before compression
    #[arg(long, value_name = "N", requires = "archive")]
    pub archive_megabytes: Option<u64>,
}
