//! Seed groups, yields by depth and group, saved ranking models, and the next frontier entries.

use super::Result;
use crate::focus::{DepthYield, IndicativeTerm, SavedModel, SeedGroup};
use crate::{FrontierEntry, RankedSeed, RunId};
use jiff::Timestamp;

/// Data that focuses runs. One contract suite runs against every backend.
pub trait FocusStore: Send + Sync {
    /// Returns the opened seed groups of a run, in order.
    fn list_seed_groups(&self, run: RunId) -> Result<Vec<SeedGroup>>;
    /// Records that a seed group is opened; a known group keeps its time.
    fn open_seed_group(&self, run: RunId, width: u32, seeds: u64, now: Timestamp) -> Result<()>;
    /// Records that a seed group has ended, and why; later calls change nothing.
    fn end_seed_group(&self, run: RunId, width: u32, why: &str, given_up: bool, now: Timestamp)
    -> Result<()>;

    /// Returns pages and finds of a run by depth, over all seed groups.
    fn yield_by_depth(&self, run: RunId) -> Result<Vec<DepthYield>>;
    /// Returns pages and finds of a run by seed group and depth.
    fn yield_by_seed_group(&self, run: RunId) -> Result<Vec<DepthYield>>;

    /// Returns at most `most` words that are frequent on pages that led to something new, and rare
    /// on other pages of the run.
    fn indicative_terms(&self, run: RunId, most: usize) -> Result<Vec<IndicativeTerm>>;
    /// Adds to the word counts of a run.
    fn add_terms(&self, run: RunId, terms: &[IndicativeTerm]) -> Result<()>;

    /// Returns the ranked seeds of a run, best first.
    fn ranked_seeds(&self, run: RunId) -> Result<Vec<RankedSeed>>;
    /// Saves the ranked seeds of a run in this order. A run that already has some keeps them, so
    /// that it continues as it began.
    fn save_ranked_seeds(&self, run: RunId, seeds: &[RankedSeed]) -> Result<()>;

    /// Returns the model that the ranking of this name has learned in all runs.
    fn load_model(&self, ordering: &str) -> Result<Option<SavedModel>>;
    /// Returns when that model was saved, without reading it.
    fn model_saved_at(&self, ordering: &str) -> Result<Option<Timestamp>>;
    /// Saves a model if the stored one is still the one saved at `over` (`None`: none stored yet).
    /// Returns the time under which it was saved, or `None` if another process has saved one since.
    fn save_model(
        &self,
        ordering: &str,
        bytes: &[u8],
        now: Timestamp,
        over: Option<Timestamp>,
    ) -> Result<Option<Timestamp>>;

    /// Returns at most `most` of the best pending entries of a run, a few per host, by the
    /// priorities they had when they were found. A learning ranking may rank them differently by
    /// now.
    fn next_entries(&self, run: RunId, most: usize) -> Result<Vec<FrontierEntry>>;

    /// Returns the total running time of a run in milliseconds.
    fn time_taken(&self, run: RunId) -> Result<u64>;
    /// Adds to the running time of a run, in milliseconds.
    fn add_time_taken(&self, run: RunId, millis: u64) -> Result<()>;
}
