//! Parses CQL2 JSON into [`Expr`].

use super::{Cql2Error, DEEPEST, Expr, ParseBudget, shapes};
use serde_json::{Map, Value};

/// Parses a complete filter.
pub(super) fn parse_expression(value: &Value) -> Result<Expr, Cql2Error> {
    read(value, 0, &mut ParseBudget::default())
}

fn read(value: &Value, depth: usize, budget: &mut ParseBudget) -> Result<Expr, Cql2Error> {
    budget.spend()?;
    if depth > DEEPEST {
        return Err(Cql2Error::new(format!("The filter is nested deeper than {DEEPEST} levels.")));
    }
    match value {
        Value::Null => Err(Cql2Error::new("null is not a value; use isNull.")),
        Value::Bool(truth) => Ok(Expr::Truth(*truth)),
        Value::Number(number) => {
            let number = number.as_f64().filter(|number| number.is_finite());
            number.map(Expr::Number).ok_or_else(|| Cql2Error::new("A number is too large."))
        }
        Value::String(text) => Ok(Expr::Text(text.clone())),
        Value::Array(values) => {
            let values = values.iter().map(|value| read(value, depth + 1, budget));
            values.collect::<Result<_, _>>().map(Expr::List)
        }
        Value::Object(object) => read_object(object, value, depth, budget),
    }
}

fn read_object(
    object: &Map<String, Value>,
    value: &Value,
    depth: usize,
    budget: &mut ParseBudget,
) -> Result<Expr, Cql2Error> {
    let text = |name: &str| object.get(name).and_then(Value::as_str);
    if let Some(operator) = text("op") {
        let arguments = match object.get("args") {
            None => Vec::new(),
            Some(Value::Array(arguments)) => {
                let arguments = arguments.iter().map(|value| read(value, depth + 1, budget));
                arguments.collect::<Result<_, _>>()?
            }
            Some(_) => return Err(Cql2Error::new("'args' must be a list.")),
        };
        return build_call(&operator.to_ascii_lowercase(), arguments);
    }
    if let Some(property) = text("property") {
        return Ok(Expr::Property(property.to_owned()));
    }
    if let Some(moment) = text("date").or_else(|| text("timestamp")) {
        return Ok(Expr::Moment(moment.to_owned()));
    }
    if let Some(interval) = object.get("interval") {
        let Value::Array(ends) = interval else { return Err(Cql2Error::new("'interval' must be a list.")) };
        let ends = ends.iter().map(|end| read(end, depth + 1, budget)).collect::<Result<_, _>>()?;
        return build_call("interval", ends);
    }
    if let Some(Value::Array(numbers)) = object.get("bbox") {
        let numbers = numbers.iter().take(7).map(|number| read(number, depth + 1, budget));
        return shapes::bbox_from_values(&numbers.collect::<Result<Vec<_>, _>>()?).map(Expr::Shape);
    }
    if object.contains_key("type") {
        return shapes::bbox_from_geojson(value).map(Expr::Shape);
    }
    Err(Cql2Error::new(
        "An object must have 'op', 'property', 'date', 'timestamp', 'interval', 'bbox' or 'type'.",
    ))
}

/// Builds a call of a function or operator; calls that only construct a value become that value.
pub(super) fn build_call(name: &str, mut arguments: Vec<Expr>) -> Result<Expr, Cql2Error> {
    let wrong = |needs: &str| Cql2Error::new(format!("{} needs {needs}.", name.to_ascii_uppercase()));
    match name {
        "date" | "timestamp" => match arguments.pop() {
            Some(Expr::Text(moment)) if arguments.is_empty() => Ok(Expr::Moment(moment)),
            _ => Err(wrong("one text")),
        },
        "interval" => {
            let [from, until] = &arguments[..] else { return Err(wrong("two ends")) };
            let end = |end: &Expr| match end {
                Expr::Text(text) if text == ".." => Ok(None),
                Expr::Text(text) | Expr::Moment(text) => Ok(Some(text.clone())),
                _ => Err(wrong("dates, moments or '..'")),
            };
            Ok(Expr::Interval(end(from)?, end(until)?))
        }
        // Text comparisons always ignore case and accents.
        "casei" | "accenti" => match (arguments.pop(), arguments.is_empty()) {
            (Some(inner), true) => Ok(inner),
            _ => Err(wrong("one value")),
        },
        _ => Ok(Expr::Call(name.to_owned(), arguments)),
    }
}
