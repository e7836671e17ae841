//! Builders for results of checks.

use geotrawl_model::monitoring::{CheckResult, DueCheck, DueCheckQuery, RecordedCheck};
use geotrawl_model::schedule::ScheduleLimits;
use geotrawl_model::store::MonitoringStore;
use geotrawl_model::{
    Check, CheckFailure, CheckRequest, CheckResponse, Observation, Outcome, Phases, Purpose, Resource, Status,
};
use jiff::{SignedDuration, Timestamp};

/// Returns a time this many hours after the fixed start time of the tests.
pub fn hour(hours: i64) -> Timestamp {
    geotrawl_testkit::builders::test_time(hours * 3600)
}

/// Returns a check of this URL with this verdict; successful requests took `millis`.
pub fn make_check(url: &str, verdict: Status, at: Timestamp, millis: u32) -> Check {
    let works = matches!(verdict, Status::Alive | Status::Degraded);
    let (cause, reason) = match verdict {
        Status::Alive => ("answers", "The description and the operation answer as they should"),
        Status::Degraded => ("slow", "The operation took too long"),
        Status::Dead => ("connect", "The server does not respond"),
        Status::Restricted => ("login", "It requires a login"),
        Status::Blocked => ("firewall", "A firewall blocked the request"),
        _ => ("timeout", "The server did not finish its answer within 60 s"),
    };
    let phases = Phases {
        first_byte: millis - millis / 10,
        transfer: millis / 10,
        total: millis,
        ..Phases::default()
    };
    let seen = |purpose| Observation {
        purpose,
        dataset: None,
        request: CheckRequest {
            method: "GET".into(),
            url: format!("{url}?SERVICE=wms&REQUEST=GetCapabilities"),
            limit: 1 << 20,
            ..CheckRequest::default()
        },
        answer: works.then(|| CheckResponse {
            url: url.into(),
            ip: Some("192.0.2.1".into()),
            status: 200,
            bytes: 5000,
            hash: "00".into(),
            ..CheckResponse::default()
        }),
        failure: (!works).then(|| CheckFailure { class: cause.into(), message: reason.into() }),
        phases,
        outcome: if works { Outcome::Valid } else { Outcome::Connect },
        seen: reason.into(),
    };
    Check {
        kind: "wms".into(),
        url: url.into(),
        at,
        observations: vec![seen(Purpose::Description), seen(Purpose::Operation)],
        facts: None,
        verdict,
        cause: cause.into(),
        reason: reason.into(),
    }
}

/// Returns a result without a description.
pub fn make_result(due: &DueCheck, verdict: Status, at: Timestamp) -> CheckResult {
    CheckResult {
        id: due.id.clone(),
        check: make_check(&due.record.resource.url, verdict, at, 200),
        resource: None,
        themes: None,
    }
}

/// Returns a result for a record with this id and URL.
pub fn result_for(id: &str, url: &str, verdict: Status, at: Timestamp) -> CheckResult {
    CheckResult { id: id.into(), check: make_check(url, verdict, at, 200), resource: None, themes: None }
}

/// Returns a result that read this description.
pub fn result_reading(id: &str, resource: &Resource, at: Timestamp) -> CheckResult {
    let check = make_check(&resource.url, Status::Alive, at, 200);
    CheckResult { id: id.into(), check, resource: Some(resource.clone()), themes: None }
}

/// Records one result.
pub fn record_check(store: &dyn MonitoringStore, result: CheckResult) -> RecordedCheck {
    let at = result.check.at;
    store.record_checks(&[result], &ScheduleLimits::default(), at).unwrap().remove(0)
}

/// Makes a record dead by three failed checks over a day.
pub fn check_dead(store: &dyn MonitoringStore, id: &str, url: &str, from: i64) {
    for hours in [from, from + 6, from + 25] {
        record_check(store, result_for(id, url, Status::Dead, hour(hours)));
    }
}

/// Returns options that take everything due, with these limits.
pub fn take_options(now: Timestamp, limit: usize, per_host: usize) -> DueCheckQuery {
    DueCheckQuery {
        now,
        limit,
        hosts: limit,
        per_host,
        per_host_day: 1000,
        until: now + SignedDuration::from_mins(10),
    }
}

/// Returns the ids of due checks.
pub fn due_ids(store: &dyn MonitoringStore, now: Timestamp) -> Vec<String> {
    store
        .take_due_checks(&take_options(now, 1000, 1000), &|_| false)
        .unwrap()
        .into_iter()
        .map(|one| one.id)
        .collect()
}
