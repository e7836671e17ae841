//! Records over time: when each is checked, what the checks said, what changed, whom it concerns.

use super::Result;
use crate::Theme;
use crate::account::UserId;
use crate::alert::{Alert, AlertChange, AlertDelivery, NewAlert};
use crate::host_report::{HostOrder, HostReport, HostSummary, Overview};
use crate::monitoring::{
    CheckResult, CheckSummary, DueCheck, DueCheckQuery, MetadataChange, MonitoringState, RecordedCheck,
    StoredCheck,
};
use crate::notice::{Notice, NoticeFilter};
use crate::schedule::ScheduleLimits;
use crate::successor::{ServiceLikeness, Successor};
use crate::uptime::Uptime;
use jiff::{SignedDuration, Timestamp};

/// Records over time. One contract suite runs over every backend.
pub trait MonitoringStore: Send + Sync {
    /// Every usable record that has no place in the schedule gets one, spread over `over`; says how many.
    fn enrol_records(&self, now: Timestamp, over: SignedDuration) -> Result<u64>;

    /// Due checks, most overdue host first (what people asked for before all), leaving out hosts for which `skip`
    /// says so. They are leased until [`Take::until`].
    fn take_due_checks(&self, take: &DueCheckQuery, skip: &dyn Fn(&str) -> bool) -> Result<Vec<DueCheck>>;

    /// Moves the end of leases.
    fn renew_check_leases(&self, ids: &[String], until: Timestamp) -> Result<()>;

    /// Gives leases back: what was not checked is due as before.
    fn release_check_leases(&self, ids: &[String]) -> Result<()>;

    /// When something is due next.
    fn next_due_time(&self) -> Result<Option<Timestamp>>;

    /// Takes results in, all in one transaction: the check, where the record stands, its score, sums, outages,
    /// changes of its description, news, deliveries, the next time, the address of the host. Content is replaced
    /// when the description was read. A record that is no more is left out.
    fn record_checks(
        &self,
        results: &[CheckResult],
        limits: &ScheduleLimits,
        now: Timestamp,
    ) -> Result<Vec<RecordedCheck>>;

    /// A person asks for a check now; `false` when there is no such record.
    fn request_check(&self, id: &str, now: Timestamp) -> Result<bool>;

    /// Where a record stands in the schedule; `None` when it has no place there.
    fn monitoring_state(&self, id: &str) -> Result<Option<MonitoringState>>;

    /// The latest check of a record.
    fn latest_check(&self, id: &str) -> Result<Option<StoredCheck>>;

    /// A check by its number, while its evidence is kept.
    fn find_check(&self, number: i64) -> Result<Option<StoredCheck>>;

    /// Checks of a record (and of what was merged into it), newest first.
    fn list_checks(&self, id: &str, before: Option<i64>, limit: usize) -> Result<Vec<CheckSummary>>;

    /// Availability, speed and outages of a record.
    fn uptime(&self, id: &str, now: Timestamp) -> Result<Uptime>;

    /// Changes of the description of a record, newest first.
    fn metadata_changes(&self, id: &str, limit: usize) -> Result<Vec<MetadataChange>>;

    /// News.
    fn list_notices(&self, filter: &NoticeFilter, limit: usize) -> Result<Vec<Notice>>;

    /// The whole at a glance.
    fn overview(&self, now: Timestamp) -> Result<Overview>;

    /// What is broken and missing on a host; `None` when no record is there.
    fn host_report(&self, host: &str, now: Timestamp) -> Result<Option<HostReport>>;

    /// Hosts whose name holds `words`, and how many there are.
    fn list_hosts(
        &self,
        words: &str,
        order: HostOrder,
        offset: u64,
        limit: u64,
    ) -> Result<(Vec<HostSummary>, u64)>;

    /// Adds an alert; `None` when the person has [`crate::alert::MOST_ALERTS`].
    fn add_alert(&self, user: UserId, alert: &NewAlert, now: Timestamp) -> Result<Option<Alert>>;

    /// Alerts of a person, oldest first.
    fn list_alerts(&self, user: UserId) -> Result<Vec<Alert>>;

    /// An alert of a person.
    fn find_alert(&self, user: UserId, number: i64) -> Result<Option<Alert>>;

    /// Changes an alert; `None` when the person has no such alert.
    fn change_alert(&self, user: UserId, number: i64, change: &AlertChange) -> Result<Option<Alert>>;

    /// Removes an alert with what is not delivered.
    fn remove_alert(&self, user: UserId, number: i64) -> Result<bool>;

    /// Deliveries whose time has come, oldest first, leased until `until`.
    fn due_deliveries(&self, now: Timestamp, until: Timestamp, limit: usize) -> Result<Vec<AlertDelivery>>;

    /// A delivery arrived.
    fn mark_delivered(&self, number: i64, now: Timestamp) -> Result<()>;

    /// A delivery failed: it is tried again after a while, at the earliest at `not_before`, and given up after some
    /// attempts (`false`).
    fn record_delivery_failure(
        &self,
        number: i64,
        error: &str,
        not_before: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<bool>;

    /// A delivery failed for good.
    fn abandon_delivery(&self, number: i64, error: &str) -> Result<()>;

    /// Says anew what records are about (public id, themes), all in one transaction.
    fn set_themes(&self, records: &[(String, Vec<Theme>)], now: Timestamp) -> Result<()>;

    /// Proposes another record as the successor of one; a decision of a person stays.
    fn propose_successor(
        &self,
        gone: &str,
        other: &str,
        likeness: &ServiceLikeness,
        now: Timestamp,
    ) -> Result<bool>;

    /// Possible successors of a record, best first.
    fn list_successors(&self, id: &str) -> Result<Vec<Successor>>;

    /// A person decides about a successor; accepting merges. `false` when it was not proposed.
    fn decide_successor(&self, gone: &str, other: &str, accept: bool, now: Timestamp) -> Result<bool>;

    /// Lets one record answer for another that is gone: ids, aliases, provenance, checks, outages of the gone one
    /// are found under the successor. `false` when one of them does not exist or they are one already.
    fn merge_records(&self, gone: &str, successor: &str, now: Timestamp) -> Result<bool>;
}
