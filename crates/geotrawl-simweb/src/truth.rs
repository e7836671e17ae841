//! The ground truth of a simulated web, as data and as JSON.

use crate::robots::RobotsSummary;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// All that is true about a simulated web.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GroundTruth {
    /// The seed number it was made from.
    pub seed: u64,
    /// Number of hosts, twins and hostile ones not counted.
    pub hosts: usize,
    /// Number of HTML pages.
    pub pages: usize,
    /// Where a crawl should start.
    pub seeds: Vec<String>,
    /// Every service and file that exists.
    pub resources: Vec<TruthResource>,
    /// What must not be claimed.
    pub negatives: Vec<LookAlike>,
    /// Where pages never end.
    pub traps: Vec<TrapTruth>,
    /// Host names that must never be asked for.
    pub canaries: Vec<String>,
    /// Per host name: what its robots.txt means.
    pub robots: BTreeMap<String, RobotsSummary>,
    /// Answers to be survived, linked or not.
    pub hostile: Vec<HostileCase>,
    /// The deepest page reachable by allowed links from the seeds.
    pub max_depth: u32,
    /// Pages reachable by allowed links and sitemaps from the seeds.
    pub reachable_pages: usize,
}

/// A service or a file that exists.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TruthResource {
    pub kind: String,
    /// Canonical endpoint without request parameters (vendor parameters kept); for files the URL.
    pub url: String,
    /// Other URLs under which the same resource answers.
    pub aliases: Vec<String>,
    /// Versions it speaks, ascending.
    pub versions: Vec<String>,
    /// Title as its document says it.
    pub title: String,
    /// Absent where the number is a matter of taste (KML, catalogues).
    pub dataset_count: Option<usize>,
    /// Dataset names in document order.
    pub names: Vec<String>,
    /// Union of its datasets: west, south, east, north.
    pub bbox: Option<[f64; 4]>,
    /// How it is revealed: `href-capabilities`, `text`, `js:leaflet`, ...
    pub ways: Vec<String>,
    /// At least one surface way on a page that can be reached by allowed links from the seeds.
    pub surface: bool,
    /// Smallest link depth of a page (or document) that reveals it on the surface.
    pub depth: Option<u32>,
    /// The cheapest way of reading code that finds it, for what scripts and configurations of reachable pages
    /// reveal: 2 values are folded, 3 the code is run. Absent where no code leads to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// Its host, without twins.
    pub host: String,
    /// Whether robots.txt lets it be asked, through every door.
    pub robots_allowed: bool,
    /// Whether a conformant XML parser accepts its document.
    pub wellformed: bool,
    /// Set for a kind that is read from another kind's document (`wcps` from `wcs`): found is right, missing is
    /// no miss.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile_of: Option<String>,
}

/// Something that looks like a resource and is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LookAlike {
    pub url: String,
    /// Why it must not be claimed, e.g. `exception-200`.
    pub reason: String,
    pub host: String,
    pub robots_allowed: bool,
}

/// A place where pages never end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrapTruth {
    /// `calendar`, `session`, ...
    pub kind: String,
    pub host: String,
    /// Every request to this host whose target starts so is a request to the trap.
    pub prefix: String,
    /// Where a crawler enters it.
    pub entry: String,
}

/// One hostile answer that can be tried alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostileCase {
    pub name: String,
    pub url: String,
    /// How a fetch should end: `too-large`, `timeout`, `redirect-limit`, `protocol`, `retry-later`, `ok`, ...
    pub expect: String,
}
