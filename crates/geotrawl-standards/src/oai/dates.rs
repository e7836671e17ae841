//! Dates of the protocol: days, or seconds in UTC.

use jiff::Timestamp;

/// Granularity of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateGranularity {
    Day,
    Second,
}

impl DateGranularity {
    fn seconds(self) -> i64 {
        match self {
            Self::Day => 86_400,
            Self::Second => 1,
        }
    }
}

/// Parses a date and its granularity; `None` unless it is `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ssZ`.
pub fn parse_date(text: &str) -> Option<(Timestamp, DateGranularity)> {
    let shape = |pattern: &str| {
        text.len() == pattern.len()
            && text.bytes().zip(pattern.bytes()).all(|(byte, sort)| match sort {
                b'0' => byte.is_ascii_digit(),
                other => byte == other,
            })
    };
    if shape("0000-00-00") {
        return Some((format!("{text}T00:00:00Z").parse().ok()?, DateGranularity::Day));
    }
    if shape("0000-00-00T00:00:00Z") {
        return Some((text.parse().ok()?, DateGranularity::Second));
    }
    None
}

/// Returns the exclusive end of a span that includes all of `until`.
pub fn exclusive_end(until: Timestamp, granularity: DateGranularity) -> Timestamp {
    Timestamp::from_second(until.as_second().saturating_add(granularity.seconds())).unwrap_or(Timestamp::MAX)
}

/// Formats a date as the protocol requires.
pub fn format_date(at: Timestamp) -> String {
    let whole = Timestamp::from_second(at.as_second()).unwrap_or(at);
    whole.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_two_forms_are_dates() {
        for (text, granularity) in [
            ("2026-02-28", Some(DateGranularity::Day)),
            ("2026-02-28T12:00:59Z", Some(DateGranularity::Second)),
            ("2026-02-30", None),
            ("2026-02-28T12:00:59.5Z", None),
            ("2026-02-28T12:00:59", None),
            ("2026-02-28T12:00:59+01:00", None),
            ("2026-02", None),
            ("", None),
            ("２026-02-28", None),
        ] {
            assert_eq!(parse_date(text).map(|(_, granularity)| granularity), granularity, "{text}");
        }
        let (day, granularity) = parse_date("2026-12-31").unwrap();
        assert_eq!(format_date(exclusive_end(day, granularity)), "2027-01-01T00:00:00Z");
    }
}
