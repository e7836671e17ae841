//! The rounds: every peer on every site it can crawl, one after another, repeated. Interleaved, so
//! that a machine that becomes slower affects all of them.

use super::peers::{CrawlPeer, PeerSetup, SiteLayout};
use super::server::SiteServer;
use crate::child::{self, ProcessUsage};
use crate::statistics::FigureSpread;
use crate::usage::disk_bytes;
use anyhow::{Result, ensure};
use serde::Serialize;
use std::path::Path;
use std::time::Duration;

/// One crawl of the whole site.
#[derive(Debug, Clone, Serialize)]
pub struct PeerRun {
    pub usage: ProcessUsage,
    pub pages: u64,
    /// Requests beyond one per page: robots.txt, repeated pages.
    pub further_requests: u64,
    /// Bytes left on disk, for peers with persistent state.
    pub disk_bytes: Option<u64>,
}

impl PeerRun {
    pub fn pages_per_second(&self) -> f64 {
        self.pages as f64 / self.usage.wall_s
    }

    pub fn cpu_per_1000_pages(&self) -> f64 {
        self.usage.cpu_s() * 1_000.0 / self.pages as f64
    }

    /// Returns the peak memory per URL of the site, all of which are known in the end.
    pub fn memory_per_url(&self) -> f64 {
        self.usage.peak_rss_bytes as f64 / self.pages as f64
    }
}

/// All runs of one peer on one site.
#[derive(Debug, Clone, Serialize)]
pub struct PeerRow {
    pub peer: &'static str,
    pub title: String,
    pub site: SiteLayout,
    pub runs: Vec<PeerRun>,
    /// Why there are no (more) runs.
    pub failure: Option<String>,
}

impl PeerRow {
    /// Returns the median and range of a figure of the runs.
    pub fn spread(&self, figure: impl Fn(&PeerRun) -> f64) -> Option<FigureSpread> {
        FigureSpread::from_figures(self.runs.iter().map(figure))
    }
}

/// Time per page that even the slowest peer does not need; a run that takes longer hangs.
const MOST_PER_PAGE: Duration = Duration::from_millis(100);
const MOST_BESIDES: Duration = Duration::from_mins(2);

/// Crawls `repeats` times with every peer. A peer that fails is excluded from further rounds.
pub fn run(
    setting: &PeerSetup,
    peers: &[CrawlPeer],
    servers: &mut [(SiteLayout, SiteServer)],
    scratch: &Path,
    repeats: usize,
) -> Vec<PeerRow> {
    let mut rows: Vec<PeerRow> = servers
        .iter()
        .flat_map(|(site, _)| {
            peers.iter().filter(|peer| peer.layouts.contains(site)).map(|peer| PeerRow {
                peer: peer.id,
                title: peer.title.clone(),
                site: *site,
                runs: Vec::new(),
                failure: None,
            })
        })
        .collect();
    for round in 1..=repeats {
        for row in rows.iter_mut().filter(|row| row.failure.is_none()) {
            let peer = peers.iter().find(|peer| peer.id == row.peer);
            let server = servers.iter_mut().find(|(site, _)| *site == row.site);
            let (Some(peer), Some((_, server))) = (peer, server) else { continue };
            if peer.once && round > 1 {
                continue;
            }
            let label =
                format!("bench: round {round} of {repeats}, {} on {}", row.title, describe_layout(row.site));
            match crawl(setting, peer, server, &scratch.join("crawl")) {
                Ok(run) => {
                    println!("{label}: {:.3} CPU s per 1,000 pages", run.cpu_per_1000_pages());
                    row.runs.push(run);
                }
                Err(error) => {
                    println!("{label}: {error:#}");
                    row.failure = Some(format!("{error:#}"));
                }
            }
        }
    }
    rows
}

/// Describes the site in words.
pub fn describe_layout(site: SiteLayout) -> &'static str {
    match site {
        SiteLayout::ManyHosts => "many hosts",
        SiteLayout::OneHost => "one host",
    }
}

fn crawl(setting: &PeerSetup, peer: &CrawlPeer, server: &mut SiteServer, scratch: &Path) -> Result<PeerRun> {
    if scratch.exists() {
        std::fs::remove_dir_all(scratch)?;
    }
    std::fs::create_dir_all(scratch)?;
    let pages = server.site.pages;
    server.read_tally()?;
    let command = (peer.start)(setting, &server.site, scratch);
    let limit = MOST_BESIDES + MOST_PER_PAGE * u32::try_from(pages).unwrap_or(u32::MAX);
    let (usage, _) = child::run_measured(command, scratch, limit)?;
    let tally = server.read_tally()?;
    ensure!(tally.pages == pages, "fetched {} of {pages} pages: not comparable", tally.pages);
    let disk_bytes = peer.keeps.map(|kept| disk_bytes(&scratch.join(kept))).transpose()?;
    std::fs::remove_dir_all(scratch)?;
    let further_requests = tally.page_requests - pages + tally.other_requests;
    Ok(PeerRun { usage, pages, further_requests, disk_bytes })
}
