//! Times as the file keeps them: microseconds since the epoch.

use jiff::Timestamp;

/// To the file.
pub(crate) fn to_micros(at: Timestamp) -> i64 {
    at.as_microsecond()
}

/// From the file; a number outside the calendar, which we never write, becomes the epoch.
pub(crate) fn from_micros(micros: i64) -> Timestamp {
    Timestamp::from_microsecond(micros).unwrap_or_default()
}
