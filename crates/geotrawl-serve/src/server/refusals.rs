//! Converts plain-text HTTP errors into problem documents.

use crate::Problem;
use crate::api::extract::too_large;
use crate::server::BODY_LIMIT;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Maximum length of an error text that is copied.
const WORDS: usize = 2_000;

/// Refuses a request whose `Content-Length` is too large, before its body is read.
pub(super) async fn refuse_large_bodies(request: Request, next: Next) -> Response {
    let length = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    if length.is_some_and(|length| length.parse::<u64>().is_ok_and(|length| length > BODY_LIMIT as u64)) {
        return too_large().into_response();
    }
    next.run(request).await
}

/// Converts plain-text errors of the framework below `/api` and the standards into problem
/// documents.
pub(super) async fn convert_refusals(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_api = path.starts_with("/api/") || crate::standards::is_standard_path(path);
    let response = next.run(request).await;
    let status = response.status();
    if !is_api || !(status.is_client_error() || status.is_server_error()) || is_document(&response) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let words = axum::body::to_bytes(body, WORDS).await.unwrap_or_default();
    let words = String::from_utf8_lossy(&words).into_owned();
    let problem = match status {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        _ if status.is_server_error() => {
            Problem::internal(&format!("a request failed with {status}: {words}"))
        }
        _ if words.is_empty() => Problem::from_status(status, "The request was refused."),
        _ => Problem::from_status(status, words),
    };
    let mut response = problem.into_response();
    for (name, value) in &parts.headers {
        if *name != header::CONTENT_TYPE && *name != header::CONTENT_LENGTH {
            response.headers_mut().append(name, value.clone());
        }
    }
    response
}

fn is_document(response: &Response) -> bool {
    let media = response.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    !(media.is_empty() || media.starts_with(b"text/plain"))
}
