//! Decides when to check a resource again.
//!
//! | state | next check |
//! |---|---|
//! | the first 7 checks | after a day |
//! | a working service | after 3 days, growing with every week of good checks to 7 days |
//! | a working file | after 7 days, doubling with every good check to 30 days |
//! | its description changed in the last 30 days | the interval divided by the number of changes plus one, at least a day |
//! | degraded, or flapping | after a day |
//! | restricted, blocked | after 3 days, after 7 if it stays so |
//! | did not answer | 1 h, 6 h and 24 h after the first failure, then after 1, 2, 4, 8, ... days |
//! | dead, and answered once again | after an hour, to confirm |
//!
//! All within the operator's limits. Every interval varies by up to a tenth, always in the same way
//! for the same seed and number of checks, so that resources checked together spread out. The times
//! after a first failure are never shortened, because a resource must fail for a whole day to be
//! dead.

use geotrawl_kinds::kinds::{self, KindProfile};
use geotrawl_model::Status;
use geotrawl_model::schedule::{CheckPace, ScheduleLimits};
use geotrawl_model::standing::ResourceStatus;
use jiff::{SignedDuration, Timestamp};

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;
/// Number of initial checks that are made daily.
const YOUNG: u32 = 7;
/// Times after a first failure at which it is checked again.
const CONFIRM: [i64; 3] = [HOUR, 6 * HOUR, 24 * HOUR];

/// Returns when to check next: after the latest check, within the limits.
pub fn next_check(pace: &CheckPace, standing: &ResourceStatus, limits: &ScheduleLimits) -> Timestamp {
    let longest = limits.longest.as_secs().clamp(1, 366 * DAY);
    let shortest = limits.shortest.as_secs().clamp(1, longest);
    let seconds = if standing.failures > 0 {
        failing(pace, standing)
    } else {
        let interval = working(pace, standing);
        // Leave room for the variation by a tenth within the limits.
        let interval = interval.min(longest - longest / 11).max(shortest + shortest / 9);
        interval + spread(pace, interval / 10, -1)
    };
    let seconds = SignedDuration::from_secs(seconds.clamp(shortest, longest));
    standing.checked.checked_add(seconds).unwrap_or(Timestamp::MAX)
}

/// Returns whether a kind is static data, which rarely changes.
pub fn is_static(kind: &str) -> bool {
    kinds::kind_profile(kind).is_some_and(KindProfile::is_static)
}

/// Returns the seconds between checks of a resource that answers.
fn working(pace: &CheckPace, standing: &ResourceStatus) -> i64 {
    let successes = i64::from(standing.successes);
    match standing.status {
        Status::Dead => HOUR,
        Status::Degraded | Status::Inconclusive | Status::Unchecked => DAY,
        Status::Restricted | Status::Blocked => {
            if standing.repeated < 3 {
                3 * DAY
            } else {
                7 * DAY
            }
        }
        Status::Alive if pace.checks < YOUNG => DAY,
        Status::Alive => {
            let calm = if is_static(&pace.kind) {
                (7 * DAY) << (successes - i64::from(YOUNG)).clamp(0, 3)
            } else {
                DAY * (3 + successes / 7).min(7)
            };
            (calm.min(30 * DAY) / (1 + i64::from(pace.changes))).max(DAY)
        }
    }
}

/// Returns the seconds between checks of a resource that does not answer.
fn failing(pace: &CheckPace, standing: &ResourceStatus) -> i64 {
    let nth = standing.failures as usize;
    let offset = if standing.status == Status::Dead { None } else { CONFIRM.get(nth.saturating_sub(1)) };
    if let (Some(offset), Some(from)) = (offset, standing.failing_since) {
        let passed = standing.checked.duration_since(from).as_secs();
        return (offset + spread(pace, offset / 10, 0) - passed).max(HOUR);
    }
    let doubled = nth.saturating_sub(CONFIRM.len() + 1).min(5) as u32;
    let interval = DAY << doubled;
    interval + spread(pace, interval / 10, -1)
}

/// Returns a number from `least * width` to `width`, always the same for the same seed and number
/// of checks.
fn spread(pace: &CheckPace, width: i64, least: i64) -> i64 {
    // SplitMix64, which maps neighbouring seeds to distant numbers.
    let mut bits = pace.seed.wrapping_add(u64::from(pace.checks).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    let from = least * width;
    let range = (width - from).max(0) as u64 + 1;
    from + (bits % range) as i64
}

#[cfg(test)]
mod tests;
