//! `cluster`: several `geotrawl worker` processes on one throw-away PostgreSQL and one simulated web.
//!
//! - `cluster scaling`: how much faster a crawl that waits for its hosts gets with more workers.
//! - `cluster chaos`: workers are killed, the database falls, the network is cut; the catalogue must be the same.
//!
//! Both start everything they need, print what they measured in Markdown, and fail when a bar is missed. What the bars
//! mean is written down in docs/scale.md.

mod audit;
mod catalogue;
mod chaos;
mod hand;
mod lab;
mod plan;
mod relay;
mod repeats;
mod scaling;
#[cfg(test)]
mod tests;

use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// What every chore of this kind is told.
#[derive(Debug, Clone, clap::Args)]
pub struct ClusterOptions {
    /// The program whose workers are started; without it that of the release build
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Where the logs of the workers and the requests are kept; without it they are removed
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

impl ClusterOptions {
    fn program(&self, root: &Path) -> Result<PathBuf> {
        let program = self.program.clone().unwrap_or_else(|| root.join("target/release/geotrawl"));
        if !program.is_file() {
            bail!(
                "{} is not there: build it (cargo build --release), or name it with --program",
                program.display()
            );
        }
        Ok(program)
    }
}

#[derive(Debug, clap::Subcommand)]
pub enum ClusterCommand {
    /// How much faster a crawl gets with more workers
    Scaling(scaling::ScalingOptions),
    /// Kills, restarts and cuts; the catalogue must be the same
    Chaos(chaos::ChaosOptions),
}

/// Runs one of them.
pub fn run(root: &Path, cluster: &ClusterCommand) -> Result<()> {
    match cluster {
        ClusterCommand::Scaling(options) => scaling::run(root, options),
        ClusterCommand::Chaos(options) => chaos::run(root, options),
    }
}
