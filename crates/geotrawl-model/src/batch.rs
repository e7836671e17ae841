//! Finished frontier entries, and what committing them changed.

use crate::{
    AddedLinks, Evidence, FrontierEntry, FrontierEntryId, HarvestedPage, NewLink, PageOutcome, Record,
    Resource, RobotsRecord, RunId, Status, Theme,
};

/// A batch of finished frontier entries, committed as one transaction.
#[derive(Debug, Clone, Default)]
pub struct CrawlBatch {
    pub run: RunId,
    pub done: Vec<FinishedItem>,
    pub robots: Vec<RobotsRecord>,
    pub now: jiff::Timestamp,
}

/// A finished frontier entry and everything it produced.
#[derive(Debug, Clone)]
pub struct FinishedItem {
    /// As returned by [`crate::store::CrawlStore::pending_entries`]: host, priority and id locate
    /// it in the store.
    pub item: FrontierEntry,
    pub outcome: PageOutcome,
    pub links: Vec<NewLink>,
    pub found: Vec<FoundResource>,
    /// Contents of a catalogue page.
    pub harvest: Option<Box<HarvestedPage>>,
}

impl FinishedItem {
    /// Creates a finished entry without links or finds.
    pub fn new(item: FrontierEntry, outcome: PageOutcome) -> Self {
        Self { item, outcome, links: Vec::new(), found: Vec::new(), harvest: None }
    }
}

/// A resource with the evidence that proves it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoundResource {
    pub resource: Resource,
    pub status: Status,
    pub reason: String,
    pub evidence: Evidence,
    pub ip: Option<String>,
    /// Theme labels; they replace the stored ones when the content is replaced.
    pub themes: Vec<Theme>,
}

impl FoundResource {
    /// Creates a find with the rule that identified it, e.g. `root
    /// {http://www.opengis.net/wms}WMS_Capabilities version 1.3.0`. The rest of the evidence is
    /// filled in when the request is over.
    pub fn new(resource: Resource, rule: impl Into<String>) -> Self {
        let evidence = Evidence { rule: rule.into(), ..Evidence::default() };
        Self { resource, evidence, ..Self::default() }
    }
}

/// What a commit changed.
#[derive(Debug, Clone, Default)]
pub struct CommitSummary {
    pub added: AddedLinks,
    /// Records that were new, changed or proven for the first time in their run.
    pub resources: Vec<StoredResource>,
    /// Entries of the batch that were no longer pending; nothing of them was stored.
    pub ignored: u64,
    /// Ids of these entries. If the lease of a host was lost, this includes all its entries.
    pub left_out: Vec<FrontierEntryId>,
}

/// A resource as stored by a commit.
#[derive(Debug, Clone)]
pub struct StoredResource {
    pub record: Record,
    /// First proven in this catalogue.
    pub born: bool,
    /// First proven in this run, so it is printed once.
    pub first_in_run: bool,
    /// The frontier entry that proved it; the first one if the batch holds several.
    pub item: FrontierEntryId,
}
