//! Monitoring of records: schedule, checks, changes, notices, alerts and successors.

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

/// Monitoring of records. One contract suite runs against every backend.
pub trait MonitoringStore: Send + Sync {
    /// Schedules every usable record that has no check yet, spread over `over`; returns how many.
    fn enrol_records(&self, now: Timestamp, over: SignedDuration) -> Result<u64>;

    /// Returns due checks and leases them until [`DueCheckQuery::until`]. Checks that a person
    /// requested come first, then the most overdue host. Hosts for which `skip` returns `true` are
    /// left out.
    fn take_due_checks(&self, take: &DueCheckQuery, skip: &dyn Fn(&str) -> bool) -> Result<Vec<DueCheck>>;

    /// Extends leases.
    fn renew_check_leases(&self, ids: &[String], until: Timestamp) -> Result<()>;

    /// Releases leases: checks that were not made are due as before.
    fn release_check_leases(&self, ids: &[String]) -> Result<()>;

    /// Returns when the next check is due.
    fn next_due_time(&self) -> Result<Option<Timestamp>>;

    /// Records results in one transaction: checks, statuses, scores, daily totals, outages, changes
    /// of the description, notices, deliveries, the next due times and the hosts' IP addresses.
    /// Content is replaced if the description was read. Results of records that no longer exist are
    /// dropped.
    fn record_checks(
        &self,
        results: &[CheckResult],
        limits: &ScheduleLimits,
        now: Timestamp,
    ) -> Result<Vec<RecordedCheck>>;

    /// Requests a check now; returns `false` if there is no such record.
    fn request_check(&self, id: &str, now: Timestamp) -> Result<bool>;

    /// Returns a record's status and next check; `None` if it is not scheduled.
    fn monitoring_state(&self, id: &str) -> Result<Option<MonitoringState>>;

    /// Returns the latest check of a record.
    fn latest_check(&self, id: &str) -> Result<Option<StoredCheck>>;

    /// Returns a check by its number, as long as its evidence is stored.
    fn find_check(&self, number: i64) -> Result<Option<StoredCheck>>;

    /// Returns the checks of a record, and of records merged into it, newest first.
    fn list_checks(&self, id: &str, before: Option<i64>, limit: usize) -> Result<Vec<CheckSummary>>;

    /// Returns availability, speed and outages of a record.
    fn uptime(&self, id: &str, now: Timestamp) -> Result<Uptime>;

    /// Returns changes of the description of a record, newest first.
    fn metadata_changes(&self, id: &str, limit: usize) -> Result<Vec<MetadataChange>>;

    /// Returns notices.
    fn list_notices(&self, filter: &NoticeFilter, limit: usize) -> Result<Vec<Notice>>;

    /// Returns the overview of all monitored records.
    fn overview(&self, now: Timestamp) -> Result<Overview>;

    /// Returns the report of a host; `None` if it has no records.
    fn host_report(&self, host: &str, now: Timestamp) -> Result<Option<HostReport>>;

    /// Returns hosts whose name contains `words`, and their total number.
    fn list_hosts(
        &self,
        words: &str,
        order: HostOrder,
        offset: u64,
        limit: u64,
    ) -> Result<(Vec<HostSummary>, u64)>;

    /// Adds an alert; returns `None` if the user already has [`crate::alert::MOST_ALERTS`].
    fn add_alert(&self, user: UserId, alert: &NewAlert, now: Timestamp) -> Result<Option<Alert>>;

    /// Returns the alerts of a user, oldest first.
    fn list_alerts(&self, user: UserId) -> Result<Vec<Alert>>;

    /// Returns an alert of a user.
    fn find_alert(&self, user: UserId, number: i64) -> Result<Option<Alert>>;

    /// Changes an alert; returns `None` if the user has no such alert.
    fn change_alert(&self, user: UserId, number: i64, change: &AlertChange) -> Result<Option<Alert>>;

    /// Removes an alert with its undelivered messages.
    fn remove_alert(&self, user: UserId, number: i64) -> Result<bool>;

    /// Returns due deliveries, oldest first, leased until `until`.
    fn due_deliveries(&self, now: Timestamp, until: Timestamp, limit: usize) -> Result<Vec<AlertDelivery>>;

    /// Records a successful delivery.
    fn mark_delivered(&self, number: i64, now: Timestamp) -> Result<()>;

    /// Records a failed delivery. It is retried later, not before `not_before`; returns `false` if
    /// it was the last attempt.
    fn record_delivery_failure(
        &self,
        number: i64,
        error: &str,
        not_before: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<bool>;

    /// Records that a delivery failed permanently.
    fn abandon_delivery(&self, number: i64, error: &str) -> Result<()>;

    /// Replaces the theme labels of records (public id, labels) in one transaction.
    fn set_themes(&self, records: &[(String, Vec<Theme>)], now: Timestamp) -> Result<()>;

    /// Proposes another record as successor; an earlier decision by a person is kept.
    fn propose_successor(
        &self,
        gone: &str,
        other: &str,
        likeness: &ServiceLikeness,
        now: Timestamp,
    ) -> Result<bool>;

    /// Returns the possible successors of a record, best first.
    fn list_successors(&self, id: &str) -> Result<Vec<Successor>>;

    /// Records a person's decision about a successor; accepting it merges the records. Returns
    /// `false` if it was not proposed.
    fn decide_successor(&self, gone: &str, other: &str, accept: bool, now: Timestamp) -> Result<bool>;

    /// Merges a record that is gone into its successor: ids, aliases, provenance, checks and
    /// outages are found under the successor. Returns `false` if one of them does not exist or they
    /// are already merged.
    fn merge_records(&self, gone: &str, successor: &str, now: Timestamp) -> Result<bool>;
}
