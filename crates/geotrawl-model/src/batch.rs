//! Finished items of a crawl, and what committing them did.

use crate::{
    AddedLinks, Evidence, FrontierEntry, FrontierEntryId, HarvestedPage, NewLink, PageOutcome, Record,
    Resource, RobotsRecord, RunId, Status, Theme,
};

/// A batch of finished items.
#[derive(Debug, Clone, Default)]
pub struct CrawlBatch {
    pub run: RunId,
    pub done: Vec<FinishedItem>,
    pub robots: Vec<RobotsRecord>,
    pub now: jiff::Timestamp,
}

/// One finished item and all it gave.
#[derive(Debug, Clone)]
pub struct FinishedItem {
    /// As [`crate::store::CrawlStore::pending`] gave it: host, priority and id find it again.
    pub item: FrontierEntry,
    pub outcome: PageOutcome,
    pub links: Vec<NewLink>,
    pub found: Vec<FoundResource>,
    /// What a page of a catalogue held.
    pub harvest: Option<Box<HarvestedPage>>,
}

impl FinishedItem {
    /// An item that gave nothing but its outcome.
    pub fn new(item: FrontierEntry, outcome: PageOutcome) -> Self {
        Self { item, outcome, links: Vec::new(), found: Vec::new(), harvest: None }
    }
}

/// A resource with what proves it: from the reader of a document to the row of the catalogue.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoundResource {
    pub resource: Resource,
    pub status: Status,
    pub reason: String,
    pub evidence: Evidence,
    pub ip: Option<String>,
    /// What it is about; replaces what is stored when its content does.
    pub themes: Vec<Theme>,
}

impl FoundResource {
    /// A resource and why we believe in it, e.g. `root {http://www.opengis.net/wms}WMS_Capabilities version 1.3.0`; the
    /// request that proved it is added when it is over.
    pub fn new(resource: Resource, rule: impl Into<String>) -> Self {
        let evidence = Evidence { rule: rule.into(), ..Evidence::default() };
        Self { resource, evidence, ..Self::default() }
    }
}

/// What a commit did.
#[derive(Debug, Clone, Default)]
pub struct CommitSummary {
    pub added: AddedLinks,
    /// Records that were born, changed or proven for the first time in their run in this batch, for
    /// printing and events.
    pub resources: Vec<StoredResource>,
    /// Items of the batch that were not pending (closed by an earlier batch): nothing of them was taken.
    pub ignored: u64,
    /// Which they are; of a host whose loan was lost, all its items.
    pub left_out: Vec<FrontierEntryId>,
}

/// A resource after a commit.
#[derive(Debug, Clone)]
pub struct StoredResource {
    pub record: Record,
    /// First time in this catalogue.
    pub born: bool,
    /// First time in this run: printed once.
    pub first_in_run: bool,
    /// The item that proved it; of several in one batch the first.
    pub item: FrontierEntryId,
}
