//! The way out, for the few answers that need one: the proxy, OpenID Connect and trials of alerts.
//!
//! This crate has no client of its own: the program hands in the guarded one, which checks every address at the
//! moment of connecting.

use geotrawl_kinds::probe::ByteRange;
use geotrawl_model::alert::Alert;
use std::future::Future;
use std::pin::Pin;

/// A request to somebody else's server.
#[derive(Debug, Clone)]
pub struct OutboundRequest {
    pub url: url::Url,
    /// A form to post (already encoded); otherwise it is a GET.
    pub form: Option<String>,
    pub accept: Option<String>,
    /// Sent as it is, only to the host of `url`; never after a redirect to another host.
    pub authorization: Option<String>,
    /// Only this part of the file.
    pub range: Option<ByteRange>,
    /// Bytes of the body at most.
    pub limit: u64,
}

impl OutboundRequest {
    /// A plain GET.
    pub fn get(url: url::Url, limit: u64) -> Self {
        Self { url, form: None, accept: None, authorization: None, range: None, limit }
    }
}

/// What came back.
#[derive(Debug, Clone)]
pub struct OutboundResponse {
    pub status: u16,
    pub content_type: Option<String>,
    pub body: bytes::Bytes,
    /// The body was cut at the limit.
    pub cut: bool,
    /// Where the part begins in the whole, when only a part came.
    pub served_from: Option<u64>,
    /// Bytes of the whole, as far as the server says.
    pub total_length: Option<u64>,
    /// Where redirects led.
    pub url: url::Url,
}

/// Why nothing came back, in words for people.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{reason}")]
pub struct OutboundError {
    /// The address policy refused it.
    pub refused: bool,
    pub reason: String,
}

/// A future of an answer.
pub type OutboundFuture<'a> =
    Pin<Box<dyn Future<Output = Result<OutboundResponse, OutboundError>> + Send + 'a>>;

/// A future of a trial.
pub type TestAlertFuture<'a> = Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>>;

/// The guarded client.
pub trait OutboundClient: Send + Sync {
    /// Asks, following redirects within the address policy.
    fn send(&self, request: OutboundRequest) -> OutboundFuture<'_>;
    /// Whether the address policy would let this address be asked, as far as can be said without connecting;
    /// the reason if not.
    fn check_url(&self, url: &url::Url) -> Result<(), String>;
    /// Sends a trial message of an alert; the reason if it did not arrive.
    fn send_test_alert<'a>(&'a self, _alert: &'a Alert) -> TestAlertFuture<'a> {
        Box::pin(async { Err("this server sends no messages".to_owned()) })
    }
}

/// No way out: everything is refused.
pub struct DisabledClient;

impl OutboundClient for DisabledClient {
    fn send(&self, _: OutboundRequest) -> OutboundFuture<'_> {
        let reason = "this server makes no requests of its own".to_owned();
        Box::pin(async move { Err(OutboundError { refused: true, reason }) })
    }

    fn check_url(&self, _: &url::Url) -> Result<(), String> {
        Ok(())
    }
}
