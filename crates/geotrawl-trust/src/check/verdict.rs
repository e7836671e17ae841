//! The verdict: a pure function of the stored observations, so that it can be reproduced.

use super::CheckVerdict;
use super::samples::select_samples;
use geotrawl_kinds::kinds;
use geotrawl_model::{Observation, Outcome, Purpose, Status};
use std::time::Duration;
use url::Url;

/// Outcomes of a failed description in order of significance, where there are several: least likely
/// by mistake first.
const TELLING: &[Outcome] = &[
    Outcome::Login,
    Outcome::Key,
    Outcome::Firewall,
    Outcome::RateLimited,
    Outcome::Robots,
    Outcome::Forbidden,
    Outcome::Exception,
];

/// Returns the stable identifier of an outcome as a cause.
fn cause_of(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Valid => "answers",
        Outcome::Blank => "blank",
        Outcome::Exception => "exception",
        Outcome::WrongContent | Outcome::Page => "wrong-content",
        Outcome::Malformed => "malformed",
        Outcome::Login => "login",
        Outcome::Key => "key",
        Outcome::Firewall => "firewall",
        Outcome::Forbidden => "forbidden",
        Outcome::RateLimited => "rate-limited",
        Outcome::Robots => "robots",
        Outcome::Gone => "gone",
        Outcome::ClientError => "client-error",
        Outcome::ServerError => "server-error",
        Outcome::Dns => "dns",
        Outcome::Connect => "connect",
        Outcome::Tls => "tls",
        Outcome::Timeout => "timeout",
        Outcome::Reset => "reset",
        Outcome::TooLarge => "too-large",
        Outcome::Refused => "refused",
    }
}

/// Time limit for the scored operation of an unknown kind.
const UNKNOWN_KIND_LIMIT: Duration = Duration::from_secs(10);

/// Returns the time limit for the scored operation of a kind, in milliseconds. At the limit it gets
/// half of the points for latency; at more than twice the limit it counts as slow.
pub fn time_limit(kind: &str) -> u64 {
    let limit =
        kinds::kind_profile(kind).map_or(UNKNOWN_KIND_LIMIT, |profile| profile.rubric_row.time_limit());
    u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the words for the results of the scored operation of a kind, and for its success.
fn operation_words(kind: &str) -> (&'static str, &'static str) {
    kinds::kind_profile(kind).map_or(("requests", "answered"), |profile| profile.operation_words)
}

/// Derives the verdict from the observations.
pub fn derive_verdict(kind: &str, observations: &[Observation]) -> CheckVerdict {
    let with = |purpose: Purpose| observations.iter().filter(move |seen| seen.purpose == purpose);
    let described: Vec<&Observation> = with(Purpose::Description).collect();
    let operations: Vec<&Observation> =
        select_samples(observations).into_iter().map(|(_, seen)| seen).collect();
    if described.is_empty() {
        return told(Status::Unchecked, "unchecked", "Not checked yet.".to_owned());
    }
    match described.iter().find(|seen| seen.outcome == Outcome::Valid) {
        None => undescribed(&described),
        Some(answer) => operated(kind, answer, &operations),
    }
}

fn told(status: Status, cause: &'static str, reason: String) -> CheckVerdict {
    CheckVerdict { status, cause, reason }
}

/// Returns the verdict when no description was returned.
fn undescribed(described: &[&Observation]) -> CheckVerdict {
    let telling = TELLING.iter().find_map(|outcome| described.iter().find(|seen| seen.outcome == *outcome));
    // An HTML page is insignificant if there was any other answer.
    let other = described.iter().find(|seen| seen.outcome != Outcome::Page);
    let Some(decisive) = telling.or(other).or(described.first()) else {
        return told(Status::Unchecked, "unchecked", "Not checked yet.".to_owned());
    };
    let seen = decisive.seen.trim_end_matches('.');
    let outcome = decisive.outcome;
    let (status, what) = match outcome {
        Outcome::Exception => (Status::Degraded, "The request for its description returned an error report"),
        Outcome::WrongContent => (Status::Degraded, "It did not return its description"),
        Outcome::Malformed => (Status::Degraded, "Its description is broken"),
        Outcome::Blank | Outcome::Valid => (Status::Degraded, "Its description is empty"),
        Outcome::ClientError => (Status::Degraded, "It rejected the request for its description"),
        Outcome::Page => (Status::Dead, "It returned a web page instead of its description"),
        Outcome::Gone => (Status::Dead, "It no longer exists"),
        Outcome::ServerError => (Status::Dead, "The server failed"),
        Outcome::Connect => (Status::Dead, "The server does not respond"),
        Outcome::Dns if decisive.failure.as_ref().is_none_or(|failed| failed.class == "dns") => {
            (Status::Dead, "Its host name does not exist")
        }
        Outcome::Dns => (Status::Inconclusive, "Its host name could not be resolved"),
        Outcome::Login => (Status::Restricted, "It requires a login"),
        Outcome::Key => (Status::Restricted, "It requires an API key"),
        Outcome::Firewall => (Status::Blocked, "A firewall blocked the request"),
        Outcome::Forbidden => (Status::Blocked, "Access is forbidden"),
        Outcome::RateLimited => (Status::Blocked, "The server limits the rate of requests"),
        Outcome::Robots => (Status::Blocked, "robots.txt does not allow the request"),
        Outcome::Tls => (Status::Inconclusive, "No trusted TLS connection is possible"),
        Outcome::Timeout => (Status::Inconclusive, "It did not answer in time"),
        Outcome::Reset => (Status::Inconclusive, "The connection was closed before an answer was received"),
        Outcome::TooLarge => (Status::Inconclusive, "Its answer exceeds the size limit of a check"),
        Outcome::Refused => (Status::Inconclusive, "Our own rules do not allow the request"),
    };
    told(status, cause_of(outcome), format!("{what}: {seen}."))
}

/// Returns the verdict from the operations when the description was returned.
fn operated(kind: &str, answer: &Observation, operations: &[&Observation]) -> CheckVerdict {
    let moved = moved_to(answer);
    let answered = match &moved {
        Some(to) => format!("Moved to {to}, which answered in {} ms", answer.phases.total),
        None => format!("Answered in {} ms", answer.phases.total),
    };
    let alive = |more: String| {
        let cause = if moved.is_some() { "moved" } else { "answers" };
        told(Status::Alive, cause, format!("{answered}{more}."))
    };
    if operations.is_empty() {
        return alive(String::new());
    }
    let (things, done) = operation_words(kind);
    // Requests that our own rules prevented say nothing about the service.
    let ours = |outcome: Outcome| matches!(outcome, Outcome::Robots | Outcome::Refused | Outcome::TooLarge);
    let tried: Vec<&Observation> = operations.iter().copied().filter(|seen| !ours(seen.outcome)).collect();
    let Some(first) = tried.first() else {
        return alive(format!(
            "; {things} could not be tested: {}",
            operations[0].seen.trim_end_matches('.')
        ));
    };
    let all = tried.len();
    let good = tried.iter().filter(|seen| seen.outcome == Outcome::Valid).count();
    if good == 0 {
        return inoperative(kind, &answered, &tried, first);
    }
    let millis = median(tried.iter().filter(|seen| seen.outcome == Outcome::Valid));
    let counted = format!("{good} of {all} {things} {done}");
    let limit = time_limit(kind);
    if millis > 2 * limit {
        let reason = format!("{answered}; {counted}, but slowly: {millis} ms (limit {limit} ms).");
        return told(Status::Degraded, "slow", reason);
    }
    let failed = tried.iter().find(|seen| seen.outcome != Outcome::Valid);
    let named =
        |seen: &Observation| seen.dataset.as_deref().map(|name| format!(" ({name})")).unwrap_or_default();
    let but = failed
        .map(|seen| {
            format!("; {} of {all} failed: {}{}", all - good, seen.seen.trim_end_matches('.'), named(seen))
        })
        .unwrap_or_default();
    alive(format!("; {counted} in {millis} ms{but}"))
}

/// Returns the verdict when no operation succeeded.
fn inoperative(kind: &str, answered: &str, tried: &[&Observation], first: &Observation) -> CheckVerdict {
    let (things, done) = operation_words(kind);
    let count = |outcome: Outcome| tried.iter().filter(|seen| seen.outcome == outcome).count();
    // The most frequent outcome; of equally frequent ones the first, but emptiness last.
    let decisive = tried
        .iter()
        .enumerate()
        .max_by_key(|(at, seen)| {
            (count(seen.outcome), seen.outcome != Outcome::Blank, std::cmp::Reverse(*at))
        })
        .map_or(first, |(_, seen)| *seen);
    let outcome = decisive.outcome;
    let all = tried.len();
    if outcome == Outcome::Blank {
        let reason = format!("{answered}, but {all} of {all} {things} are empty: {}.", decisive.seen);
        return told(Status::Degraded, "blank", reason);
    }
    let status = match outcome {
        Outcome::Login | Outcome::Key => Status::Restricted,
        Outcome::Firewall | Outcome::RateLimited => Status::Blocked,
        _ => Status::Degraded,
    };
    let seen = decisive.seen.trim_end_matches('.');
    let reason = format!("{answered}, but 0 of {all} {things} {done}: {seen}.");
    told(status, cause_of(outcome), reason)
}

/// Returns the median time from request to end of body, without connecting.
fn median<'o>(observations: impl Iterator<Item = &'o &'o Observation>) -> u64 {
    let time = |seen: &&Observation| u64::from(seen.phases.first_byte) + u64::from(seen.phases.transfer);
    let mut times: Vec<u64> = observations.map(time).collect();
    times.sort_unstable();
    match times.len() {
        0 => 0,
        n if n % 2 == 1 => times[n / 2],
        n => u64::midpoint(times[n / 2 - 1], times[n / 2]),
    }
}

/// Returns the new address if permanent redirects alone led to another host.
fn moved_to(seen: &Observation) -> Option<String> {
    let answer = seen.answer.as_ref()?;
    let permanent = !answer.redirects.is_empty()
        && answer.redirects.iter().all(|(status, _)| matches!(status, 301 | 308));
    let host = |text: &str| {
        let host = Url::parse(text).ok()?.host_str()?.to_owned();
        Some(host.strip_prefix("www.").map(str::to_owned).unwrap_or(host))
    };
    let (from, to) = (host(&seen.request.url)?, host(&answer.url)?);
    (permanent && from != to).then(|| answer.url.clone())
}
