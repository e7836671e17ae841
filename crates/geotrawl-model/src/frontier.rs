//! Links and pending items of a crawl.

use crate::{DiscoveryMethod, Intent, RobotsRecord};
use serde::{Deserialize, Serialize};

/// A host: scheme, name and port together (`https://example.org`, `http://example.org:8080`).
pub type HostId = i64;

/// A frontier item; becomes the page's id when it is done.
pub type FrontierEntryId = i64;

/// A link to add to the frontier. `url` is canonical; `key` is what makes it the same request
/// (intent key + URL): the exact known-URL set is over `key`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewLink {
    pub key: String,
    pub url: String,
    /// Scheme, host and port, e.g. `https://example.org`.
    pub host: String,
    pub intent: Intent,
    /// Smaller is sooner.
    pub priority: u32,
    pub depth: u32,
    /// The page that showed it.
    pub parent: Option<FrontierEntryId>,
    pub way: DiscoveryMethod,
    pub words: String,
    /// How many redirects led here in a row.
    pub hops: u32,
    /// Where it stands in its run.
    pub bearing: CrawlContext,
}

impl NewLink {
    /// What makes a request of this intent to this URL the same as another.
    pub fn key_of(intent: &Intent, url: &str) -> String {
        let mut key = intent.request_key();
        key.push(' ');
        key.push_str(url);
        key
    }
}

/// A pending item of the frontier.
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
    /// Failed attempts so far that are worth repeating.
    pub attempts: u32,
    /// Where it stands in its run.
    pub bearing: CrawlContext,
}

/// Where a link stands in its run, beside its depth. Kept with pending items and pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CrawlContext {
    /// The group of seeds it descends from, from 1.
    pub width: u32,
    /// What the ordering keeps of the page that shows it.
    pub origin: u32,
    /// Links since a page that showed something, counted at the page that shows it; 0 for seeds.
    pub distance: u32,
}

impl Default for CrawlContext {
    fn default() -> Self {
        Self { width: 1, origin: 0, distance: 0 }
    }
}

/// A host with pending items.
#[derive(Debug, Clone, PartialEq)]
pub struct HostWork {
    pub host: HostId,
    /// Scheme, host and port.
    pub name: String,
    pub pending: u64,
    pub best_priority: u32,
    /// Items of this host done in this run.
    pub done: u64,
    pub robots: Option<RobotsRecord>,
    /// Whoever asked this host last wants it left alone for so long.
    pub rest: std::time::Duration,
}

/// What adding links did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddedLinks {
    pub new: u64,
    pub known: u64,
    /// Hosts that have gained pending items.
    pub hosts: Vec<HostId>,
    /// The best place among the new ones of each of these hosts.
    pub heads: Vec<(HostId, u32)>,
    /// How many of the new ones are neither pages nor sitemaps, by the item that showed them.
    pub probes: Vec<(FrontierEntryId, u32)>,
}

/// A page done earlier.
#[derive(Debug, Clone, PartialEq)]
pub struct PastPage {
    pub url: String,
    pub intent: Intent,
    pub class: String,
    pub reason: String,
    pub simhash: Option<u64>,
    pub found: u32,
}
