//! The one table of public failures (RFC 9457): what happened, to what, and what to do.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use geotrawl_index::IndexError;
use geotrawl_model::StoreError;
use serde::Serialize;
use utoipa::ToSchema;

/// A failure as the caller sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Problem {
    /// `urn:geotrawl:problem:<code>`; stable.
    #[serde(rename = "type")]
    pub type_: String,
    /// What kind of failure it is, always the same for one type.
    pub title: String,
    pub status: u16,
    /// What happened here, and what to do.
    pub detail: String,
    /// The parameter or member at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// Seconds after which asking again makes sense.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

impl Problem {
    fn new(status: StatusCode, code: &str, title: &str, detail: impl Into<String>) -> Self {
        Self {
            type_: format!("urn:geotrawl:problem:{code}"),
            title: title.to_owned(),
            status: status.as_u16(),
            detail: detail.into(),
            parameter: None,
            retry_after: None,
        }
    }

    /// The request cannot be understood.
    pub fn bad_request(parameter: &str, detail: impl Into<String>) -> Self {
        let mut problem =
            Self::new(StatusCode::BAD_REQUEST, "bad-request", "The request cannot be understood", detail);
        problem.parameter = Some(parameter.to_owned());
        problem
    }

    /// Who is asking is not known.
    pub fn unauthenticated(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "log-in", "Please log in", detail)
    }

    /// Who is asking may not do it.
    pub fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", "This is not allowed", detail)
    }

    /// There is no such thing (or the caller may not know of it).
    pub fn not_found(what: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "There is no such thing", what)
    }

    /// The state of the thing does not allow it.
    pub fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", "Not in this state", detail)
    }

    /// What was sent is well-formed but not acceptable.
    pub fn unprocessable(parameter: &str, detail: impl Into<String>) -> Self {
        let mut problem =
            Self::new(StatusCode::UNPROCESSABLE_ENTITY, "unacceptable", "This cannot be accepted", detail);
        problem.parameter = Some(parameter.to_owned());
        problem
    }

    /// Too many requests.
    pub fn too_many_requests(seconds: u64, detail: impl Into<String>) -> Self {
        let mut problem = Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many", "Too many requests", detail);
        problem.retry_after = Some(seconds.max(1));
        problem
    }

    /// Somebody else's server failed.
    pub fn bad_gateway(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_GATEWAY, "upstream", "The other server did not answer as it should", detail)
    }

    /// Any other refusal of HTTP itself.
    pub fn from_status(status: StatusCode, detail: impl Into<String>) -> Self {
        let title = status.canonical_reason().unwrap_or("Failure");
        Self::new(status, "http", title, detail)
    }

    /// Our own fault; the cause goes to the log, not to the caller.
    pub fn internal(cause: &str) -> Self {
        tracing::error!("{cause}");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "fault",
            "This is our fault",
            "Something failed on this server. The operator finds the cause in the log.",
        )
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let retry = self.retry_after;
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = retry {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        Self::internal(&error.to_string())
    }
}

impl From<IndexError> for Problem {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Query(message) => Self::bad_request("q", message),
            other => Self::internal(&other.to_string()),
        }
    }
}
