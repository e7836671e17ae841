//! Extractors for request bodies, query parameters and path parameters. On failure they return a
//! [`Problem`] that names the invalid parameter or member. Handlers use no other extractors.

use crate::Problem;
use axum::extract::path::ErrorKind;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody, PathRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::ops::Deref;
use utoipa::openapi::schema::{KnownFormat, Object, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A JSON body, of a request or of a response.
#[derive(Debug, Clone, Copy, Default)]
pub struct Json<T>(pub T);

/// Query parameters; lists repeat the name.
#[derive(Debug, Clone, Copy, Default)]
pub struct Query<T>(pub T);

/// The members of a JSON object body, for handlers that merge them into something or take some out.
/// Accepts any media type.
#[derive(Debug, Clone, Default)]
pub struct JsonMembers(pub Map<String, Value>);

/// Path parameters.
#[derive(Debug, Clone, Copy, Default)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let media = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let media = media.and_then(|text| text.split(';').next()).unwrap_or_default().trim();
        let media = media.to_ascii_lowercase();
        let is_json =
            media == "application/json" || (media.starts_with("application/") && media.ends_with("+json"));
        if !is_json {
            let detail = "Send the body as JSON, with Content-Type: application/json.";
            return Err(Problem::from_status(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
        }
        read_json(&read_body(request, state).await?).map(Self)
    }
}

impl<S: Send + Sync> FromRequest<S> for JsonMembers {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        match read_json(&read_body(request, state).await?)? {
            Value::Object(members) => Ok(Self(members)),
            _ => Err(Problem::bad_request("body", "The body must be a JSON object.")),
        }
    }
}

impl JsonMembers {
    /// Parses the members as `T`.
    pub fn parse<T: DeserializeOwned>(self) -> Result<T, Problem> {
        serde_path_to_error::deserialize(Value::Object(self.0)).map_err(member_problem)
    }
}

async fn read_body<S: Send + Sync>(request: Request, state: &S) -> Result<bytes::Bytes, Problem> {
    bytes::Bytes::from_request(request, state).await.map_err(|rejection| match rejection {
        BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => too_large(),
        other => Problem::bad_request("body", format!("Cannot read the body: {other}")),
    })
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

/// Returns the problem for a body that is too large.
pub(crate) fn too_large() -> Problem {
    Problem::from_status(StatusCode::PAYLOAD_TOO_LARGE, "The body is too large; the limit is 1 MiB.")
}

fn read_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    let mut reader = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        if error.inner().is_data() {
            member_problem(error)
        } else {
            Problem::bad_request("body", format!("The body is not valid JSON: {}", error.inner()))
        }
    })?;
    reader
        .end()
        .map_err(|error| Problem::bad_request("body", format!("The body is not valid JSON: {error}")))?;
    Ok(value)
}

/// Returns a problem that names the member at fault.
fn member_problem(error: serde_path_to_error::Error<serde_json::Error>) -> Problem {
    let path = error.path().to_string();
    let detail = error.into_inner().to_string();
    let member = if path == "." { quoted(&detail).unwrap_or("body").to_owned() } else { path };
    Problem::unprocessable(&member, format!("The body is not valid: {detail}"))
}

/// A whole number in a query: `USUAL` if absent or empty, rejected if not between `MIN` and `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounded<const USUAL: u64, const MIN: u64, const MAX: u64>(u64);

/// A sequence number of the store; 0 if absent.
pub type SequenceNumber = Bounded<0, 0, LARGEST>;

const LARGEST: u64 = i64::MAX as u64;

impl<const USUAL: u64, const MIN: u64, const MAX: u64> Bounded<USUAL, MIN, MAX> {
    /// Returns the number.
    pub fn get(self) -> u64 {
        self.0
    }
}

impl<const USUAL: u64, const MIN: u64, const MAX: u64> Default for Bounded<USUAL, MIN, MAX> {
    fn default() -> Self {
        Self(USUAL)
    }
}

impl<'de, const USUAL: u64, const MIN: u64, const MAX: u64> Deserialize<'de> for Bounded<USUAL, MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(value)?;
        if text.is_empty() {
            return Ok(Self::default());
        }
        let number = text.parse().ok().filter(|number| (MIN..=MAX).contains(number));
        let refusal =
            || serde::de::Error::custom(format!("'{text}' is not a whole number from {MIN} to {MAX}"));
        number.map(Self).ok_or_else(refusal)
    }
}

impl<const USUAL: u64, const MIN: u64, const MAX: u64> PartialSchema for Bounded<USUAL, MIN, MAX> {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(MIN as f64))
            .maximum((MAX < LARGEST).then_some(MAX as f64))
            .default(Some(USUAL.into()));
        Object::from(number).into()
    }
}

impl<const USUAL: u64, const MIN: u64, const MAX: u64> ToSchema for Bounded<USUAL, MIN, MAX> {}

/// Text in a query, rejected if longer than `MAX` bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShortText<const MAX: usize>(String);

impl<const MAX: usize> Deref for ShortText<MAX> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de, const MAX: usize> Deserialize<'de> for ShortText<MAX> {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        let text = String::deserialize(value)?;
        if text.len() > MAX {
            return Err(serde::de::Error::custom(format!("it is longer than {MAX} bytes")));
        }
        Ok(Self(text))
    }
}

impl<const MAX: usize> PartialSchema for ShortText<MAX> {
    fn schema() -> RefOr<Schema> {
        Object::from(ObjectBuilder::new().schema_type(Type::String).max_length(Some(MAX))).into()
    }
}

impl<const MAX: usize> ToSchema for ShortText<MAX> {}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let pairs = url::form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes());
        let read = serde_path_to_error::deserialize(serde_html_form::Deserializer::new(pairs));
        read.map(Self).map_err(|error| {
            let path = error.path().to_string();
            let reason = error.into_inner().to_string().replace("unknown variant", "unknown value");
            // For a value inside a list, name the list.
            let name = path.split('[').next().unwrap_or_default();
            let member = if is_name(name) && name != "." { name.to_owned() } else { named(&reason) };
            Problem::bad_request(&member, format!("The parameter '{member}' is not valid: {reason}."))
        })
    }
}

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        read.map(|path| Self(path.0)).map_err(|rejection| {
            let PathRejection::FailedToDeserializePathParams(failed) = rejection else {
                return Problem::internal(&format!("a path has no parameters: {rejection}"));
            };
            let member = match failed.kind() {
                ErrorKind::ParseErrorAtKey { key, .. }
                | ErrorKind::InvalidUtf8InPathParam { key }
                | ErrorKind::DeserializeError { key, .. } => key.clone(),
                _ => "path".to_owned(),
            };
            Problem::bad_request(&member, failed.body_text())
        })
    }
}

/// Returns the member that a reason names, if any.
fn named(reason: &str) -> String {
    quoted(reason).unwrap_or("query").to_owned()
}

/// Returns the first text in backticks, where serde puts the member's name.
fn quoted(text: &str) -> Option<&str> {
    text.split('`').nth(1).filter(|name| is_name(name))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.[]-".contains(&byte))
}

/// Distinguishes members that are absent (`None`), null (`Some(None)`) and set (`Some(Some(..))`).
/// Use with `#[serde(default, deserialize_with = "given")]`.
pub fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    value: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(value).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct ExampleBody {
        name: String,
        #[serde(default)]
        list: Vec<u32>,
    }

    fn refused(body: &str) -> (u16, String) {
        let problem = read_json::<ExampleBody>(body.as_bytes()).unwrap_err();
        (problem.status, problem.parameter.unwrap())
    }

    #[test]
    fn bodies_are_refused_with_the_member_at_fault() {
        assert_eq!(refused("{"), (400, "body".into()));
        assert_eq!(refused("{\"name\":\"a\"} x"), (400, "body".into()));
        assert_eq!(refused("{}"), (422, "name".into()));
        assert_eq!(refused("{\"name\":7}"), (422, "name".into()));
        assert_eq!(refused("{\"name\":\"a\",\"list\":[1,\"b\"]}"), (422, "list[1]".into()));
        assert_eq!(refused("{\"name\":\"a\",\"nmae\":1}"), (422, "nmae".into()));
        assert_eq!(refused("[]").0, 422);
        let body = read_json::<ExampleBody>(b" {\"name\":\"a\"} ").unwrap();
        assert_eq!((body.name.as_str(), body.list.len()), ("a", 0));
    }

    #[test]
    fn a_number_out_of_bounds_is_refused_with_its_name_and_bounds() {
        #[derive(Debug, Deserialize)]
        #[serde(default)]
        #[derive(Default)]
        struct ExampleQuery {
            limit: Bounded<20, 1, 100>,
            q: ShortText<4>,
        }
        let read = |query: &str| -> Result<ExampleQuery, Problem> {
            let request = axum::http::Request::builder().uri(format!("/?{query}")).body(()).unwrap();
            let (mut parts, ()) = request.into_parts();
            let page = Query::<ExampleQuery>::from_request_parts(&mut parts, &());
            futures_util::FutureExt::now_or_never(page).unwrap().map(|Query(page)| page)
        };
        for (query, limit) in [("", 20), ("limit=", 20), ("limit=1", 1), ("limit=100&q=abcd", 100)] {
            assert_eq!(read(query).unwrap().limit.get(), limit, "{query}");
        }
        for query in ["limit=0", "limit=101", "limit=-1", "limit=ten", "limit=1.5"] {
            let problem = read(query).unwrap_err();
            assert_eq!((problem.status, problem.parameter.as_deref()), (400, Some("limit")), "{query}");
            assert!(problem.detail.contains("from 1 to 100"), "{}", problem.detail);
        }
        assert_eq!(read("q=abcde").unwrap_err().parameter.as_deref(), Some("q"));
    }

    #[test]
    fn a_deep_body_is_refused() {
        assert_eq!(refused(&"[".repeat(100_000)).0, 422, "not a body of ours, seen at the first bracket");
        let deep = format!("{{\"name\":\"a\",\"list\":{}", "[".repeat(100_000));
        assert!(read_json::<serde_json::Value>(deep.as_bytes()).is_err());
    }

    #[test]
    fn null_is_not_absence() {
        #[derive(Deserialize)]
        struct ExampleChange {
            #[serde(default, deserialize_with = "given")]
            #[expect(clippy::option_option, reason = "left out, null and a value are three things here")]
            email: Option<Option<String>>,
        }
        let read = |text: &str| serde_json::from_str::<ExampleChange>(text).unwrap().email;
        assert_eq!(read("{}"), None);
        assert_eq!(read("{\"email\":null}"), Some(None));
        assert_eq!(read("{\"email\":\"a\"}"), Some(Some("a".into())));
    }
}
