//! The HTTP errors of the API as problem documents (RFC 9457): what happened, to what, and what to
//! do next.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use geotrawl_index::IndexError;
use geotrawl_model::StoreError;
use serde::Serialize;
use utoipa::ToSchema;

/// An error as the client receives it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Problem {
    /// `urn:geotrawl:problem:<code>`; stable.
    #[serde(rename = "type")]
    pub type_: String,
    /// The kind of error; the same for all problems of one type.
    pub title: String,
    pub status: u16,
    /// What happened, and what to do next.
    pub detail: String,
    /// Name of the invalid parameter or member.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// Seconds until a retry makes sense.
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

    /// 400: the request is malformed.
    pub fn bad_request(parameter: &str, detail: impl Into<String>) -> Self {
        let mut problem = Self::new(StatusCode::BAD_REQUEST, "bad-request", "Invalid request", detail);
        problem.parameter = Some(parameter.to_owned());
        problem
    }

    /// 401: authentication is missing or wrong.
    pub fn unauthenticated(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "log-in", "Login required", detail)
    }

    /// 403: the caller is known but not allowed to do this.
    pub fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", "Not allowed", detail)
    }

    /// 404: the resource does not exist, or the caller may not know that it does.
    pub fn not_found(what: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "Not found", what)
    }

    /// 409: the current state of the resource does not allow this.
    pub fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", "Conflict", detail)
    }

    /// 422: the request is well-formed but contains an invalid value.
    pub fn unprocessable(parameter: &str, detail: impl Into<String>) -> Self {
        let mut problem =
            Self::new(StatusCode::UNPROCESSABLE_ENTITY, "unacceptable", "Invalid value", detail);
        problem.parameter = Some(parameter.to_owned());
        problem
    }

    /// 429: the caller exceeded a rate limit.
    pub fn too_many_requests(seconds: u64, detail: impl Into<String>) -> Self {
        let mut problem = Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many", "Too many requests", detail);
        problem.retry_after = Some(seconds.max(1));
        problem
    }

    /// 502: another server failed.
    pub fn bad_gateway(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_GATEWAY, "upstream", "The upstream server failed", detail)
    }

    /// Creates a problem for any other HTTP status.
    pub fn from_status(status: StatusCode, detail: impl Into<String>) -> Self {
        let title = status.canonical_reason().unwrap_or("Failure");
        Self::new(status, "http", title, detail)
    }

    /// 500: an internal error. The cause is logged, not sent to the client.
    pub fn internal(cause: &str) -> Self {
        tracing::error!("{cause}");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "fault",
            "Internal server error",
            "Something failed on this server. The operator can find the cause in the log.",
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
