//! Relations in time, as comparisons of the two ends of a record's time with those of a span.
//!
//! The index answers whether a record's time touches a span; where a record's time begins and ends follows from that: it
//! begins at or before a moment exactly when it touches everything up to that moment. Times are whole seconds.

use super::Cql2Error;
use geotrawl_index::{FilterExpression, FilterProperty, moments};

/// A span in seconds since 1970; open ends are the smallest and largest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SecondsSpan {
    pub from: i64,
    pub until: i64,
}

/// Of two texts, either open.
pub(super) fn parse_span(from: Option<&str>, until: Option<&str>) -> Result<SecondsSpan, Cql2Error> {
    let read = |text: &str| {
        let moment = moments::parse_moment(text);
        moment.ok_or_else(|| Cql2Error::new(format!("'{text}' is no date or moment (2026-01-31T12:00:00Z).")))
    };
    let from = from.map(read).transpose()?.map_or(i64::MIN, |(first, _)| first);
    let until = until.map(read).transpose()?.map_or(i64::MAX, |(_, last)| last);
    if from > until {
        return Err(Cql2Error::new("An interval ends before it begins."));
    }
    Ok(SecondsSpan { from, until })
}

fn written(second: i64) -> Option<String> {
    jiff::Timestamp::from_second(second).ok().map(|moment| moment.to_string())
}

fn touches(property: FilterProperty, from: i64, until: i64) -> FilterExpression {
    FilterExpression::Time { property, from: written(from), until: written(until) }
}

fn outside(property: FilterProperty, touching: FilterExpression) -> FilterExpression {
    FilterExpression::All(vec![FilterExpression::Known(property), FilterExpression::Not(Box::new(touching))])
}

/// Everything or nothing that has a time at all.
fn constant(property: FilterProperty, truth: bool) -> FilterExpression {
    if truth { FilterExpression::Known(property) } else { FilterExpression::Any(Vec::new()) }
}

/// An end of a record's time.
#[derive(Clone, Copy)]
enum SpanEnd {
    Start,
    Finish,
}

/// The end comes before the moment.
fn before(property: FilterProperty, end: SpanEnd, moment: i64) -> FilterExpression {
    if moment == i64::MIN || moment == i64::MAX {
        return constant(property, moment == i64::MAX);
    }
    match end {
        SpanEnd::Start => touches(property, i64::MIN, moment - 1),
        SpanEnd::Finish => outside(property, touches(property, moment, i64::MAX)),
    }
}

/// The end comes after the moment.
fn after(property: FilterProperty, end: SpanEnd, moment: i64) -> FilterExpression {
    if moment == i64::MIN || moment == i64::MAX {
        return constant(property, moment == i64::MIN);
    }
    match end {
        SpanEnd::Start => outside(property, touches(property, i64::MIN, moment)),
        SpanEnd::Finish => touches(property, moment + 1, i64::MAX),
    }
}

fn not(property: FilterProperty, filter: FilterExpression) -> FilterExpression {
    outside(property, filter)
}

fn same(property: FilterProperty, end: SpanEnd, moment: i64) -> FilterExpression {
    let apart = FilterExpression::Any(vec![before(property, end, moment), after(property, end, moment)]);
    not(property, apart)
}

/// A relation of CQL2 by its name without `t_`, the record's time first. `None`: there is no such relation.
pub(super) fn relation_filter(name: &str, p: FilterProperty, span: SecondsSpan) -> Option<FilterExpression> {
    use SpanEnd::{Finish, Start};
    let SecondsSpan { from, until } = span;
    let all = |parts: Vec<FilterExpression>| Some(FilterExpression::All(parts));
    match name {
        "intersects" => Some(touches(p, from, until)),
        "disjoint" => Some(outside(p, touches(p, from, until))),
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

/// The same relation seen from the other side.
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
