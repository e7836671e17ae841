//! Command lines of `serve`, `worker`, `monitor` and `doctor`.

use super::values;
use clap::Args;
use std::net::SocketAddr;

/// Arguments of `serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Address to listen on; a port alone means this machine only
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "[IP:]PORT", value_parser = values::listen_address)]
    pub listen: SocketAddr,
    /// Run only these parts: web, worker, monitor [default: all]
    #[arg(long, value_delimiter = ',', value_name = "ROLE,...")]
    pub role: Vec<String>,
}

/// Arguments of `worker`.
#[derive(Debug, Args)]
pub struct WorkerArgs {
    /// Crawl at most N tasks at once
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    pub tasks: u16,
    /// Serve health, readiness and metrics on this address (/healthz, /readyz, /metrics)
    #[arg(long, value_name = "[IP:]PORT", value_parser = values::listen_address)]
    pub listen: Option<SocketAddr>,
}

/// Arguments of `monitor`.
#[derive(Debug, Args)]
pub struct MonitorArgs {
    /// Run the checks that are due now, then exit
    #[arg(long)]
    pub once: bool,
    /// Serve health, readiness and metrics on this address (/healthz, /readyz, /metrics)
    #[arg(long, value_name = "[IP:]PORT", value_parser = values::listen_address, conflicts_with = "once")]
    pub listen: Option<SocketAddr>,
}

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Address that `serve` will listen on
    #[arg(long, value_name = "[IP:]PORT", value_parser = values::listen_address, default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
}
