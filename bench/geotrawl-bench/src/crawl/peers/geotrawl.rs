//! Geotrawl with everything enabled: robots.txt, identification, the store. Only politeness is off.

use super::{CrawlPeer, PeerSetup, SiteInfo, SiteLayout};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Maximum number of concurrent requests over all hosts.
const CONCURRENCY: usize = 64;
/// Deeper than any site of the bench.
const DEPTH: usize = 1_000;
/// Its data directory in the scratch directory.
const DATA: &str = "data";

const SITES: &[SiteLayout] = &[SiteLayout::ManyHosts, SiteLayout::OneHost];

/// Prepares the current program with the embedded store.
pub fn prepare(setting: &PeerSetup) -> Result<Vec<CrawlPeer>> {
    let program = ours(setting)?;
    Ok(vec![CrawlPeer {
        id: "geotrawl",
        title: format!("geotrawl, persisting, c{CONCURRENCY}"),
        layouts: SITES,
        start: Box::new(move |setting, site, scratch| embedded(&program, setting, site, scratch)),
        keeps: Some(DATA),
        once: false,
    }])
}

/// Prepares the program that was measured first.
pub fn prepare_first(setting: &PeerSetup) -> Result<Vec<CrawlPeer>> {
    let program = setting.first.clone().context("--first is not set")?;
    ensure!(program.exists(), "{} does not exist", program.display());
    Ok(vec![CrawlPeer {
        id: "first",
        title: format!("geotrawl when first measured, c{CONCURRENCY}"),
        layouts: SITES,
        start: Box::new(move |setting, site, scratch| embedded(&program, setting, site, scratch)),
        keeps: Some(DATA),
        once: false,
    }])
}

/// Prepares the current program with the shared store.
pub fn prepare_postgres(setting: &PeerSetup) -> Result<Vec<CrawlPeer>> {
    let program = ours(setting)?;
    let database = setting.postgres.clone().context("--postgres is not set")?;
    // A schema per run, so that each starts without known URLs.
    let runs = AtomicU32::new(0);
    let start = Box::new(move |setting: &PeerSetup, site: &SiteInfo, _: &Path| {
        let schema = format!("bench_{}_{}", std::process::id(), runs.fetch_add(1, Ordering::Relaxed));
        let joint = if database.contains('?') { '&' } else { '?' };
        let mut command = crawl(&program, setting, site);
        command.arg("--store").arg(format!("{database}{joint}schema={schema}"));
        command
    });
    let title = format!("geotrawl on PostgreSQL, c{CONCURRENCY}");
    Ok(vec![CrawlPeer { id: "postgres", title, layouts: SITES, start, keeps: None, once: false }])
}

fn ours(setting: &PeerSetup) -> Result<PathBuf> {
    let program = setting.root.join("target/release/geotrawl");
    ensure!(program.exists(), "the release binary is not built (cargo build --release -p geotrawl)");
    Ok(program)
}

fn embedded(program: &Path, setting: &PeerSetup, site: &SiteInfo, scratch: &Path) -> Command {
    let mut command = crawl(program, setting, site);
    command.arg("--data").arg(scratch.join(DATA));
    command
}

fn crawl(program: &Path, setting: &PeerSetup, site: &SiteInfo) -> Command {
    let mut command = setting.cores.measured_command(program);
    command.arg("crawl").arg(&site.seed);
    // Each host of the site has its own address, so the politeness per address has no effect.
    command.args(["--allow-net", "127.0.0.0/8", "--delay", "0"]);
    command.args(["--concurrency", &CONCURRENCY.to_string()]);
    command.args(["--host-concurrency", &CONCURRENCY.div_ceil(site.hosts).to_string()]);
    command.args(["--depth", &DEPTH.to_string(), "--max-per-host", &u32::MAX.to_string()]);
    command.args(["--json", "--quiet"]).args(&setting.geotrawl_arguments);
    command
}
