//! ETags, so that unchanged responses are not sent again.

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// Larger responses get no ETag.
const LARGEST: u64 = 2 << 20;

/// Adds ETags to successful GET responses (JSON of the API, all documents of the standards), and
/// answers 304 on a match.
pub(super) async fn add_etags(request: Request, next: Next) -> Response {
    let is_get = request.method() == Method::GET;
    let is_api = request.uri().path().starts_with("/api/");
    let is_open = crate::standards::is_standard_path(request.uri().path());
    let known: Vec<HeaderValue> = request.headers().get_all(header::IF_NONE_MATCH).iter().cloned().collect();
    let response = next.run(request).await;
    if !is_api && !is_open {
        return response;
    }
    let mut response = if is_open { mark_public(response) } else { mark_private(response) };
    if !is_get || response.status() != StatusCode::OK || is_unstored(response.headers()) {
        return response;
    }
    if !response.headers().contains_key(header::ETAG) {
        if !is_small(&response) || !(is_open || is_json(&response)) {
            return response;
        }
        let (mut parts, body) = response.into_parts();
        let Ok(bytes) = axum::body::to_bytes(body, LARGEST as usize).await else {
            return crate::Problem::internal("the body of a response ended early").into_response();
        };
        // Weak, because the compressed document has the same content in other bytes.
        let tag = format!("W/\"{}\"", URL_SAFE_NO_PAD.encode(&Sha256::digest(&bytes)[..16]));
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            parts.headers.insert(header::ETAG, tag);
        }
        response = Response::from_parts(parts, Body::from(bytes));
    }
    let has_it = response.headers().get(header::ETAG).is_some_and(|tag| matches(&known, tag));
    if has_it {
        let (mut parts, _) = response.into_parts();
        parts.status = StatusCode::NOT_MODIFIED;
        parts.headers.remove(header::CONTENT_LENGTH);
        parts.headers.remove(header::CONTENT_TYPE);
        return Response::from_parts(parts, Body::empty());
    }
    response
}

/// Responses of the API depend on the caller, so shared caches must not keep them.
fn mark_private(mut response: Response) -> Response {
    let headers = response.headers_mut();
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    }
    headers.append(header::VARY, HeaderValue::from_static("cookie, authorization"));
    response
}

/// Responses that are the same for everybody may be cached briefly.
fn mark_public(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("public, max-age=60"));
    headers.append(header::VARY, HeaderValue::from_static("accept"));
    response
}

fn is_unstored(headers: &HeaderMap) -> bool {
    let control = headers.get(header::CACHE_CONTROL).and_then(|value| value.to_str().ok());
    control.is_some_and(|control| control.contains("no-store"))
}

fn is_json(response: &Response) -> bool {
    let media = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    media.is_some_and(|media| media.starts_with("application/json"))
}

fn is_small(response: &Response) -> bool {
    response.body().size_hint().exact().is_some_and(|bytes| bytes <= LARGEST)
}

/// Compares weakly (RFC 9110), ignoring the `W/` prefix.
fn matches(known: &[HeaderValue], tag: &HeaderValue) -> bool {
    let bare = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let Ok(tag) = tag.to_str().map(bare) else { return false };
    known
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|one| one.trim() == "*" || bare(one) == tag)
}
