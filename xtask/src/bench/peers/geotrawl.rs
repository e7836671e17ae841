//! Geotrawl with everything on: robots.txt, identification, the store. Only politeness is off.

use super::{Layout, Peer, Ready, Setting};
use anyhow::{Result, bail};
use std::path::Path;

/// Requests at once, over all hosts.
const CONCURRENCY: usize = 64;
/// Deeper than any site of the bench.
const DEPTH: usize = 1_000;
/// Where it keeps what it knows, in its scratch directory.
const DATA: &str = "data";

pub fn prepare(setting: &Setting) -> Result<Vec<Peer>> {
    let program = setting.root.join("target/release/geotrawl");
    if !program.exists() {
        bail!("the release binary is not built (cargo build --release -p geotrawl)");
    }
    let start = Box::new(move |setting: &Setting, site: &Ready, scratch: &Path| {
        let mut command = setting.cores.measured(&program);
        command.arg("crawl").arg(&site.seed).arg("--data").arg(scratch.join(DATA));
        // Each host of the site is an address of its own, so the politeness per address binds nobody.
        command.args(["--allow-net", "127.0.0.0/8", "--delay", "0"]);
        command.args(["--concurrency", &CONCURRENCY.to_string()]);
        command.args(["--host-concurrency", &CONCURRENCY.div_ceil(site.hosts).to_string()]);
        command.args(["--depth", &DEPTH.to_string(), "--max-per-host", &u32::MAX.to_string()]);
        command.args(["--json", "--quiet"]).args(&setting.geotrawl_arguments);
        command
    });
    Ok(vec![Peer {
        id: "geotrawl",
        title: format!("geotrawl, persisting, c{CONCURRENCY}"),
        layouts: &[Layout::ManyHosts, Layout::OneHost],
        start,
        keeps: Some(DATA),
        once: false,
    }])
}
