//! Temporal relations, expressed as comparisons between the ends of a record's time and the ends of
//! a span.
//!
//! The index can only tell whether a record's time overlaps a span. Start and end follow from that:
//! a record's time starts at or before a moment exactly if it overlaps the span from the beginning
//! of time to that moment. Times are whole seconds.

use super::Cql2Error;
use geotrawl_index::{FilterExpression, FilterProperty, moments};

/// A span in Unix seconds; open ends are the minimum and maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SecondsSpan {
    pub from: i64,
    pub until: i64,
}

/// Parses a span; `None` is an open end.
pub(super) fn parse_span(from: Option<&str>, until: Option<&str>) -> Result<SecondsSpan, Cql2Error> {
    let read = |text: &str| {
        let moment = moments::parse_time_range(text);
        moment
            .ok_or_else(|| Cql2Error::new(format!("'{text}' is not a date or time (2026-01-31T12:00:00Z).")))
    };
    let from = from.map(read).transpose()?.map_or(i64::MIN, |(first, _)| first);
    let until = until.map(read).transpose()?.map_or(i64::MAX, |(_, last)| last);
    if from > until {
        return Err(Cql2Error::new("An interval ends before it starts."));
    }
    Ok(SecondsSpan { from, until })
}

fn format_second(second: i64) -> Option<String> {
    jiff::Timestamp::from_second(second).ok().map(|moment| moment.to_string())
}

fn overlaps_filter(property: FilterProperty, from: i64, until: i64) -> FilterExpression {
    FilterExpression::Time { property, from: format_second(from), until: format_second(until) }
}

fn negated_filter(property: FilterProperty, touching: FilterExpression) -> FilterExpression {
    // Without a time, a record is neither inside nor outside of a span.
    FilterExpression::All(vec![FilterExpression::Known(property), FilterExpression::Not(Box::new(touching))])
}

/// Matches every record that has a time, or no record.
fn constant(property: FilterProperty, truth: bool) -> FilterExpression {
    if truth { FilterExpression::Known(property) } else { FilterExpression::Any(Vec::new()) }
}

/// Start or end of a record's time.
#[derive(Clone, Copy)]
enum SpanEnd {
    Start,
    Finish,
}

/// Matches if the end is before the moment.
fn before(property: FilterProperty, end: SpanEnd, moment: i64) -> FilterExpression {
    // At an open end the answer is the same for every record with a time.
    if moment == i64::MIN || moment == i64::MAX {
        return constant(property, moment == i64::MAX);
    }
    match end {
        SpanEnd::Start => overlaps_filter(property, i64::MIN, moment - 1),
        SpanEnd::Finish => negated_filter(property, overlaps_filter(property, moment, i64::MAX)),
    }
}

/// Matches if the end is after the moment.
fn after(property: FilterProperty, end: SpanEnd, moment: i64) -> FilterExpression {
    if moment == i64::MIN || moment == i64::MAX {
        return constant(property, moment == i64::MIN);
    }
    match end {
        SpanEnd::Start => negated_filter(property, overlaps_filter(property, i64::MIN, moment)),
        SpanEnd::Finish => overlaps_filter(property, moment + 1, i64::MAX),
    }
}

fn not(property: FilterProperty, filter: FilterExpression) -> FilterExpression {
    negated_filter(property, filter)
}

fn same(property: FilterProperty, end: SpanEnd, moment: i64) -> FilterExpression {
    // The index cannot test for equality, so exclude both sides.
    let apart = FilterExpression::Any(vec![before(property, end, moment), after(property, end, moment)]);
    not(property, apart)
}

/// Builds the filter for a CQL2 relation, named without `t_`, with the record's time first; `None`
/// if unknown.
pub(super) fn relation_filter(name: &str, p: FilterProperty, span: SecondsSpan) -> Option<FilterExpression> {
    use SpanEnd::{Finish, Start};
    let SecondsSpan { from, until } = span;
    let all = |parts: Vec<FilterExpression>| Some(FilterExpression::All(parts));
    match name {
        "intersects" => Some(overlaps_filter(p, from, until)),
        "disjoint" => Some(negated_filter(p, overlaps_filter(p, from, until))),
        "after" => Some(after(p, Start, until)),
        "before" => Some(before(p, Finish, from)),
        "during" => all(vec![after(p, Start, from), before(p, Finish, until)]),
        "contains" => all(vec![before(p, Start, from), after(p, Finish, until)]),
        "equals" => all(vec![same(p, Start, from), same(p, Finish, until)]),
        "starts" => all(vec![same(p, Start, from), before(p, Finish, until)]),
        "startedby" => all(vec![same(p, Start, from), after(p, Finish, until)]),
        "finishes" => all(vec![after(p, Start, from), same(p, Finish, until)]),
        "finishedby" => all(vec![before(p, Start, from), same(p, Finish, until)]),
        "meets" => Some(same(p, Finish, from)),
        "metby" => Some(same(p, Start, until)),
        "overlaps" => all(vec![before(p, Start, from), after(p, Finish, from), before(p, Finish, until)]),
        "overlappedby" => all(vec![after(p, Start, from), before(p, Start, until), after(p, Finish, until)]),
        _ => None,
    }
}

/// Returns the relation with its operands swapped.
pub(super) fn inverse_relation(name: &str) -> &str {
    const PAIRS: [(&str, &str); 6] = [
        ("after", "before"),
        ("during", "contains"),
        ("starts", "startedby"),
        ("finishes", "finishedby"),
        ("meets", "metby"),
        ("overlaps", "overlappedby"),
    ];
    let pair = PAIRS.iter().find_map(|(one, other)| match name {
        _ if name == *one => Some(*other),
        _ if name == *other => Some(*one),
        _ => None,
    });
    pair.unwrap_or(name)
}
