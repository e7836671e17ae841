//! The bare loop, in its own process like all peers.

use super::{CrawlPeer, PeerSetup, SiteLayout};
use anyhow::Result;

/// Concurrent requests, as for the other peers.
const CONCURRENCY: usize = 64;

pub fn prepare(_: &PeerSetup) -> Result<Vec<CrawlPeer>> {
    let program = std::env::current_exe()?;
    let start = Box::new(move |setting: &PeerSetup, site: &super::SiteInfo, _: &std::path::Path| {
        let mut command = setting.cores.measured_command(&program);
        command.args(["floor", &site.seed, "--concurrency", &CONCURRENCY.to_string()]);
        command.args(["--per-host", &CONCURRENCY.div_ceil(site.hosts).to_string()]);
        command
    });
    Ok(vec![CrawlPeer {
        id: "floor",
        title: format!("floor: hyper + lol_html, c{CONCURRENCY}"),
        layouts: &[SiteLayout::ManyHosts, SiteLayout::OneHost],
        start,
        keeps: None,
        once: false,
    }])
}
