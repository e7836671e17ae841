//! When news belongs together, so that one dead host is one alert, and when a message is tried again.

use jiff::{SignedDuration, Timestamp};

/// How long news is gathered before it is sent at once: what breaks together is told together.
pub const SETTLE: SignedDuration = SignedDuration::from_mins(5);
/// News of the same kind from the same host belongs to the alert before it when it follows within this time: the
/// records of a host are checked one after the other, over a day and more.
pub const FOLLOWS: SignedDuration = SignedDuration::from_hours(36);
/// After so long a host that still makes news is a new alert.
pub const LONGEST: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Times between the attempts to deliver a message; then it is given up.
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

/// Whether news at this moment belongs to an alert that was opened then and had its latest news then.
pub fn same_alert(opened: Timestamp, latest: Timestamp, at: Timestamp) -> bool {
    at.duration_since(latest) < FOLLOWS && at.duration_since(opened) < LONGEST
}

/// How long to wait after so many failed attempts; `None` when it is given up.
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
