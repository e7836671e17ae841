//! Those who are compared. Each file knows how to get its crawler ready and how to start it.

mod floor;
mod geotrawl;
mod scrapy;
mod spider;

use super::serve::SiteInfo;
use crate::cores::PinnedCores;
use anyhow::Result;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The two shapes of the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SiteLayout {
    /// Many hosts, as a crawl of the web meets them.
    ManyHosts,
    /// One host, for peers that stay on the host they started from.
    OneHost,
}

/// Where things are and what may be done to get a peer ready.
pub struct PeerSetup {
    pub root: PathBuf,
    /// Builds, environments and databases of the bench.
    pub work: PathBuf,
    pub cores: PinnedCores,
    /// Whether missing tools may be installed (into `work`).
    pub install: bool,
    /// Further arguments for Geotrawl, to try settings out.
    pub geotrawl_arguments: Vec<String>,
    /// A Geotrawl of earlier, to compare with.
    pub first: Option<PathBuf>,
    /// A database of ours, for the shared store.
    pub postgres: Option<String>,
}

/// How a peer is started on a site, with a scratch directory of its own.
type StartPeer = Box<dyn Fn(&PeerSetup, &SiteInfo, &Path) -> Command>;

/// A crawler, ready to run.
pub struct CrawlPeer {
    /// Name in the JSON and for `--only`.
    pub id: &'static str,
    /// Name in the table.
    pub title: String,
    pub layouts: &'static [SiteLayout],
    pub start: StartPeer,
    /// Directory in the scratch directory where it keeps what it knows.
    pub keeps: Option<&'static str>,
    /// Shown for orientation and compared with nobody: the first round is enough.
    pub once: bool,
}

/// A crawler that cannot be measured here, and why.
#[derive(Debug, Clone, Serialize)]
pub struct MissingPeer {
    pub peer: &'static str,
    pub reason: String,
}

type PreparePeer = fn(&PeerSetup) -> Result<Vec<CrawlPeer>>;

/// All, in the order of the table.
const PEERS: &[(&str, PreparePeer)] = &[
    ("floor", floor::prepare),
    ("geotrawl", geotrawl::prepare),
    ("first", geotrawl::prepare_first),
    ("postgres", geotrawl::prepare_postgres),
    ("spider", spider::prepare),
    ("scrapy", scrapy::prepare),
];

/// Gets all wanted peers ready (`only` empty = all); one that cannot be is named, not fatal.
pub fn prepare_peers(setting: &PeerSetup, only: &[String]) -> (Vec<CrawlPeer>, Vec<MissingPeer>) {
    let (mut ready, mut missing) = (Vec::new(), Vec::new());
    for (name, prepare) in
        PEERS.iter().filter(|(name, _)| only.is_empty() || only.iter().any(|one| one == name))
    {
        match prepare(setting) {
            Ok(peers) => ready.extend(peers),
            Err(error) => missing.push(MissingPeer { peer: name, reason: format!("{error:#}") }),
        }
    }
    (ready, missing)
}

/// The names that `--only` takes.
pub fn peer_names() -> impl Iterator<Item = &'static str> {
    PEERS.iter().map(|(name, _)| *name)
}
