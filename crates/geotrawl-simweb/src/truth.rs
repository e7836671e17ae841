//! The ground truth of a simulated web, as data and as JSON.

use crate::robots::RobotsSummary;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The ground truth of a simulated web.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GroundTruth {
    /// Seed number of the web.
    pub seed: u64,
    /// Number of hosts, without twins and hostile hosts.
    pub hosts: usize,
    /// Number of HTML pages.
    pub pages: usize,
    /// Start URLs for a crawl.
    pub seeds: Vec<String>,
    /// Every service and file that exists.
    pub resources: Vec<TruthResource>,
    /// Look-alikes that must not be claimed.
    pub negatives: Vec<LookAlike>,
    /// Traps with endless pages.
    pub traps: Vec<TrapTruth>,
    /// Host names that must never be requested.
    pub canaries: Vec<String>,
    /// Meaning of robots.txt per host name.
    pub robots: BTreeMap<String, RobotsSummary>,
    /// Hostile responses that a crawler must survive, linked or not.
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
    /// Supported versions, ascending.
    pub versions: Vec<String>,
    /// Title in its document.
    pub title: String,
    /// Absent where the number is debatable (KML, catalogues).
    pub dataset_count: Option<usize>,
    /// Dataset names in document order.
    pub names: Vec<String>,
    /// Union of the boxes of its datasets: west, south, east, north.
    pub bbox: Option<[f64; 4]>,
    /// Discovery methods: `href-capabilities`, `text`, `js:leaflet`, ...
    pub ways: Vec<String>,
    /// At least one discovery method works on the surface of a page that can be reached by allowed
    /// links from the seeds.
    pub surface: bool,
    /// Smallest link depth of a page (or document) that reveals it on the surface.
    pub depth: Option<u32>,
    /// The cheapest level of code analysis that finds it, if scripts and configurations of
    /// reachable pages reveal it: 2 = values are folded, 3 = the code is run. Absent if no code
    /// leads to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// Main name of its host, not that of a twin.
    pub host: String,
    /// Whether robots.txt allows requests to it through every alias.
    pub robots_allowed: bool,
    /// Whether a conformant XML parser accepts its document.
    pub wellformed: bool,
    /// Set for a kind that is derived from the document of another kind (`wcps` from `wcs`):
    /// finding it is correct, missing it does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile_of: Option<String>,
}

/// Something that looks like a resource but is not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LookAlike {
    pub url: String,
    /// Why it is not a resource, e.g. `exception-200`.
    pub reason: String,
    pub host: String,
    pub robots_allowed: bool,
}

/// A trap with endless pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrapTruth {
    /// `calendar`, `session`, ...
    pub kind: String,
    pub host: String,
    /// Every request to this host whose target starts with this is a request to the trap.
    pub prefix: String,
    /// Where a crawler enters the trap.
    pub entry: String,
}

/// A hostile response that can be tested alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostileCase {
    pub name: String,
    pub url: String,
    /// Expected result of a fetch: `too-large`, `timeout`, `redirect-limit`, `protocol`,
    /// `retry-later`, `ok`, ...
    pub expect: String,
}
