//! The domain: what a resource is, what is known about it, what people ask for, and what a store must do.
//!
//! Plain data that is stored, exchanged and shown, with the rules that need nothing else, and the traits
//! that every store implements ([`store`]). No I/O, no clock, and no dependency on a database.

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

pub use batch::{Batch, Committed, Done, FoundResource, StoredResource};
pub use bbox::Bbox;
pub use catalogue_record::{CatalogueRecord, Harvested, HarvestedRecord, RecordLink};
pub use check::{Answered, Asked, Check, Facts, Failed, Observation, Outcome, Phases, Purpose};
pub use error::StoreError;
pub use event::Event;
pub use evidence::{ChainLink, Evidence, ExplainedResource, Explanation, Visit};
pub use frontier::{Added, Bearing, HostId, HostWork, Item, ItemId, NewLink, PastPage};
pub use intent::{Intent, UnknownIntent, Way};
pub use issue::{Issue, Parsed};
pub use page_outcome::{PageOutcome, Tally};
pub use record::{Face, Host, MovedTo, Precision, Provenance, Record, RecordFilter, ShortRecord, Theme};
pub use resource::{Contact, Dataset, Resource, Shared};
pub use robots::{RobotsRecord, RobotsVerdict};
pub use run::{Counters, OpenTask, RunId, TaskSpec, TaskState};
pub use score::{Cap, Component, History, Point, Score};
pub use seed::{NamedBy, RankedSeed, Seed, SeedList};
pub use status::{Status, UnknownStatus};
