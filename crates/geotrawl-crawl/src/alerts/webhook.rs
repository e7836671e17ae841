//! Webhooks: request body, signature and evaluation of the response.
//!
//! The body is documented in `docs/guide/alerts.md` and stable: within one [`VERSION`] members may
//! be added but not renamed. The URL is user input, so requests go through the guarded client,
//! which refuses addresses outside the public internet when it connects.

use super::group::{AlertItem, AlertTopic};
use super::model::{AlertMessage, MOST_TEXT, NewsKind, to_single_line};
use super::{DeliveryOutcome, retry_after};
use crate::fetch::{FailureClass, FetchError, FetchRequest, FetchResponse, GuardedClient, RedirectPolicy};
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use geotrawl_kinds::probe::PostBody;
use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderName, HeaderValue};
use jiff::Timestamp;
use serde::Serialize;
use sha2::Sha256;
use std::collections::BTreeMap;
use std::time::Duration;
use url::Url;

/// Version of the body.
pub const VERSION: u32 = 1;
/// Header with time and signature: `t=<unix seconds>,v1=<hex>`.
pub const SIGNATURE: &str = "x-geotrawl-signature";
/// Header with the id of the delivery, the same at every attempt.
pub const DELIVERY: &str = "x-geotrawl-delivery";
/// Timeout of the request and its response.
pub const DEADLINE: Duration = Duration::from_secs(10);
/// Timeout of a delivery, including the crawl delay of the host and the DNS lookup.
const OVERALL: Duration = Duration::from_secs(30);
/// Maximum number of bytes to read of a response; only its status matters.
const ANSWER_BYTES: u64 = 4 * 1024;
/// Longest `Retry-After` that is honoured.
const LONGEST_WAIT: Duration = Duration::from_hours(24);
/// Maximum length of a webhook URL.
const MOST_URL: usize = 2_048;

/// The request body.
#[derive(Serialize)]
struct WebhookBody<'a> {
    version: u32,
    delivery: &'a str,
    at: Timestamp,
    test: bool,
    subscription: WebhookSubscription<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    application: Option<&'a Url>,
    summary: String,
    /// Number of notices, in items and in the rest.
    total: u64,
    items: Vec<WebhookItem<'a>>,
    rest: WebhookOmitted<'a>,
}

#[derive(Serialize)]
struct WebhookSubscription<'a> {
    number: i64,
    name: &'a str,
}

#[derive(Serialize)]
struct WebhookItem<'a> {
    topic: AlertTopic,
    host: &'a str,
    sentence: &'a str,
    services: u64,
    counts: &'a BTreeMap<NewsKind, u64>,
    from: Timestamp,
    to: Timestamp,
    reason: Option<&'a str>,
    other_reasons: u64,
    /// How long the outage lasted, in seconds; `None` while it continues.
    seconds: Option<i64>,
    records: Vec<WebhookRecord<'a>>,
    more: u64,
}

#[derive(Serialize)]
struct WebhookRecord<'a> {
    seq: i64,
    at: Timestamp,
    kind: NewsKind,
    id: &'a str,
    title: Option<String>,
    record_kind: &'a str,
    url: &'a str,
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<Url>,
}

#[derive(Serialize)]
struct WebhookOmitted<'a> {
    items: u64,
    counts: &'a BTreeMap<NewsKind, u64>,
}

/// Renders the body of a message: the same bytes at every attempt.
pub fn render_body(message: &AlertMessage) -> String {
    let grouped = &message.grouped;
    let body = WebhookBody {
        version: VERSION,
        delivery: &message.delivery,
        at: message.at,
        test: message.test,
        subscription: WebhookSubscription { number: message.number, name: &message.subscription },
        application: message.base_url.as_ref(),
        summary: message.summary(),
        total: grouped.count_notices(),
        items: grouped.items.iter().map(|item| to_webhook_item(message, item)).collect(),
        rest: WebhookOmitted { items: grouped.rest.items, counts: &grouped.rest.counts },
    };
    // Contains only numbers, text and times, so serialisation cannot fail.
    serde_json::to_string(&body).unwrap_or_default()
}

fn to_webhook_item<'a>(message: &AlertMessage, item: &'a AlertItem) -> WebhookItem<'a> {
    let records = item.named.iter().map(|news| WebhookRecord {
        seq: news.seq,
        at: news.at,
        kind: news.kind,
        id: &news.id,
        title: news.title.as_deref().map(|title| to_single_line(title, MOST_TEXT)),
        record_kind: &news.record_kind,
        url: &news.url,
        reason: to_single_line(&news.reason, MOST_TEXT),
        link: message.record_link(&news.id),
    });
    WebhookItem {
        topic: item.topic,
        host: &item.host,
        sentence: &item.sentence,
        services: item.services,
        counts: &item.counts,
        from: item.from,
        to: item.to,
        reason: item.reason.as_deref(),
        other_reasons: item.other_reasons,
        seconds: item.lasted.map(|lasted| lasted.as_secs()),
        records: records.collect(),
        more: item.more,
    }
}

/// Returns the value of the signature header: HMAC-SHA256 over `<unix seconds>.<body>`.
pub fn sign_body(secret: &str, body: &str, now: Timestamp) -> String {
    let seconds = now.as_second();
    format!("t={seconds},v1={}", HEXLOWER.encode(&mac(secret, seconds, body).finalize().into_bytes()))
}

/// Why a signature is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    #[error("cannot parse the signature header")]
    Malformed,
    #[error("the signature is too old or from the future")]
    Stale,
    #[error("the signature does not match this body and secret")]
    Wrong,
}

/// Checks that [`sign_body`] made a header with this secret for this body, at most `tolerance`
/// before or after `now`. One matching `v1` is enough, so that a receiver can change its secret
/// without a gap.
pub fn verify_signature(
    secret: &str,
    header: &str,
    body: &str,
    now: Timestamp,
    tolerance: Duration,
) -> Result<(), SignatureError> {
    let mut seconds = None;
    let mut signatures = Vec::new();
    for (key, value) in header.split(',').filter_map(|part| part.trim().split_once('=')) {
        match key {
            "t" => seconds = value.parse::<i64>().ok(),
            "v1" => signatures.extend(HEXLOWER_PERMISSIVE.decode(value.as_bytes())),
            _ => {}
        }
    }
    let seconds = seconds.filter(|_| !signatures.is_empty()).ok_or(SignatureError::Malformed)?;
    if now.as_second().abs_diff(seconds) > tolerance.as_secs() {
        return Err(SignatureError::Stale);
    }
    // Constant-time comparison.
    let good = signatures.iter().any(|given| mac(secret, seconds, body).verify_slice(given).is_ok());
    if good { Ok(()) } else { Err(SignatureError::Wrong) }
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of every length")]
fn mac(secret: &str, seconds: i64, body: &str) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key of any length");
    mac.update(seconds.to_string().as_bytes());
    mac.update(b".");
    mac.update(body.as_bytes());
    mac
}

/// Parses a webhook URL. Whether the address may be contacted is decided when connecting.
pub fn parse_webhook_url(text: &str) -> Result<Url, String> {
    if text.len() > MOST_URL {
        return Err(format!("The URL is longer than {MOST_URL} characters"));
    }
    let url = Url::parse(text.trim()).map_err(|error| format!("This is not a valid URL ({error})"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return Err("A webhook must be an http or https URL".into());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("User names and passwords in the URL are not supported; use the secret".into());
    }
    Ok(url)
}

/// Makes one attempt to send a message.
pub async fn send_webhook(
    client: &GuardedClient,
    target: &str,
    secret: Option<&str>,
    message: &AlertMessage,
    now: Timestamp,
) -> DeliveryOutcome {
    let url = match parse_webhook_url(target) {
        Ok(url) => url,
        Err(why) => return DeliveryOutcome::GivenUp { why },
    };
    let body = render_body(message);
    let mut extra_headers = Vec::new();
    let mut header = |name: &'static str, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            extra_headers.push((HeaderName::from_static(name), value));
        }
    };
    header(DELIVERY, &message.delivery);
    if let Some(secret) = secret.filter(|secret| !secret.is_empty()) {
        header(SIGNATURE, &sign_body(secret, &body, now));
    }
    let request = FetchRequest {
        accept: "application/json, */*;q=0.1",
        post: Some(PostBody { content_type: "application/json", body }),
        extra_headers,
        redirects: RedirectPolicy::Manual,
        // The owner asked for this request; robots.txt applies to uninvited crawlers.
        check_robots: false,
        deadline: Some(DEADLINE),
        ..FetchRequest::new(url, ANSWER_BYTES)
    };
    match tokio::time::timeout(OVERALL, client.fetch(request)).await {
        Err(_elapsed) => retry_or_give_up(message, None, format!("No answer within {} s", OVERALL.as_secs())),
        Ok(fetched) => judge_response(message, fetched, now),
    }
}

/// Decides the outcome of a response.
fn judge_response(message: &AlertMessage, fetched: FetchResponse, now: Timestamp) -> DeliveryOutcome {
    let status = fetched.head.status;
    match (status, fetched.outcome) {
        (0, Ok(_)) => retry_or_give_up(message, None, "No response".into()),
        (0, Err(failure)) => failed(message, &failure),
        (200..=299, _) => DeliveryOutcome::Delivered,
        (410, _) => {
            DeliveryOutcome::GivenUp { why: "The receiver no longer accepts this webhook (HTTP 410)".into() }
        }
        (300..=399, _) => {
            let to = fetched.location.map(|url| format!(" to {url}")).unwrap_or_default();
            retry_or_give_up(
                message,
                None,
                format!("The URL redirects{to}; redirects are not followed (HTTP {status})"),
            )
        }
        _ => {
            let wait = fetched.headers.get(http::header::RETRY_AFTER).and_then(|value| value.to_str().ok());
            let wait = wait.and_then(|text| crate::fetch::politeness::parse_retry_after(text, now.into()));
            retry_or_give_up(message, wait, format!("The receiver answered HTTP {status}"))
        }
    }
}

fn failed(message: &AlertMessage, failure: &FetchError) -> DeliveryOutcome {
    match failure.class {
        // Rejected by our own rules, so a retry changes nothing.
        FailureClass::BlockedAddress | FailureClass::BlockedPort | FailureClass::BadUrl => {
            DeliveryOutcome::GivenUp { why: failure.message.clone() }
        }
        _ => retry_or_give_up(message, None, failure.message.clone()),
    }
}

/// Schedules the next attempt, not before the time that the receiver named, or gives up.
pub(super) fn retry_or_give_up(
    message: &AlertMessage,
    wanted: Option<Duration>,
    why: String,
) -> DeliveryOutcome {
    match retry_after(message.failures.saturating_add(1)) {
        None => DeliveryOutcome::GivenUp { why },
        Some(pause) => {
            let pause = Duration::try_from(pause).unwrap_or_default();
            DeliveryOutcome::Retry { after: pause.max(wanted.unwrap_or_default().min(LONGEST_WAIT)), why }
        }
    }
}

#[cfg(test)]
mod tests;
