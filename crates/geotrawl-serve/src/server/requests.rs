//! Request ids: taken from the proxy or generated here. The id appears in every log line of the
//! request, in its trace and in the response, so that a user who reports a problem can name it.

use crate::App;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use data_encoding::HEXLOWER;
use std::time::Instant;
use tracing::Instrument as _;
use tracing::field::Empty;

/// Header with the request id, set by proxies and by this server.
const ID: HeaderName = HeaderName::from_static("x-request-id");
/// Header that continues a trace (W3C Trace Context).
const PARENT: HeaderName = HeaderName::from_static("traceparent");
/// Longer ids are ignored.
const LONGEST: usize = 64;

/// Assigns an id to the request and opens its tracing span.
pub(super) async fn assign_request_id(State(app): State<App>, request: Request, next: Next) -> Response {
    let id = id_of(request.headers());
    // Without the query string, which may contain private input.
    let path = request.uri().path();
    // At error level, so that log lines have the span even if only errors are logged.
    let span =
        tracing::error_span!("request", request = %id, method = %request.method(), path, status = Empty);
    if let Some(adopt) = &app.adopt {
        adopt(&span, request.headers());
    }
    let began = Instant::now();
    let mut answer = next.run(request).instrument(span.clone()).await;
    let status = answer.status().as_u16();
    span.record("status", status);
    tracing::info!(parent: &span, millis = began.elapsed().as_millis() as u64, "answered");
    if let Ok(id) = HeaderValue::from_str(&id) {
        answer.headers_mut().insert(ID, id);
    }
    answer
}

/// Returns the id sent by the proxy, else the trace id, else a new id.
fn id_of(headers: &HeaderMap) -> String {
    let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    // Only plain characters may enter the log and a response header.
    let plain = |id: &&str| {
        (1..=LONGEST).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    if let Some(id) = text(&ID).filter(plain) {
        return id.to_owned();
    }
    let trace = text(&PARENT).and_then(|parent| parent.split('-').nth(1));
    if let Some(trace) = trace.filter(|id| id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
    {
        return trace.to_owned();
    }
    let mut random = [0; 8];
    // If the random generator fails, all ids are equal, which is visible and harmless.
    let _ = getrandom::fill(&mut random);
    HEXLOWER.encode(&random)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &str)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn an_id_is_taken_over_when_it_is_a_plain_word() {
        let parent = ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        assert_eq!(id_of(&with(&[("x-request-id", "proxy-7.a_B"), parent])), "proxy-7.a_B");
        assert_eq!(id_of(&with(&[parent])), "4bf92f3577b34da6a3ce929d0e0e4736");
        for odd in ["", "a b", "{\"a\":1}", &"x".repeat(65)] {
            let made = id_of(&with(&[("x-request-id", odd), ("traceparent", "00-short-1-1")]));
            assert!(made.len() == 16 && made != odd, "{made}");
        }
        assert_ne!(id_of(&with(&[])), id_of(&with(&[])));
    }
}
