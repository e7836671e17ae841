//! The compared crawlers. Each file prepares and starts one of them.

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

/// Settings for preparing and starting peers.
pub struct PeerSetup {
    pub root: PathBuf,
    /// Builds, environments and databases of the bench.
    pub work: PathBuf,
    pub cores: PinnedCores,
    /// Whether missing tools may be installed (into `work`).
    pub install: bool,
    /// Additional arguments for Geotrawl.
    pub geotrawl_arguments: Vec<String>,
    /// Earlier binary of Geotrawl to compare with.
    pub first: Option<PathBuf>,
    /// Database for the shared store.
    pub postgres: Option<String>,
}

/// Returns the command that starts a peer on a site, with its own scratch directory.
type StartPeer = Box<dyn Fn(&PeerSetup, &SiteInfo, &Path) -> Command>;

/// A crawler that is ready to run.
pub struct CrawlPeer {
    /// Name in the JSON and for `--only`.
    pub id: &'static str,
    /// Name in the table.
    pub title: String,
    pub layouts: &'static [SiteLayout],
    pub start: StartPeer,
    /// Its data directory in the scratch directory.
    pub keeps: Option<&'static str>,
    /// Shown for orientation only, so that one round is enough.
    pub once: bool,
}

/// A crawler that cannot be measured here, and the reason.
#[derive(Debug, Clone, Serialize)]
pub struct MissingPeer {
    pub peer: &'static str,
    pub reason: String,
}

type PreparePeer = fn(&PeerSetup) -> Result<Vec<CrawlPeer>>;

/// All peers in the order of the table.
const PEERS: &[(&str, PreparePeer)] = &[
    ("floor", floor::prepare),
    ("geotrawl", geotrawl::prepare),
    ("first", geotrawl::prepare_first),
    ("postgres", geotrawl::prepare_postgres),
    ("spider", spider::prepare),
    ("scrapy", scrapy::prepare),
];

/// Prepares all selected peers (`only` empty = all); returns those that cannot be prepared
/// separately.
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

/// Returns the names accepted by `--only`.
pub fn peer_names() -> impl Iterator<Item = &'static str> {
    PEERS.iter().map(|(name, _)| *name)
}
