//! What changed in the catalogue, in order: whoever derives something from it (the index) follows this.

use crate::Result;
use crate::record::Record;
use serde::Serialize;
use std::collections::BTreeMap;

/// A record that was born, changed or went away.
#[derive(Debug, Clone)]
pub struct Change {
    /// Strictly increasing; a record stands only at its latest.
    pub seq: i64,
    pub id: String,
    /// `None`: it is no more (or another record stands for it now).
    pub document: Option<Box<Document>>,
}

/// A record and what the web says about it around its links.
#[derive(Debug, Clone, Default)]
pub struct Document {
    pub record: Record,
    /// Pages that revealed it, at most 8.
    pub pages: Vec<PageWords>,
}

/// A page that revealed a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageWords {
    pub title: String,
    /// The words of the link.
    pub words: String,
}

/// The catalogue for those who follow it and for those who count it.
pub trait Changes: Send + Sync {
    /// A number that grows when something was written that followers read (changes, events): waits until it is larger
    /// than `seen`, at most so long, and gives it. Whoever follows looks first, then waits, and looks again in any
    /// case. A store that is not told of writing only waits.
    fn news(&self, seen: u64, at_most: std::time::Duration) -> u64 {
        std::thread::sleep(at_most);
        seen + 1
    }

    /// Whether [`Changes::news`] hears of writing at once now: then looking seldom besides is enough. `false` also while a
    /// connection that was listened on is lost.
    fn hears(&self) -> bool {
        false
    }

    /// Changes after a sequence number, in order.
    fn changes(&self, after: i64, limit: usize) -> Result<Vec<Change>>;
    /// The last sequence number.
    fn last_change(&self) -> Result<i64>;
    /// A record by its public id, datasets included.
    fn record(&self, id: &str) -> Result<Option<Record>>;
    /// Numbers about the whole catalogue.
    fn statistics(&self) -> Result<Statistics>;
    /// How much there is; quick enough to be asked every second.
    fn totals(&self) -> Result<Totals> {
        let Statistics { records, datasets, hosts, .. } = self.statistics()?;
        Ok(Totals { records, datasets, hosts })
    }
}

/// Which changes, for those who harvest by date.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangeFilter {
    /// Only those after this sequence number.
    pub after: i64,
    /// Only those up to this sequence number.
    pub bound: Option<i64>,
    /// Only those of this moment or later.
    pub from: Option<jiff::Timestamp>,
    /// Only those before this moment.
    pub before: Option<jiff::Timestamp>,
    /// Only records of this kind.
    pub kind: Option<String>,
    /// Only records about this, as `scheme:term`.
    pub theme: Option<String>,
    /// Only records whose host stands in this country (ISO code), as far as the store was told places.
    pub country: Option<String>,
}

/// The latest change of a record, without the record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangeHead {
    pub seq: i64,
    /// When it changed. Of two changes the later one never has the earlier time, unless the clock was set back.
    pub at: jiff::Timestamp,
    pub id: String,
    /// It is no more (or another record stands for it now).
    pub gone: bool,
    pub kind: String,
    /// What it is about, as `scheme:term`.
    pub themes: Vec<String>,
    pub country: Option<String>,
}

/// The catalogue for those who harvest it by date. One contract suite runs over every backend.
pub trait Dated: Send + Sync {
    /// Changes in order, at most `limit`. A record stands only at its latest one.
    fn dated(&self, filter: &ChangeFilter, limit: usize) -> Result<Vec<ChangeHead>>;
    /// How many there are.
    fn count_dated(&self, filter: &ChangeFilter) -> Result<u64>;
    /// The latest change of a record.
    fn dated_record(&self, id: &str) -> Result<Option<ChangeHead>>;
    /// When the first of all changes was; `None` in an empty catalogue.
    fn first_dated(&self) -> Result<Option<jiff::Timestamp>>;
}

/// How much there is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    pub records: u64,
    pub datasets: u64,
    pub hosts: u64,
}

/// Numbers about the whole catalogue.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Statistics {
    pub records: u64,
    pub datasets: u64,
    pub hosts: u64,
    pub pages: u64,
    pub kinds: BTreeMap<String, u64>,
    pub statuses: BTreeMap<String, u64>,
    /// Status, then kind.
    #[serde(skip)]
    pub status_kinds: BTreeMap<String, BTreeMap<String, u64>>,
    pub software: BTreeMap<String, u64>,
    /// By `scheme:term`.
    pub themes: BTreeMap<String, u64>,
    /// The hosts with most records.
    pub by_host: BTreeMap<String, u64>,
    pub languages: BTreeMap<String, u64>,
    /// Country (ISO code) of the host, then kind; as far as the store was told places.
    pub countries: BTreeMap<String, BTreeMap<String, u64>>,
    /// Address of the host, then kind: what `countries` are made from.
    #[serde(skip)]
    pub addresses: BTreeMap<String, BTreeMap<String, u64>>,
    /// Depth of discovery: pages read there and records first found there.
    pub levels: Vec<Level>,
    /// Records known at the end of each day.
    pub growth: Vec<(String, u64)>,
}

/// Discovery at one depth.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Level {
    pub depth: u32,
    pub pages: u64,
    pub found: u64,
}
