//! Which changes belong to one alert, so that a dead host causes a single alert, and when to retry
//! a delivery.

use jiff::{SignedDuration, Timestamp};

/// How long changes are collected before they are sent, so that failures at the same time are sent
/// together.
pub const SETTLE: SignedDuration = SignedDuration::from_mins(5);
/// A change of the same kind from the same host belongs to the previous alert if it follows within
/// this time, because the records of a host are checked one after another, over a day and more.
pub const FOLLOWS: SignedDuration = SignedDuration::from_hours(36);
/// Time after which further changes of the same host start a new alert.
pub const LONGEST: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Delays between attempts to deliver a message; after the last one the delivery fails.
const RETRIES: [SignedDuration; 8] = [
    SignedDuration::from_mins(1),
    SignedDuration::from_mins(5),
    SignedDuration::from_mins(15),
    SignedDuration::from_hours(1),
    SignedDuration::from_hours(3),
    SignedDuration::from_hours(6),
    SignedDuration::from_hours(12),
    SignedDuration::from_hours(24),
];

/// Returns whether a change at this time belongs to an alert with these times of its start and its
/// latest change.
pub fn same_alert(opened: Timestamp, latest: Timestamp, at: Timestamp) -> bool {
    at.duration_since(latest) < FOLLOWS && at.duration_since(opened) < LONGEST
}

/// Returns the delay after this many failed attempts; `None` if there are no more retries.
pub fn retry_after(attempts: u32) -> Option<SignedDuration> {
    RETRIES.get(attempts.saturating_sub(1) as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hours: i64) -> Timestamp {
        Timestamp::from_second(1_790_000_000 + hours * 3600).unwrap()
    }

    #[test]
    fn what_follows_soon_belongs_together() {
        assert!(same_alert(at(0), at(0), at(35)));
        assert!(!same_alert(at(0), at(0), at(36)));
        assert!(same_alert(at(0), at(140), at(160)));
        assert!(!same_alert(at(0), at(160), at(168)), "a week is an alert of its own");
    }

    #[test]
    fn attempts_come_ever_later_and_end() {
        let waits: Vec<_> = (1..20).map_while(retry_after).collect();
        assert_eq!(waits.len(), RETRIES.len());
        assert!(waits.is_sorted());
    }
}
