//! Where a run looks and why: its groups of seeds, what each depth and group gave, what orderings have learned, and
//! what comes next.

use super::Result;
use crate::focus::{DepthYield, IndicativeTerm, SavedModel, SeedGroup};
use crate::{FrontierEntry, RankedSeed, RunId};
use jiff::Timestamp;

/// Where runs look and why. One contract suite runs over every backend.
pub trait FocusStore: Send + Sync {
    /// The groups of seeds of a run, in order, those that were opened.
    fn list_seed_groups(&self, run: RunId) -> Result<Vec<SeedGroup>>;
    /// Notes that a group of seeds is opened; one that is known keeps its moment.
    fn open_seed_group(&self, run: RunId, width: u32, seeds: u64, now: Timestamp) -> Result<()>;
    /// Notes that a group of seeds has ended, and why; the first word counts.
    fn end_seed_group(&self, run: RunId, width: u32, why: &str, given_up: bool, now: Timestamp)
    -> Result<()>;

    /// Pages and finds of a run by depth, over all groups of seeds.
    fn yield_by_depth(&self, run: RunId) -> Result<Vec<DepthYield>>;
    /// Pages and finds of a run by group of seeds and depth.
    fn yield_by_seed_group(&self, run: RunId) -> Result<Vec<DepthYield>>;

    /// The most telling words of the pages of a run that led to something new: those that stand on many of them and
    /// on few others.
    fn indicative_terms(&self, run: RunId, most: usize) -> Result<Vec<IndicativeTerm>>;
    /// Adds to the counts of words.
    fn add_terms(&self, run: RunId, terms: &[IndicativeTerm]) -> Result<()>;

    /// The ranked seeds of a run, best first.
    fn ranked_seeds(&self, run: RunId) -> Result<Vec<RankedSeed>>;
    /// Keeps the ranked seeds of a run in this order. Those that a run has stay: it goes on as it began.
    fn save_ranked_seeds(&self, run: RunId, seeds: &[RankedSeed]) -> Result<()>;

    /// What the ordering of this name has learned in all runs.
    fn load_model(&self, ordering: &str) -> Result<Option<SavedModel>>;
    /// When that was saved, without reading it.
    fn model_saved_at(&self, ordering: &str) -> Result<Option<Timestamp>>;
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
    /// and at most a few of each host. An ordering that learns may see them otherwise by now: ask it.
    fn next_entries(&self, run: RunId, most: usize) -> Result<Vec<FrontierEntry>>;

    /// Milliseconds that a run has taken so far, all its parts together.
    fn time_taken(&self, run: RunId) -> Result<u64>;
    /// Adds to the milliseconds that a run has taken.
    fn add_time_taken(&self, run: RunId, millis: u64) -> Result<()>;
}
