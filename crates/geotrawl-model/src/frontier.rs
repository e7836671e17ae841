//! Links and frontier entries of a crawl.

use crate::{DiscoveryMethod, Intent, RobotsRecord};
use serde::{Deserialize, Serialize};

/// Number of a host: scheme, name and port together (`https://example.org`,
/// `http://example.org:8080`).
pub type HostId = i64;

/// Number of a frontier entry; becomes the id of the page.
pub type FrontierEntryId = i64;

/// A link to add to the frontier. `url` is canonical. `key` (intent and URL) identifies the
/// request; the frontier holds each key once per run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewLink {
    pub key: String,
    pub url: String,
    /// Scheme, host and port, e.g. `https://example.org`.
    pub host: String,
    pub intent: Intent,
    /// Smaller values are requested sooner.
    pub priority: u32,
    pub depth: u32,
    /// The page that contains the link.
    pub parent: Option<FrontierEntryId>,
    pub way: DiscoveryMethod,
    pub words: String,
    /// Number of consecutive redirects that led here.
    pub hops: u32,
    /// Position in its run.
    pub bearing: CrawlContext,
}

impl NewLink {
    /// Returns the key that identifies a request with this intent to this URL.
    pub fn key_of(intent: &Intent, url: &str) -> String {
        let mut key = intent.request_key();
        key.push(' ');
        key.push_str(url);
        key
    }
}

/// A pending entry of the frontier.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrontierEntry {
    pub id: FrontierEntryId,
    pub host: HostId,
    pub url: String,
    pub intent: Intent,
    pub priority: u32,
    pub depth: u32,
    pub parent: Option<FrontierEntryId>,
    pub way: DiscoveryMethod,
    pub words: String,
    pub hops: u32,
    /// Failed attempts so far that may be retried.
    pub attempts: u32,
    /// Position in its run.
    pub bearing: CrawlContext,
}

/// Position of a link in its run besides its depth. Stored with frontier entries and pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CrawlContext {
    /// The seed group that it descends from, from 1.
    pub width: u32,
    /// What the ranking remembers about the page that contains the link.
    pub origin: u32,
    /// Links since the last page with a find, counted at the page that contains the link; 0 for
    /// seeds.
    pub distance: u32,
}

impl Default for CrawlContext {
    fn default() -> Self {
        Self { width: 1, origin: 0, distance: 0 }
    }
}

/// A host with pending entries.
#[derive(Debug, Clone, PartialEq)]
pub struct HostWork {
    pub host: HostId,
    /// Scheme, host and port.
    pub name: String,
    pub pending: u64,
    pub best_priority: u32,
    /// Entries of this host that are done in this run.
    pub done: u64,
    pub robots: Option<RobotsRecord>,
    /// Remaining crawl delay that the previous holder of the host's lease left behind.
    pub rest: std::time::Duration,
}

/// Result of adding links.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddedLinks {
    pub new: u64,
    pub known: u64,
    /// Hosts that gained pending entries.
    pub hosts: Vec<HostId>,
    /// Best priority among the new entries of each of these hosts.
    pub heads: Vec<(HostId, u32)>,
    /// Number of new entries that are neither pages nor sitemaps, by the entry that showed them.
    pub probes: Vec<(FrontierEntryId, u32)>,
}

/// A page that was finished earlier.
#[derive(Debug, Clone, PartialEq)]
pub struct PastPage {
    pub url: String,
    pub intent: Intent,
    pub class: String,
    pub reason: String,
    pub simhash: Option<u64>,
    pub found: u32,
}
