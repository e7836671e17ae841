//! Runs the store's own benchmark: a large frontier, and the cost of a known URL.

use super::peers::PeerSetup;
use crate::child;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Report of the store's benchmark. The whole report is passed on; these figures are shown or
/// judged.
#[derive(Debug, Clone, Deserialize)]
pub struct FrontierReport {
    pub known: u64,
    pub restart_s: f64,
    pub peak_rss_bytes: u64,
    pub memory_bytes_per_known_url: f64,
    pub disk_bytes_per_known_url: f64,
    pub links_per_cpu_s: f64,
    pub steps: Vec<InsertStep>,
    /// The whole report.
    #[serde(skip)]
    pub all: serde_json::Value,
}

/// One stretch of adding links.
#[derive(Debug, Clone, Deserialize)]
pub struct InsertStep {
    pub links_per_s: f64,
}

impl FrontierReport {
    /// Returns the rate of the slowest stretch.
    pub fn slowest_rate(&self) -> f64 {
        self.steps.iter().map(|step| step.links_per_s).reduce(f64::min).unwrap_or_default()
    }
}

const EXAMPLE: &str = "crates/geotrawl-store/examples/frontier_bench.rs";
const LIMIT: Duration = Duration::from_hours(1);

/// Builds and runs the benchmark with this number of URLs, on the core of the measured program.
pub fn measure_frontier(setting: &PeerSetup, scratch: &Path, urls: u64) -> Result<FrontierReport> {
    if !setting.root.join(EXAMPLE).exists() {
        bail!("{EXAMPLE} does not exist");
    }
    let mut build = Command::new("cargo");
    build.args(["build", "--release", "--quiet", "-p", "geotrawl-store", "--example", "frontier_bench"]);
    if !build.current_dir(&setting.root).status().context("cannot start cargo")?.success() {
        bail!("cannot build {EXAMPLE}");
    }
    let (data, json) = (scratch.join("frontier"), scratch.join("frontier.json"));
    let mut command =
        setting.cores.measured_command(setting.root.join("target/release/examples/frontier_bench"));
    command.args(["--urls", &urls.to_string(), "--dir"]).arg(&data).arg("--json").arg(&json);
    let measured = child::run_measured(command, scratch, LIMIT);
    if data.exists() {
        std::fs::remove_dir_all(&data)?;
    }
    measured?;
    let all: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json)?)?;
    let frontier = FrontierReport::deserialize(&all)?;
    Ok(FrontierReport { all, ..frontier })
}
