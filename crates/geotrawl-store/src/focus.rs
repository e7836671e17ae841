//! Where a run looks and why: its groups of seeds, what each depth and group gave, what orderings have learned, and
//! what comes next.

use crate::{Item, Result, RunId};
use geotrawl_rank::{Link, Origin};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Where a link stands in its run, beside its depth. Kept with pending items and pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bearing {
    /// The group of seeds it descends from, from 1.
    pub width: u32,
    /// What the ordering keeps of the page that shows it.
    pub origin: u32,
    /// Links since a page that showed something, counted at the page that shows it; 0 for seeds.
    pub distance: u32,
}

impl Default for Bearing {
    fn default() -> Self {
        Self { width: 1, origin: 0, distance: 0 }
    }
}

impl Item {
    /// The link as orderings see it.
    pub fn link(&self) -> Link<'_> {
        Link {
            url: &self.url,
            words: &self.words,
            way: &self.way,
            depth: self.depth,
            width: self.bearing.width,
            origin: Origin(self.bearing.origin),
        }
    }
}

/// A group of seeds of a run. A run whose seeds are not grouped has one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Width {
    /// From 1.
    pub width: u32,
    pub opened: Timestamp,
    /// Seeds it was opened with.
    pub seeds: u64,
    /// Pages requested.
    pub pages: u64,
    /// Resources proven for the first time in the run.
    pub finds: u64,
    /// When it ended; absent while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Timestamp>,
    /// Why it ended, for people: one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// It ended by the stop rule: what is pending of it is closed unread.
    #[serde(default)]
    pub given_up: bool,
}

/// What one depth of a run gave; of all groups of seeds together, or of one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Level {
    /// Group of seeds; 0 when all are meant.
    pub width: u32,
    /// Links away from the seed: of pages their own, of finds that of the request that proved them, which is one more
    /// than that of the page that showed it.
    pub depth: u32,
    pub pages: u64,
    /// Resources proven for the first time in the run.
    pub finds: u64,
}

/// A word of pages that led to something new.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Term {
    pub term: String,
    /// Pages of the run with this word (in the title, or on the link that led there) that led to something new.
    pub gained: u64,
    /// Pages of the run with this word.
    pub seen: u64,
}

/// A seed with its place in a ranking, as search engines gave it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RankedSeed {
    pub url: String,
    /// Larger is sooner: the sum over engines of B - rank + 1.
    pub weight: f64,
    /// Who named it, and where in its list (from 1).
    pub named: Vec<NamedBy>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// One engine's word for a seed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedBy {
    pub engine: String,
    /// What it was asked.
    pub query: String,
    /// From 1.
    pub rank: u32,
}

/// What an ordering has learned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedModel {
    pub bytes: Vec<u8>,
    pub at: Timestamp,
}

/// Where runs look and why. One contract suite runs over every backend.
pub trait Focus: Send + Sync {
    /// The groups of seeds of a run, in order, those that were opened.
    fn widths(&self, run: RunId) -> Result<Vec<Width>>;
    /// Notes that a group of seeds is opened; one that is known keeps its moment.
    fn open_width(&self, run: RunId, width: u32, seeds: u64, now: Timestamp) -> Result<()>;
    /// Notes that a group of seeds has ended, and why; the first word counts.
    fn end_width(&self, run: RunId, width: u32, why: &str, given_up: bool, now: Timestamp) -> Result<()>;

    /// Pages and finds of a run by depth, over all groups of seeds.
    fn depths(&self, run: RunId) -> Result<Vec<Level>>;
    /// Pages and finds of a run by group of seeds and depth.
    fn levels(&self, run: RunId) -> Result<Vec<Level>>;

    /// The most telling words of the pages of a run that led to something new: those that stand on many of them and
    /// on few others.
    fn terms(&self, run: RunId, most: usize) -> Result<Vec<Term>>;
    /// Adds to the counts of words.
    fn add_terms(&self, run: RunId, terms: &[Term]) -> Result<()>;

    /// The ranked seeds of a run, best first.
    fn ranked_seeds(&self, run: RunId) -> Result<Vec<RankedSeed>>;
    /// Keeps the ranked seeds of a run in this order. Those that a run has stay: it goes on as it began.
    fn keep_ranked_seeds(&self, run: RunId, seeds: &[RankedSeed]) -> Result<()>;

    /// What the ordering of this name has learned in all runs.
    fn model(&self, ordering: &str) -> Result<Option<SavedModel>>;
    /// When that was saved, without reading it.
    fn model_saved(&self, ordering: &str) -> Result<Option<Timestamp>>;
    /// Keeps what the ordering of this name has learned, in place of what was saved at `over` (`None`: nothing yet). When
    /// somebody else has saved since, nothing is kept and the answer is `None`; else the moment under which it is kept.
    fn save_model(
        &self,
        ordering: &str,
        bytes: &[u8],
        now: Timestamp,
        over: Option<Timestamp>,
    ) -> Result<Option<Timestamp>>;

    /// The best pending items of a run over all hosts, by the places they had when they were found, at most `most`
    /// and at most a few of each host. An ordering that learns may see them otherwise by now: ask it
    /// ([`Item::link`]).
    fn next_items(&self, run: RunId, most: usize) -> Result<Vec<Item>>;

    /// Milliseconds that a run has taken so far, all its parts together.
    fn time_taken(&self, run: RunId) -> Result<u64>;
    /// Adds to the milliseconds that a run has taken.
    fn add_time(&self, run: RunId, millis: u64) -> Result<()>;
}
