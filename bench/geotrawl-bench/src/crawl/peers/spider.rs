//! The `spider` crate, from `bench/spider`: a separate project, so that its 270 crates are not part
//! of the workspace.
//!
//! It does not follow links to other loopback addresses, hence the one-host site only.

use super::{CrawlPeer, PeerSetup, SiteInfo, SiteLayout};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

const CONCURRENCY: usize = 64;

pub fn prepare(setting: &PeerSetup) -> Result<Vec<CrawlPeer>> {
    let target = setting.work.join("spider");
    let program = target.join("release/bench-spider");
    if !program.exists() && !setting.install {
        bail!("not built, and --no-install is set");
    }
    if !program.exists() {
        println!("bench: building the spider crate (once, some minutes) ...");
    }
    let mut build = Command::new("cargo");
    build.args(["build", "--release", "--locked", "--quiet", "--manifest-path"]);
    build.arg(setting.root.join("bench/spider/Cargo.toml")).arg("--target-dir").arg(&target);
    if !build.status().context("cannot start cargo")?.success() {
        bail!("cannot build bench/spider");
    }
    let start = Box::new(move |setting: &PeerSetup, site: &SiteInfo, _: &Path| {
        let mut command = setting.cores.measured_command(&program);
        command.arg(&site.seed).arg(CONCURRENCY.to_string());
        command
    });
    Ok(vec![CrawlPeer {
        id: "spider",
        title: format!("spider 2.53, c{CONCURRENCY}"),
        layouts: &[SiteLayout::OneHost],
        start,
        keeps: None,
        once: false,
    }])
}
