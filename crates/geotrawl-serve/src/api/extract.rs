//! Ways to take a request apart that refuse with a [`Problem`] naming the member at fault.

use crate::Problem;
use axum::extract::path::ErrorKind;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody, PathRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

/// A body in JSON, of a request or of an answer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Json<T>(pub T);

/// The parameters of the query; lists repeat their name.
#[derive(Debug, Clone, Copy, Default)]
pub struct Query<T>(pub T);

/// The parameters in the path.
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
            return Err(Problem::of_status(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
        }
        let body = bytes::Bytes::from_request(request, state).await.map_err(|rejection| match rejection {
            BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => too_large(),
            other => Problem::bad_request("body", format!("The body cannot be read: {other}")),
        })?;
        read_json(&body).map(Self)
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

/// The refusal of a body that is too large.
pub(crate) fn too_large() -> Problem {
    Problem::of_status(StatusCode::PAYLOAD_TOO_LARGE, "The body is too large; at most one mebibyte is read.")
}

fn read_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    let mut reader = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        let detail = inner.to_string();
        if inner.is_data() {
            let member = if path == "." { quoted(&detail).unwrap_or("body").to_owned() } else { path };
            Problem::unacceptable(&member, format!("The body is not acceptable: {detail}"))
        } else {
            Problem::bad_request("body", format!("The body is not JSON: {detail}"))
        }
    })?;
    reader.end().map_err(|error| Problem::bad_request("body", format!("The body is not JSON: {error}")))?;
    Ok(value)
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let pairs = url::form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes());
        let read = serde_path_to_error::deserialize(serde_html_form::Deserializer::new(pairs));
        read.map(Self).map_err(|error| {
            let path = error.path().to_string();
            let reason = error.into_inner().to_string();
            let member = if is_name(&path) && path != "." { path } else { named(&reason) };
            Problem::bad_request(&member, format!("The query is not acceptable: {reason}"))
        })
    }
}

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        read.map(|path| Self(path.0)).map_err(|rejection| {
            let PathRejection::FailedToDeserializePathParams(failed) = rejection else {
                return Problem::fault(&format!("a path has no parameters: {rejection}"));
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

/// The member that a reason names, if it does.
fn named(reason: &str) -> String {
    quoted(reason).unwrap_or("query").to_owned()
}

/// The first text in backticks: where serde names a member.
fn quoted(text: &str) -> Option<&str> {
    text.split('`').nth(1).filter(|name| is_name(name))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.[]-".contains(&byte))
}

/// For members that can be left out, be null or have a value: `None`, `Some(None)`, `Some(Some(..))`. With
/// `#[serde(default, deserialize_with = "given")]`.
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
    struct Body {
        #[expect(dead_code, reason = "only read")]
        name: String,
        #[expect(dead_code, reason = "only read")]
        #[serde(default)]
        list: Vec<u32>,
    }

    fn refused(body: &str) -> (u16, String) {
        let problem = read_json::<Body>(body.as_bytes()).unwrap_err();
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
        read_json::<Body>(b" {\"name\":\"a\"} ").unwrap();
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
        struct Change {
            #[serde(default, deserialize_with = "given")]
            #[expect(clippy::option_option, reason = "left out, null and a value are three things here")]
            email: Option<Option<String>>,
        }
        let read = |text: &str| serde_json::from_str::<Change>(text).unwrap().email;
        assert_eq!(read("{}"), None);
        assert_eq!(read("{\"email\":null}"), Some(None));
        assert_eq!(read("{\"email\":\"a\"}"), Some(Some("a".into())));
    }
}
