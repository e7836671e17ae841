//! Every request has an id: that of whoever passed it on, or one of our own. It stands in every line of the log that the request
//! leads to, in its trace, and in the answer, so that a person who complains can name it.

use crate::App;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use data_encoding::HEXLOWER;
use std::time::Instant;
use tracing::Instrument as _;
use tracing::field::Empty;

/// Where proxies write it, and where we do.
const ID: HeaderName = HeaderName::from_static("x-request-id");
/// Where a trace is continued (W3C Trace Context).
const PARENT: HeaderName = HeaderName::from_static("traceparent");
/// A longer id is none.
const LONGEST: usize = 64;

/// Names a request and follows it to its answer.
pub(super) async fn assign_request_id(State(app): State<App>, request: Request, next: Next) -> Response {
    let id = id_of(request.headers());
    // Without what stands behind the question mark: that is where people write what nobody else should read.
    let path = request.uri().path();
    // Of the highest level: also lines of errors only must say which request they are about.
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

/// The id that came with it, else that of its trace, else a new one.
fn id_of(headers: &HeaderMap) -> String {
    let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    // Nothing else belongs into a log or back into a header.
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
    // Without chance every id is the same, which is seen at once and hurts nobody.
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
