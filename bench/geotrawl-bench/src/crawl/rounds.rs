//! The rounds: every peer on every site it can crawl, one after the other, and again. Interleaved, so that a
//! machine that grows slower is slower for all of them.

use super::peers::{Layout, Peer, Setting};
use super::server::Server;
use crate::child::{self, Usage};
use crate::statistics::Spread;
use crate::usage::disk_bytes;
use anyhow::{Result, ensure};
use serde::Serialize;
use std::path::Path;
use std::time::Duration;

/// One crawl of the whole site.
#[derive(Debug, Clone, Serialize)]
pub struct Run {
    pub usage: Usage,
    pub pages: u64,
    /// Requests beyond one for each page: robots.txt, the same page twice.
    pub further_requests: u64,
    /// What was left on disk, for peers that persist.
    pub disk_bytes: Option<u64>,
}

impl Run {
    pub fn pages_per_second(&self) -> f64 {
        self.pages as f64 / self.usage.wall_s
    }

    pub fn cpu_per_1000_pages(&self) -> f64 {
        self.usage.cpu_s() * 1_000.0 / self.pages as f64
    }

    /// Peak memory over the site's URLs, which are all known at the end.
    pub fn memory_per_url(&self) -> f64 {
        self.usage.peak_rss_bytes as f64 / self.pages as f64
    }
}

/// All runs of one peer on one site.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    pub peer: &'static str,
    pub title: String,
    pub site: Layout,
    pub runs: Vec<Run>,
    /// Why there are no (more) runs.
    pub failure: Option<String>,
}

impl Row {
    /// Median and range of a figure of the runs.
    pub fn spread(&self, figure: impl Fn(&Run) -> f64) -> Option<Spread> {
        Spread::of(self.runs.iter().map(figure))
    }
}

/// Time for one page that even the slowest peer does not need; more than that for all pages is a hang.
const MOST_PER_PAGE: Duration = Duration::from_millis(100);
const MOST_BESIDES: Duration = Duration::from_mins(2);

/// Crawls `repeats` times with every peer. A peer that fails is left out of the further rounds.
pub fn run(
    setting: &Setting,
    peers: &[Peer],
    servers: &mut [(Layout, Server)],
    scratch: &Path,
    repeats: usize,
) -> Vec<Row> {
    let mut rows: Vec<Row> = servers
        .iter()
        .flat_map(|(site, _)| {
            peers.iter().filter(|peer| peer.layouts.contains(site)).map(|peer| Row {
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
            let label = format!("bench: round {round} of {repeats}, {} on {}", row.title, words(row.site));
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

/// The site, in words.
pub fn words(site: Layout) -> &'static str {
    match site {
        Layout::ManyHosts => "many hosts",
        Layout::OneHost => "one host",
    }
}

fn crawl(setting: &Setting, peer: &Peer, server: &mut Server, scratch: &Path) -> Result<Run> {
    if scratch.exists() {
        std::fs::remove_dir_all(scratch)?;
    }
    std::fs::create_dir_all(scratch)?;
    let pages = server.site.pages;
    server.tally()?;
    let command = (peer.start)(setting, &server.site, scratch);
    let limit = MOST_BESIDES + MOST_PER_PAGE * u32::try_from(pages).unwrap_or(u32::MAX);
    let (usage, _) = child::run(command, scratch, limit)?;
    let tally = server.tally()?;
    ensure!(tally.pages == pages, "fetched {} of {pages} pages: not comparable", tally.pages);
    let disk_bytes = peer.keeps.map(|kept| disk_bytes(&scratch.join(kept))).transpose()?;
    std::fs::remove_dir_all(scratch)?;
    let further_requests = tally.page_requests - pages + tally.other_requests;
    Ok(Run { usage, pages, further_requests, disk_bytes })
}
