//! Stored times: microseconds since the epoch.

use jiff::Timestamp;

/// Converts a time to its stored form.
pub(crate) fn to_micros(at: Timestamp) -> i64 {
    at.as_microsecond()
}

/// Converts a stored time. Numbers outside the calendar, which we never write, become the epoch.
pub(crate) fn from_micros(micros: i64) -> Timestamp {
    Timestamp::from_microsecond(micros).unwrap_or_default()
}
