//! The status of a resource after many checks: one failure does not make it dead, and one success
//! among failures does not make it alive.
//!
//! The rules, in order of precedence:
//!
//! 1. **Never seen working**: the status follows the verdict at once; there is nothing to lose.
//! 2. **Answers** (verdict alive or degraded): the status follows the verdict at once, unless it is
//!    dead: then two such checks in a row are needed (*reborn*).
//! 3. **Dead verdicts**: until it counts as dead the status is degraded, and the reason says what
//!    failed and since when. It is dead after [`DEATHS`] dead verdicts in a row over at least
//!    [`DEATH_AFTER`]; or, if dead and inconclusive verdicts mix, after [`MIXED`] in a row over at
//!    least [`MIXED_AFTER`].
//! 4. **Restricted, blocked, inconclusive**: after [`CONFIRMED`] in a row; until then the status is
//!    unchanged. Inconclusive checks do not revive a dead resource.
//! 5. **Status changes** ([`StatusTransition`]) are reported when the status differs from the last
//!    one reported. A degraded status is reported after [`CONFIRMED`] checks in a row that were not
//!    good.
//! 6. **Flapping**: a turn is a change between answering and not answering from one check to the
//!    next. More than [`FLAPS`] turns within [`FLAPS_WITHIN`] count as flapping: the status is
//!    degraded (unless it is dead), with the cause `flapping`. This is reported once, as degraded,
//!    and then nothing is reported until there was no turn for [`QUIET`]. So at most [`FLAPS`]
//!    changes are reported before a resource counts as flapping, and after that only when a quiet
//!    time of at least [`QUIET`] is reached or ends: once when it is reached, once when it flaps
//!    again.

use geotrawl_model::standing::{ResourceStatus, StatusTransition};
use geotrawl_model::{Check, Outcome, Purpose, Status};
use jiff::{SignedDuration, Timestamp};

/// Number of dead verdicts in a row after which a resource is dead.
pub const DEATHS: u32 = 3;
/// Minimum time that these must span.
pub const DEATH_AFTER: SignedDuration = SignedDuration::from_hours(24);
/// Number of dead and inconclusive verdicts in a row after which a resource is dead.
pub const MIXED: u32 = 5;
/// Minimum time that these must span.
pub const MIXED_AFTER: SignedDuration = SignedDuration::from_hours(72);
/// Number of checks in a row that confirm any other change.
pub const CONFIRMED: u32 = 2;
/// Number of turns above which a resource is flapping,
pub const FLAPS: usize = 4;
/// if they happen within this time.
pub const FLAPS_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Time without a turn after which it is no longer flapping.
pub const QUIET: SignedDuration = SignedDuration::from_hours(24);
/// Number of turns stored.
const TURNS: usize = 10;

/// Returns whether a resource is flapping.
pub fn is_flapping(standing: &ResourceStatus) -> bool {
    let recent = |turn: &&Timestamp| standing.checked.duration_since(**turn) < FLAPS_WITHIN;
    standing.turns.iter().filter(recent).count() > FLAPS
        && standing.turns.first().is_some_and(|turn| standing.checked.duration_since(*turn) < QUIET)
}

/// Returns the state after one more check, and the change to report, if any.
pub fn update_standing(
    before: Option<&ResourceStatus>,
    check: &Check,
) -> (ResourceStatus, Option<StatusTransition>) {
    let Some(before) = before else {
        return (first(check), None);
    };
    // Checks without a result change nothing, nor do late results that are older than a stored one.
    if check.verdict == Status::Unchecked || check.at < before.checked {
        return (before.clone(), None);
    }
    let mut now = counted(before, check);
    decide(before, check, &mut now);
    // Flapping must not revive a dead resource; only an answer can.
    let rises = before.status != Status::Dead || answers(check.verdict);
    if is_flapping(&now) && now.status != Status::Dead && rises {
        now.status = Status::Degraded;
        now.cause = "flapping".into();
        now.reason = flapping(&now, check);
    }
    if now.status != before.status {
        now.since = check.at;
    }
    let turn = news(&now);
    if turn.is_some() {
        now.told = now.status;
    }
    (now, turn)
}

/// Returns whether a check counts as available: whether the description was returned, or `None` if
/// the failure may be our own or the server blocks us.
pub fn check_availability(check: &Check) -> Option<bool> {
    let silent = matches!(check.verdict, Status::Restricted | Status::Blocked | Status::Unchecked)
        || matches!(check.cause.as_str(), "too-large" | "refused" | "robots");
    let given = check
        .observations
        .iter()
        .any(|seen| seen.purpose == Purpose::Description && seen.outcome == Outcome::Valid);
    if given { Some(true) } else { (!silent).then_some(false) }
}

/// Returns the median time of the answered operations, first byte and transfer, in milliseconds; of
/// the description if the kind has no operation.
pub fn operation_millis(check: &Check) -> Option<u32> {
    let of = |purpose: Purpose| {
        check.observations.iter().filter(move |seen| {
            seen.purpose == purpose && matches!(seen.outcome, Outcome::Valid | Outcome::Blank)
        })
    };
    let purpose = if check.observations.iter().any(|seen| seen.purpose == Purpose::Operation) {
        Purpose::Operation
    } else {
        Purpose::Description
    };
    let mut all: Vec<u32> =
        of(purpose).map(|seen| seen.phases.first_byte.saturating_add(seen.phases.transfer)).collect();
    all.sort_unstable();
    all.get(all.len() / 2).copied()
}

fn answers(verdict: Status) -> bool {
    verdict.is_usable()
}

fn first(check: &Check) -> ResourceStatus {
    let mut now = ResourceStatus::from_finding(check.verdict, &check.reason, check.at);
    now.cause.clone_from(&check.cause);
    if !answers(check.verdict) {
        now.last_ok = None;
    }
    now.successes = u32::from(check.verdict == Status::Alive);
    now.not_good = u32::from(check.verdict != Status::Alive);
    if matches!(check.verdict, Status::Dead | Status::Inconclusive) {
        now.failures = 1;
        now.failing_since = Some(check.at);
        now.deaths = u32::from(check.verdict == Status::Dead);
    }
    now
}

/// Carries over the counts of equal verdicts, turns and times.
fn counted(before: &ResourceStatus, check: &Check) -> ResourceStatus {
    let mut now = before.clone();
    let verdict = check.verdict;
    now.checked = check.at;
    if answers(verdict) != answers(before.verdict) {
        now.turns.insert(0, check.at);
        now.turns.truncate(TURNS);
    }
    if verdict == before.verdict && before.repeated > 0 {
        now.repeated = before.repeated.saturating_add(1);
    } else {
        now.repeated = 1;
        now.repeated_since = Some(check.at);
    }
    now.verdict = verdict;
    if matches!(verdict, Status::Dead | Status::Inconclusive) {
        now.failures = before.failures.saturating_add(1);
        now.failing_since = before.failing_since.or(Some(check.at));
        now.deaths = before.deaths.saturating_add(u32::from(verdict == Status::Dead));
    } else {
        now.failures = 0;
        now.failing_since = None;
        now.deaths = 0;
    }
    if answers(verdict) {
        now.last_ok = Some(check.at);
    }
    let good = verdict == Status::Alive;
    now.successes = if good { before.successes.saturating_add(1) } else { 0 };
    now.not_good = if good { 0 } else { before.not_good.saturating_add(1) };
    now
}

fn decide(before: &ResourceStatus, check: &Check, now: &mut ResourceStatus) {
    let follow = |now: &mut ResourceStatus| {
        now.status = check.verdict;
        now.cause.clone_from(&check.cause);
        now.reason.clone_from(&check.reason);
    };
    // Rule 1. Its first answer counts at once as well, since its death was never reported.
    if before.last_ok.is_none() {
        return follow(now);
    }
    match check.verdict {
        Status::Alive | Status::Degraded => {
            // Two answers in a row: there was no turn before this check.
            if before.status != Status::Dead || answers(before.verdict) {
                follow(now);
            } else {
                now.reason = format!(
                    "It answered again at {}; after one more answer it counts as working",
                    second(check.at)
                );
            }
        }
        Status::Dead | Status::Inconclusive if now.deaths > 0 => {
            if before.status == Status::Dead || died(now) {
                now.status = Status::Dead;
                now.cause.clone_from(&check.cause);
                now.reason = since(now, check);
            } else {
                now.status = Status::Degraded;
                now.cause.clone_from(&check.cause);
                now.reason = since(now, check);
            }
        }
        Status::Inconclusive if before.status == Status::Dead => {}
        Status::Restricted | Status::Blocked | Status::Inconclusive => {
            if now.repeated >= CONFIRMED || before.status == check.verdict {
                follow(now);
            }
        }
        Status::Dead | Status::Unchecked => {}
    }
}

fn died(now: &ResourceStatus) -> bool {
    let spans = |from: Option<Timestamp>, time: SignedDuration| {
        from.is_some_and(|from| now.checked.duration_since(from) >= time)
    };
    (now.verdict == Status::Dead && now.repeated >= DEATHS && spans(now.repeated_since, DEATH_AFTER))
        || (now.failures >= MIXED && spans(now.failing_since, MIXED_AFTER))
}

fn news(now: &ResourceStatus) -> Option<StatusTransition> {
    // While it is flapping, only the degraded status is reported.
    if is_flapping(now) && !(now.told == Status::Alive && now.cause == "flapping") {
        return None;
    }
    let flapping = now.cause == "flapping";
    let turn = match (now.told, now.status) {
        (told, status) if told == status => return None,
        (_, Status::Dead) => StatusTransition::Died,
        (Status::Dead, Status::Alive | Status::Degraded) => StatusTransition::Reborn,
        (_, Status::Restricted) => StatusTransition::Restricted,
        (_, Status::Blocked) => StatusTransition::Blocked,
        (_, Status::Alive) => StatusTransition::Recovered,
        // Degraded and inconclusive are not reported as different.
        (Status::Degraded | Status::Inconclusive, Status::Inconclusive | Status::Degraded)
        | (Status::Dead, Status::Inconclusive)
        | (_, Status::Unchecked) => return None,
        (_, Status::Degraded | Status::Inconclusive) => {
            if now.not_good < CONFIRMED && !flapping {
                return None;
            }
            StatusTransition::Degraded
        }
    };
    Some(turn)
}

/// Adds since when it has been failing to the reason.
fn since(now: &ResourceStatus, check: &Check) -> String {
    let Some(from) = now.failing_since else { return check.reason.clone() };
    let reason = check.reason.trim_end_matches('.');
    if now.failures < 2 {
        return format!("{reason} (first failure at {})", second(from));
    }
    format!("{reason} ({} checks in a row since {})", now.failures, second(from))
}

fn flapping(now: &ResourceStatus, check: &Check) -> String {
    let recent = now.turns.iter().filter(|turn| now.checked.duration_since(**turn) < FLAPS_WITHIN).count();
    let latest = check.reason.trim_end_matches('.');
    format!("Unstable: {recent} changes between working and failing within 7 days; latest: {latest}")
}

/// Rounds a time to the second for display.
fn second(at: Timestamp) -> String {
    Timestamp::from_second(at.as_second()).unwrap_or(at).to_string()
}

#[cfg(test)]
mod tests;
