//! Converts [`Expr`] into [`Filter`].

use super::spans::{self, SecondsSpan};
use super::{Cql2Error, Cql2Queryable, Expr, find_queryable};
use geotrawl_index::{ComparisonOperator, FilterExpression, FilterProperty, SpatialRelation};
use geotrawl_model::Bbox;

/// Converts a complete condition.
pub(super) fn lower_filter(expr: &Expr) -> Result<FilterExpression, Cql2Error> {
    match expr {
        Expr::Truth(true) => Ok(FilterExpression::All(Vec::new())),
        Expr::Truth(false) => Ok(FilterExpression::Any(Vec::new())),
        Expr::Call(name, arguments) => call(name, arguments),
        _ => Err(Cql2Error::new("Expected a condition, found a value.")),
    }
}

fn call(name: &str, arguments: &[Expr]) -> Result<FilterExpression, Cql2Error> {
    match name {
        "and" => arguments.iter().map(lower_filter).collect::<Result<_, _>>().map(FilterExpression::All),
        "or" => arguments.iter().map(lower_filter).collect::<Result<_, _>>().map(FilterExpression::Any),
        "not" => Ok(FilterExpression::Not(Box::new(lower_filter(single_argument(name, arguments)?)?))),
        "isnull" => {
            known(single_argument(name, arguments)?).map(|known| FilterExpression::Not(Box::new(known)))
        }
        "like" => like(arguments),
        "between" => {
            let [value, low, high] = arguments else { return Err(wrong_count(name)) };
            let (low, high) = ([value.clone(), low.clone()], [value.clone(), high.clone()]);
            Ok(FilterExpression::All(vec![compare(">=", &low)?, compare("<=", &high)?]))
        }
        "in" => {
            let [value, Expr::List(list)] = arguments else { return Err(wrong_count(name)) };
            let one = |item: &Expr| compare("=", &[value.clone(), item.clone()]);
            list.iter().map(one).collect::<Result<_, _>>().map(FilterExpression::Any)
        }
        "=" | "<>" | "<" | ">" | "<=" | ">=" => compare(name, arguments),
        "a_contains" | "a_overlaps" => array(name, arguments),
        _ if name.starts_with("s_") => place(name, arguments),
        _ if name.starts_with("t_") => time(name, arguments),
        _ => {
            Err(Cql2Error::new(format!("'{}' is not supported.", name.chars().take(40).collect::<String>())))
        }
    }
}

fn wrong_count(name: &str) -> Cql2Error {
    Cql2Error::new(format!("{} has the wrong number of arguments.", name.to_ascii_uppercase()))
}

fn single_argument<'a>(name: &str, arguments: &'a [Expr]) -> Result<&'a Expr, Cql2Error> {
    match arguments {
        [one] => Ok(one),
        _ => Err(wrong_count(name)),
    }
}

fn property(name: &str) -> Result<Cql2Queryable, Cql2Error> {
    find_queryable(name).ok_or_else(|| {
        let known: Vec<&str> = super::NAMES.iter().map(|name| name.name).collect();
        let name: String = name.chars().take(60).collect();
        Cql2Error::new(format!("Unknown property '{name}'; the properties are {}.", known.join(", ")))
    })
}

fn known(expr: &Expr) -> Result<FilterExpression, Cql2Error> {
    let Expr::Property(name) = expr else { return Err(Cql2Error::new("IS NULL requires a property.")) };
    match property(name)? {
        Cql2Queryable::Value(property) => Ok(FilterExpression::Known(property)),
        Cql2Queryable::Type => Ok(FilterExpression::All(Vec::new())),
        Cql2Queryable::Place => {
            let world = Bbox { west: -180.0, south: -90.0, east: 180.0, north: 90.0 };
            Ok(FilterExpression::Place { relation: SpatialRelation::Overlaps, bbox: world })
        }
    }
}

fn like(arguments: &[Expr]) -> Result<FilterExpression, Cql2Error> {
    let [Expr::Property(name), Expr::Text(pattern)] = arguments else {
        return Err(Cql2Error::new("LIKE requires a property and a pattern."));
    };
    let pattern = pattern.clone();
    match property(name)? {
        Cql2Queryable::Value(property) => Ok(FilterExpression::Like { property, pattern }),
        Cql2Queryable::Type => Ok(FilterExpression::Like { property: FilterProperty::Kind, pattern }),
        Cql2Queryable::Place => Err(Cql2Error::new("LIKE cannot be used with a geometry.")),
    }
}

fn compare(sign: &str, arguments: &[Expr]) -> Result<FilterExpression, Cql2Error> {
    let (name, value, sign) = match arguments {
        [Expr::Property(_), Expr::Property(_)] => {
            return Err(Cql2Error::new("Cannot compare two properties."));
        }
        [Expr::Property(name), value] => (name, value, sign),
        [value, Expr::Property(name)] => (name, value, turned(sign)),
        _ => return Err(Cql2Error::new("A property must be compared with a value.")),
    };
    let queryable = property(name)?;
    if let Cql2Queryable::Value(FilterProperty::Time) = queryable {
        return compare_time(sign, value);
    }
    let value = match value {
        Expr::Text(text) | Expr::Moment(text) => text.clone(),
        Expr::Number(number) => number.to_string(),
        Expr::Truth(truth) => truth.to_string(),
        _ => return Err(Cql2Error::new(format!("'{name}' must be compared with one value."))),
    };
    match queryable {
        Cql2Queryable::Value(property) => {
            if matches!(property, FilterProperty::Created | FilterProperty::Modified) {
                // Validates the time only; the index parses the value itself.
                spans::parse_span(Some(&value), None)?;
            }
            if property == FilterProperty::Score && value.parse::<f64>().is_err() {
                return Err(Cql2Error::new(format!("'{name}' must be compared with a number.")));
            }
            Ok(FilterExpression::Compare { property, comparison: comparison(sign), value })
        }
        Cql2Queryable::Type => match sign {
            "=" => Ok(crate::shared_params::type_filter(&value)),
            "<>" => Ok(FilterExpression::Not(Box::new(crate::shared_params::type_filter(&value)))),
            _ => Err(Cql2Error::new("Types can only be compared with = and <>.")),
        },
        Cql2Queryable::Place => {
            Err(Cql2Error::new("Use S_INTERSECTS and the other spatial functions to compare geometries."))
        }
    }
}

/// Compares times. The time of data is a span: it equals whatever it overlaps, and is before or
/// after as a whole.
fn compare_time(sign: &str, value: &Expr) -> Result<FilterExpression, Cql2Error> {
    let span = span_of(value)?;
    let (name, negated) = match sign {
        "=" => ("intersects", false),
        "<>" => ("disjoint", false),
        "<" => ("before", false),
        ">" => ("after", false),
        "<=" => ("after", true),
        _ => ("before", true),
    };
    let found = spans::relation_filter(name, FilterProperty::Time, span).ok_or_else(|| wrong_count(name))?;
    if !negated {
        return Ok(found);
    }
    // Records without a time match neither a comparison nor its negation.
    Ok(FilterExpression::All(vec![
        FilterExpression::Known(FilterProperty::Time),
        FilterExpression::Not(Box::new(found)),
    ]))
}

fn turned(sign: &str) -> &str {
    match sign {
        "<" => ">",
        ">" => "<",
        "<=" => ">=",
        ">=" => "<=",
        same => same,
    }
}

fn comparison(sign: &str) -> ComparisonOperator {
    match sign {
        "<>" => ComparisonOperator::NotEqual,
        "<" => ComparisonOperator::Less,
        "<=" => ComparisonOperator::AtMost,
        ">" => ComparisonOperator::More,
        ">=" => ComparisonOperator::AtLeast,
        _ => ComparisonOperator::Equal,
    }
}

/// Builds a filter for all values of a list (`a_contains`), or any of them (`a_overlaps`).
fn array(name: &str, arguments: &[Expr]) -> Result<FilterExpression, Cql2Error> {
    let (property, list) = match arguments {
        [property @ Expr::Property(_), Expr::List(list)] => (property, list),
        [Expr::List(list), property @ Expr::Property(_)] if name == "a_overlaps" => (property, list),
        _ => {
            return Err(Cql2Error::new(format!(
                "{} requires a property and a list.",
                name.to_ascii_uppercase()
            )));
        }
    };
    let parts = list.iter().map(|item| compare("=", &[property.clone(), item.clone()]));
    let parts = parts.collect::<Result<_, _>>()?;
    Ok(if name == "a_contains" { FilterExpression::All(parts) } else { FilterExpression::Any(parts) })
}

fn place(name: &str, arguments: &[Expr]) -> Result<FilterExpression, Cql2Error> {
    let (property_name, bbox, is_turned) = match arguments {
        [Expr::Property(name), Expr::Shape(bbox)] => (name, *bbox, false),
        [Expr::Shape(bbox), Expr::Property(name)] => (name, *bbox, true),
        _ => {
            return Err(Cql2Error::new(format!(
                "{} requires the property 'geometry' and a geometry.",
                name.to_ascii_uppercase()
            )));
        }
    };
    if property(property_name)? != Cql2Queryable::Place {
        return Err(Cql2Error::new(format!("'{property_name}' is not a geometry.")));
    }
    let lies = |relation| FilterExpression::Place { relation, bbox };
    match (name, is_turned) {
        ("s_intersects", _) => Ok(lies(SpatialRelation::Overlaps)),
        ("s_within", false) | ("s_contains", true) => Ok(lies(SpatialRelation::Within)),
        ("s_contains", false) | ("s_within", true) => Ok(lies(SpatialRelation::Contains)),
        ("s_equals", _) => {
            Ok(FilterExpression::All(vec![lies(SpatialRelation::Within), lies(SpatialRelation::Contains)]))
        }
        ("s_disjoint", _) => Ok(FilterExpression::Apart { bbox }),
        _ => Err(Cql2Error::new(format!(
            "{} is not supported; use S_INTERSECTS, S_WITHIN, S_CONTAINS, S_EQUALS or S_DISJOINT.",
            name.to_ascii_uppercase()
        ))),
    }
}

fn span_of(value: &Expr) -> Result<SecondsSpan, Cql2Error> {
    match value {
        Expr::Moment(text) | Expr::Text(text) => spans::parse_span(Some(text), Some(text)),
        Expr::Interval(from, until) => spans::parse_span(from.as_deref(), until.as_deref()),
        _ => Err(Cql2Error::new("Expected a date, a time or an interval.")),
    }
}

fn time(name: &str, arguments: &[Expr]) -> Result<FilterExpression, Cql2Error> {
    let bare = name.trim_start_matches("t_");
    let (property_name, value, bare) = match arguments {
        [Expr::Property(_), Expr::Property(_)] => {
            return Err(Cql2Error::new("Cannot compare two properties."));
        }
        [Expr::Property(name), value] => (name, value, bare),
        [value, Expr::Property(name)] => (name, value, spans::inverse_relation(bare)),
        _ => return Err(wrong_count(name)),
    };
    let Cql2Queryable::Value(
        property @ (FilterProperty::Time | FilterProperty::Created | FilterProperty::Modified),
    ) = property(property_name)?
    else {
        return Err(Cql2Error::new(format!("'{property_name}' is not a time.")));
    };
    spans::relation_filter(bare, property, span_of(value)?)
        .ok_or_else(|| Cql2Error::new(format!("{} is not supported.", name.to_ascii_uppercase())))
}
