//! `cluster`: several `geotrawl worker` processes on a temporary PostgreSQL and a simulated web.
//!
//! - `cluster scaling`: how much faster a crawl that waits for its hosts becomes with more workers.
//! - `cluster chaos`: workers are killed, the database fails, the network is cut; the catalogue
//!   must be the same.
//!
//! Both start everything they need, print their results in Markdown, and fail if a target is
//! missed. docs/scale.md explains the targets.

mod audit;
mod catalogue;
mod chaos;
mod lab;
mod plan;
mod relay;
mod repeats;
mod scaling;
#[cfg(test)]
mod tests;
mod worker_process;

use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// Common options of `cluster` commands.
#[derive(Debug, Clone, clap::Args)]
pub struct ClusterOptions {
    /// Program to start workers from [default: the release build]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Folder to keep the logs of workers and requests in [default: they are removed]
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

impl ClusterOptions {
    fn program(&self, root: &Path) -> Result<PathBuf> {
        let program = self.program.clone().unwrap_or_else(|| root.join("target/release/geotrawl"));
        if !program.is_file() {
            bail!(
                "{} does not exist: build it (cargo build --release), or set it with --program",
                program.display()
            );
        }
        Ok(program)
    }
}

#[derive(Debug, clap::Subcommand)]
pub enum ClusterCommand {
    /// Measure how much faster a crawl becomes with more workers
    Scaling(scaling::ScalingOptions),
    /// Kill, restart and cut; the catalogue must be the same
    Chaos(chaos::ChaosOptions),
}

/// Runs a `cluster` command.
pub fn run(root: &Path, cluster: &ClusterCommand) -> Result<()> {
    match cluster {
        ClusterCommand::Scaling(options) => scaling::run(root, options),
        ClusterCommand::Chaos(options) => chaos::run(root, options),
    }
}
