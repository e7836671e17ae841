//! The domain model: resources and what is known about them, tasks, accounts and the store traits.
//!
//! Plain data that is stored, exchanged and displayed, the rules that depend on nothing else, and
//! the traits that every store implements ([`store`]). No I/O, no clock, and no database
//! dependency.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod account;
pub mod alert;
pub mod archived_page;
mod batch;
mod bbox;
mod catalogue_record;
pub mod change;
mod check;
pub mod collection;
mod error;
mod event;
mod evidence;
pub mod focus;
mod frontier;
pub mod host_report;
mod intent;
mod issue;
pub mod live;
pub mod monitoring;
pub mod notice;
mod page_outcome;
mod record;
pub mod report;
mod resource;
mod robots;
mod run;
pub mod schedule;
mod score;
pub mod search_engine;
mod seed;
pub mod standing;
pub mod statistics;
mod status;
pub mod store;
pub mod successor;
pub mod task;
pub mod uptime;
pub mod web_archive;

pub use batch::{CommitSummary, CrawlBatch, FinishedItem, FoundResource, StoredResource};
pub use bbox::Bbox;
pub use catalogue_record::{CatalogueRecord, HarvestedPage, HarvestedRecord, RecordLink};
pub use check::{
    Check, CheckFailure, CheckRequest, CheckResponse, Facts, Observation, Outcome, Phases, Purpose,
};
pub use error::StoreError;
pub use event::StreamEvent;
pub use evidence::{ChainLink, Evidence, ExplainedResource, Explanation, UrlVisit};
pub use frontier::{
    AddedLinks, CrawlContext, FrontierEntry, FrontierEntryId, HostId, HostWork, NewLink, PastPage,
};
pub use intent::{DiscoveryMethod, Intent, UnknownIntentError};
pub use issue::{Issue, ParsedValue};
pub use page_outcome::{OutcomeTally, PageOutcome};
pub use record::{
    Host, MovedTo, Precision, Provenance, Record, RecordFilter, RelatedService, ShortRecord, Theme,
};
pub use resource::{Contact, Dataset, Resource, SharedText};
pub use robots::{RobotsRecord, RobotsVerdict};
pub use run::{OpenTask, RunCounters, RunId, TaskSpec, TaskState};
pub use score::{Cap, CheckHistory, Component, Point, Score};
pub use seed::{EngineMention, RankedSeed, Seed, SeedList};
pub use status::{Status, UnknownStatusError};
