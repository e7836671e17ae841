//! Experiments that one command reproduces: real crawls of simulated webs, written to
//! `docs/experiments/` as tables and plots, with the results published in papers.

mod crawl;
mod curve;
mod drift;
mod hops;
mod plot;
mod quickness;
mod ways;
mod width;

use anyhow::{Result, ensure};
use geotrawl_simweb::{SimWeb, SimWebConfig};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Options of `experiments`.
#[derive(Debug, clap::Args)]
pub struct ExperimentOptions {
    /// Seeds of the simulated webs; those from 101 on are rejected because they train the model
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3, 4, 5])]
    seeds: Vec<u64>,
    /// Number of hosts per web
    #[arg(long, default_value_t = 300)]
    hosts: usize,
    /// Only these: quickness, hops, width, ways, drift
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Only these rankings [default: all]
    #[arg(long, value_delimiter = ',')]
    orderings: Vec<String>,
    /// Folder for tables and plots [default: docs/experiments]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Fail if a target is missed
    #[arg(long)]
    strict: bool,
}

/// First seed of the webs that train the model.
const TRAINING: u64 = 101;

/// Collects the results, and whether all targets were met.
pub struct ExperimentReport {
    folder: PathBuf,
    text: String,
    short: Vec<String>,
}

impl ExperimentReport {
    /// Adds a line to the report and prints it.
    fn say(&mut self, line: impl AsRef<str>) {
        println!("{}", line.as_ref());
        let _ = writeln!(self.text, "{}", line.as_ref());
    }

    /// Adds a target and the result.
    fn bar(&mut self, met: bool, words: &str) {
        self.say(format!("- {}: {words}", if met { "met" } else { "short" }));
        if !met {
            self.short.push(words.to_owned());
        }
    }

    /// Writes the lines so far as a page, and starts a new one.
    fn page(&mut self, name: &str) -> Result<()> {
        let text = std::mem::take(&mut self.text);
        std::fs::write(self.folder.join(name), text.trim_end().to_owned() + "\n")?;
        Ok(())
    }

    fn plot(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// Runs the experiments.
pub fn run(root: &Path, options: &ExperimentOptions) -> Result<()> {
    ensure!(
        options.seeds.iter().all(|&seed| seed < TRAINING),
        "webs from seed {TRAINING} on train the model; experiments must use others"
    );
    let folder = options.out.clone().unwrap_or_else(|| root.join("docs/experiments"));
    std::fs::create_dir_all(&folder)?;
    let mut report = ExperimentReport { folder, text: String::new(), short: Vec::new() };
    let wanted = |name: &str| options.only.is_empty() || options.only.iter().any(|only| only == name);
    let webs: Vec<SimWeb> = options.seeds.iter().map(|&seed| web(seed, options.hosts)).collect();
    if wanted("quickness") {
        quickness::run(&webs, &options.orderings, &mut report)?;
    }
    if wanted("hops") {
        hops::run(&webs, &mut report)?;
    }
    if wanted("width") {
        width::run(&webs, &mut report)?;
    }
    if wanted("ways") {
        ways::run(&webs, &mut report)?;
    }
    if wanted("drift") {
        drift::run(&webs, &mut report)?;
    }
    ensure!(!options.strict || report.short.is_empty(), "targets missed: {}", report.short.join("; "));
    Ok(())
}

fn web(seed: u64, hosts: usize) -> SimWeb {
    SimWeb::generate(SimWebConfig { seed, hosts, latency: crawl::LATENCY, ..SimWebConfig::default() })
}
