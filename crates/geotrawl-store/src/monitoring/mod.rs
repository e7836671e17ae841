//! Records over time: when each is checked, what the checks said, what changed, whom it concerns.

mod alerts;
mod reports;

pub use alerts::{Alert, AlertChange, Channel, Delivery, Frequency, Grouped, MOST_ALERTS, NewAlert};
pub use reports::{
    CostlyPoint, HostOrder, HostOutage, HostReport, HostService, HostSummary, Latency, Overview,
};

use crate::Result;
use crate::accounts::UserId;
use crate::record::{Record, Theme};
use geotrawl_kinds::model::{Resource, Status};
use geotrawl_trust::schedule::{Limits, Pace};
use geotrawl_trust::standing::{Standing, Turn};
use geotrawl_trust::{Check, History, Score};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Datasets of a due record that come with it, enough to sample from.
pub const DUE_DATASETS: usize = 64;
/// Checks of a record whose whole evidence is kept.
pub const KEPT_CHECKS: usize = 10;
/// Checks kept besides, whose verdict differs from the one before.
pub const KEPT_TURNS: usize = 50;
/// Days for which daily sums are kept.
pub const KEPT_DAYS: i64 = 400;

/// Which due checks are taken.
#[derive(Debug, Clone)]
pub struct Take {
    pub now: Timestamp,
    /// At most so many,
    pub limit: usize,
    /// of at most so many hosts.
    pub hosts: usize,
    /// Of one host at once.
    pub per_host: usize,
    /// Of one host on one day (UTC); what people ask for themselves is given in any case, and counts.
    pub per_host_day: u32,
    /// Nobody else gets them before this moment; then they are due again.
    pub until: Timestamp,
}

/// A check that is due, leased to who asked.
#[derive(Debug, Clone)]
pub struct DueCheck {
    /// Public id of the record.
    pub id: String,
    /// The record without aliases, provenance and faces, and with its first [`DUE_DATASETS`] datasets.
    pub record: Record,
    /// Where it stands; `None` before the first check of something that was never seen working.
    pub standing: Option<Standing>,
    pub pace: Pace,
    /// A person asked for it.
    pub asked: bool,
    /// When it should have been made.
    pub due: Timestamp,
}

/// A check that was made.
#[derive(Debug, Clone)]
pub struct CheckResult {
    /// Public id of the record.
    pub id: String,
    pub check: Check,
    /// The resource as it describes itself now, when its description was read: replaces what is stored.
    pub resource: Option<Resource>,
    /// What it is about now; `None` leaves what is stored.
    pub themes: Option<Vec<Theme>>,
}

/// What taking in a check did.
#[derive(Debug, Clone)]
pub struct Recorded {
    pub id: String,
    /// Number of the check.
    pub number: i64,
    pub standing: Standing,
    pub turn: Option<Turn>,
    pub score: Score,
    pub changes: Vec<FieldChange>,
    /// When it is checked next.
    pub next: Timestamp,
}

/// A check with everything that was kept of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StoredCheck {
    pub number: i64,
    /// Public id of the record.
    pub id: String,
    pub check: Check,
    pub history: History,
    pub score: Score,
    pub standing: Standing,
}

/// One line of the list of checks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckSummary {
    pub number: i64,
    pub at: Timestamp,
    pub verdict: Status,
    pub cause: String,
    pub reason: String,
    pub score: Option<u8>,
    /// Milliseconds of the scored operation.
    pub millis: Option<u32>,
    /// Its evidence is still there: [`Monitoring::check`] gives it.
    pub kept: bool,
}

/// Where a record stands and when it is looked at again.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Watched {
    pub standing: Option<Standing>,
    pub next: Timestamp,
    /// A person has asked for a check that is not made yet.
    pub asked: Option<Timestamp>,
    pub checks: u64,
}

/// Availability and speed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Uptime {
    /// `24h`, `30d`, `1y`.
    pub windows: BTreeMap<String, Window>,
    /// Oldest first, days without a check left out.
    pub days: Vec<Day>,
    /// Newest first.
    pub outages: Vec<Outage>,
}

/// Availability and speed over a time.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Window {
    /// Checks that say something about availability.
    pub checks: u64,
    pub available: u64,
    /// From 0 to 1.
    pub share: Option<f64>,
    pub p50: Option<u32>,
    pub p95: Option<u32>,
    pub p99: Option<u32>,
}

/// One day of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Day {
    /// `2026-11-16`
    pub day: String,
    pub checks: u64,
    pub available: u64,
    pub p50: Option<u32>,
}

/// A time in which a record did not answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outage {
    pub began: Timestamp,
    pub ended: Option<Timestamp>,
    pub cause: String,
    pub reason: String,
}

/// The description of a record changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MetadataChange {
    pub at: Timestamp,
    pub changes: Vec<FieldChange>,
}

/// One thing that changed, readable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldChange {
    /// `title`, `contact.email`, `datasets` (names that came or went), `datasets[roads].title`, ...
    pub path: String,
    /// What it was; absent when it is new.
    pub was: Option<String>,
    /// What it is; absent when it is gone.
    pub now: Option<String>,
}

/// What a piece of news is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoticeKind {
    /// First found.
    Born,
    Died,
    Reborn,
    Degraded,
    Recovered,
    Restricted,
    Blocked,
    /// Its description changed.
    Changed,
    /// It answers at another address now, or a successor is known.
    Moved,
}

impl NoticeKind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Born,
        Self::Died,
        Self::Reborn,
        Self::Degraded,
        Self::Recovered,
        Self::Restricted,
        Self::Blocked,
        Self::Changed,
        Self::Moved,
    ];

    /// The word used everywhere.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Born => "born",
            Self::Died => "died",
            Self::Reborn => "reborn",
            Self::Degraded => "degraded",
            Self::Recovered => "recovered",
            Self::Restricted => "restricted",
            Self::Blocked => "blocked",
            Self::Changed => "changed",
            Self::Moved => "moved",
        }
    }

    /// The kind of this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

impl From<Turn> for NoticeKind {
    fn from(turn: Turn) -> Self {
        match turn {
            Turn::Died => Self::Died,
            Turn::Reborn => Self::Reborn,
            Turn::Degraded => Self::Degraded,
            Turn::Recovered => Self::Recovered,
            Turn::Restricted => Self::Restricted,
            Turn::Blocked => Self::Blocked,
        }
    }
}

/// A piece of news.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Notice {
    pub seq: i64,
    pub at: Timestamp,
    pub kind: NoticeKind,
    /// Public id of the record.
    pub id: String,
    pub title: Option<String>,
    pub url: String,
    pub host: String,
    pub record_kind: String,
    pub reason: String,
    /// More about it: the changes, the new address.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub body: serde_json::Value,
}

/// Which news.
#[derive(Debug, Clone, Default)]
pub struct NoticeFilter {
    /// Only after this one, oldest first; without it the newest come first.
    pub after: Option<i64>,
    /// Only before this one.
    pub before: Option<i64>,
    /// Any of them; empty for all.
    pub kinds: Vec<NoticeKind>,
    pub host: Option<String>,
    /// Of this record.
    pub record: Option<String>,
}

/// Another record that may have taken the place of a dead one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Successor {
    pub id: String,
    pub title: Option<String>,
    pub url: String,
    pub kind: String,
    pub status: Status,
    /// 0 to 1.
    pub confidence: f64,
    pub evidence: Vec<String>,
    pub state: SuccessorState,
}

/// What people made of a proposed successor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SuccessorState {
    Proposed,
    Accepted,
    Rejected,
}

/// Records over time. One contract suite runs over every backend.
pub trait Monitoring: Send + Sync {
    /// Every usable record that has no place in the schedule gets one, spread over `over`; says how many.
    fn enrol(&self, now: Timestamp, over: SignedDuration) -> Result<u64>;

    /// Due checks, most overdue host first (what people asked for before all), leaving out hosts for which `skip`
    /// says so. They are leased until [`Take::until`].
    fn due(&self, take: &Take, skip: &dyn Fn(&str) -> bool) -> Result<Vec<DueCheck>>;

    /// Moves the end of leases.
    fn renew(&self, ids: &[String], until: Timestamp) -> Result<()>;

    /// Gives leases back: what was not checked is due as before.
    fn release(&self, ids: &[String]) -> Result<()>;

    /// When something is due next.
    fn next_due(&self) -> Result<Option<Timestamp>>;

    /// Takes results in, all in one transaction: the check, where the record stands, its score, sums, outages,
    /// changes of its description, news, deliveries, the next time, the address of the host. Content is replaced
    /// when the description was read. A record that is no more is left out.
    fn record_checks(
        &self,
        results: &[CheckResult],
        limits: &Limits,
        now: Timestamp,
    ) -> Result<Vec<Recorded>>;

    /// A person asks for a check now; `false` when there is no such record.
    fn ask_check(&self, id: &str, now: Timestamp) -> Result<bool>;

    /// Where a record stands in the schedule; `None` when it has no place there.
    fn watched(&self, id: &str) -> Result<Option<Watched>>;

    /// The latest check of a record.
    fn latest_check(&self, id: &str) -> Result<Option<StoredCheck>>;

    /// A check by its number, while its evidence is kept.
    fn check(&self, number: i64) -> Result<Option<StoredCheck>>;

    /// Checks of a record (and of what was merged into it), newest first.
    fn checks(&self, id: &str, before: Option<i64>, limit: usize) -> Result<Vec<CheckSummary>>;

    /// Availability, speed and outages of a record.
    fn uptime(&self, id: &str, now: Timestamp) -> Result<Uptime>;

    /// Changes of the description of a record, newest first.
    fn changes_of(&self, id: &str, limit: usize) -> Result<Vec<MetadataChange>>;

    /// News.
    fn notices(&self, filter: &NoticeFilter, limit: usize) -> Result<Vec<Notice>>;

    /// The whole at a glance.
    fn overview(&self, now: Timestamp) -> Result<Overview>;

    /// What is broken and missing on a host; `None` when no record is there.
    fn host_report(&self, host: &str, now: Timestamp) -> Result<Option<HostReport>>;

    /// Hosts whose name holds `words`, and how many there are.
    fn hosts(
        &self,
        words: &str,
        order: HostOrder,
        offset: u64,
        limit: u64,
    ) -> Result<(Vec<HostSummary>, u64)>;

    /// Adds an alert; `None` when the person has [`MOST_ALERTS`].
    fn add_alert(&self, user: UserId, alert: &NewAlert, now: Timestamp) -> Result<Option<Alert>>;

    /// Alerts of a person, oldest first.
    fn alerts(&self, user: UserId) -> Result<Vec<Alert>>;

    /// An alert of a person.
    fn alert(&self, user: UserId, number: i64) -> Result<Option<Alert>>;

    /// Changes an alert; `None` when the person has no such alert.
    fn change_alert(&self, user: UserId, number: i64, change: &AlertChange) -> Result<Option<Alert>>;

    /// Removes an alert with what is not delivered.
    fn remove_alert(&self, user: UserId, number: i64) -> Result<bool>;

    /// Deliveries whose time has come, oldest first, leased until `until`.
    fn due_deliveries(&self, now: Timestamp, until: Timestamp, limit: usize) -> Result<Vec<Delivery>>;

    /// A delivery arrived.
    fn delivered(&self, number: i64, now: Timestamp) -> Result<()>;

    /// A delivery failed: it is tried again after a while, at the earliest at `not_before`, and given up after some
    /// attempts (`false`).
    fn delivery_failed(
        &self,
        number: i64,
        error: &str,
        not_before: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<bool>;

    /// A delivery failed for good.
    fn delivery_given_up(&self, number: i64, error: &str) -> Result<()>;

    /// Says anew what records are about (public id, themes), all in one transaction.
    fn label(&self, records: &[(String, Vec<Theme>)], now: Timestamp) -> Result<()>;

    /// Proposes another record as the successor of one; a decision of a person stays.
    fn propose(
        &self,
        gone: &str,
        other: &str,
        likeness: &geotrawl_trust::successor::Likeness,
        now: Timestamp,
    ) -> Result<bool>;

    /// Possible successors of a record, best first.
    fn successors(&self, id: &str) -> Result<Vec<Successor>>;

    /// A person decides about a successor; accepting merges. `false` when it was not proposed.
    fn decide(&self, gone: &str, other: &str, accept: bool, now: Timestamp) -> Result<bool>;

    /// Lets one record answer for another that is gone: ids, aliases, provenance, checks, outages of the gone one
    /// are found under the successor. `false` when one of them does not exist or they are one already.
    fn merge(&self, gone: &str, successor: &str, now: Timestamp) -> Result<bool>;
}
