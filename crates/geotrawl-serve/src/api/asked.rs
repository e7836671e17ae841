//! What a request says, read so that what is wrong with it becomes a problem document.

use crate::Problem;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query};
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The parameters.
pub(super) fn query<T>(query: Result<Query<T>, QueryRejection>) -> Result<T, Problem> {
    query.map(|Query(value)| value).map_err(|error| Problem::bad_request("query", error.body_text()))
}

/// The number in the path; whatever is no number is of nothing.
pub(super) fn number(path: Result<Path<i64>, PathRejection>, what: &str) -> Result<i64, Problem> {
    path.map(|Path(id)| id).map_err(|_nothing| Problem::not_found(format!("There is no such {what}.")))
}

/// The body, as an object.
pub(super) fn object(body: &Bytes) -> Result<Map<String, Value>, Problem> {
    match serde_json::from_slice(body) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(Problem::bad_request("body", "The body must be a JSON object.")),
        Err(error) => Err(Problem::bad_request("body", format!("The body is not JSON: {error}."))),
    }
}

/// Members as a type.
pub(super) fn of<T: DeserializeOwned>(members: Map<String, Value>) -> Result<T, Problem> {
    serde_json::from_value(Value::Object(members))
        .map_err(|error| Problem::unacceptable("body", format!("{error}.")))
}

/// A number within bounds; the reason if it is not.
pub(super) fn within(
    name: &str,
    value: Option<i64>,
    usual: i64,
    least: i64,
    most: i64,
) -> Result<i64, Problem> {
    match value.unwrap_or(usual) {
        value if (least..=most).contains(&value) => Ok(value),
        _ => Err(Problem::bad_request(name, format!("{name} is a number from {least} to {most}."))),
    }
}
