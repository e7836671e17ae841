//! Parses temporal extents as they appear in metadata: dates, timestamps, years, intervals.

/// Parses a list of moments and intervals. Returns the first and last second since 1970, or `None`
/// if nothing can be parsed.
pub fn parse_time_extent(text: &str) -> Option<(i64, i64)> {
    let mut whole: Option<(i64, i64)> = None;
    for one in text.split(',').take(10_000) {
        let mut ends = one.split('/').map(str::trim);
        let (from, to) = (ends.next().unwrap_or_default(), ends.next());
        let Some((first, mut last)) = parse_time_range(from) else { continue };
        if let Some(to) = to {
            last = match to {
                "" | ".." | "now" | "present" | "current" => i64::MAX,
                _ => parse_time_range(to).map_or(last, |(_, end)| end),
            };
        }
        let (first, last) = if first <= last { (first, last) } else { (last, first) };
        whole = Some(whole.map_or((first, last), |(a, b)| (a.min(first), b.max(last))));
    }
    whole
}

/// Parses a timestamp, a day, a month or a year. Returns its first and last second since 1970.
pub fn parse_time_range(text: &str) -> Option<(i64, i64)> {
    let text = text.trim();
    if let Ok(at) = text.parse::<jiff::Timestamp>() {
        return Some((at.as_second(), at.as_second()));
    }
    if let Ok(at) = text.parse::<jiff::civil::DateTime>()
        && text.len() > 10
    {
        let at = at.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_second();
        return Some((at, at));
    }
    let mut parts = text.splitn(3, '-');
    let mut part = |digits: usize| match parts.next() {
        None => Some(None),
        Some(part) => part.get(..digits)?.parse::<i16>().ok().map(Some),
    };
    let year = part(4)??;
    let month = part(2)?.map(|month| month as i8);
    let day = part(2)?.map(|day| day as i8);
    let first = jiff::civil::Date::new(year, month.unwrap_or(1), day.unwrap_or(1)).ok()?;
    let last = match (month, day) {
        (_, Some(_)) => first,
        (Some(_), None) => first.last_of_month(),
        (None, None) => first.last_of_year(),
    };
    let second =
        |date: jiff::civil::Date| Some(date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_second());
    Some((second(first)?, second(last)? + 86_399))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_are_read() {
        assert_eq!(parse_time_extent("1970-01-01"), Some((0, 86_399)));
        assert_eq!(parse_time_extent("1970-01-01T00:00:10Z"), Some((10, 10)));
        assert_eq!(parse_time_extent("1970-01-01T00:00:10"), Some((10, 10)));
        assert_eq!(parse_time_extent("1970-01-01/1970-01-03/P1D"), Some((0, 3 * 86_400 - 1)));
        assert_eq!(parse_time_extent("1970"), Some((0, 365 * 86_400 - 1)));
        assert_eq!(parse_time_extent("1970-02,1970-01"), Some((0, 59 * 86_400 - 1)));
        assert_eq!(parse_time_extent("1970-01-01/.."), Some((0, i64::MAX)));
        for nonsense in ["", "yesterday", "19", "1970-13", "/", "1970-01-é1"] {
            assert_eq!(parse_time_extent(nonsense), None, "{nonsense}");
        }
    }
}
