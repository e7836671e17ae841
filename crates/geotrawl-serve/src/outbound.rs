//! Outgoing requests, for the few handlers that need them: the proxy, OpenID Connect and test
//! alerts.
//!
//! This crate has no HTTP client. The program passes in the guarded one, which checks every address
//! when it connects.

use geotrawl_kinds::probe::ByteRange;
use geotrawl_model::alert::Alert;
use std::future::Future;
use std::pin::Pin;

/// A request to another server.
#[derive(Debug, Clone)]
pub struct OutboundRequest {
    pub url: url::Url,
    /// URL-encoded form to post; `None` sends a GET.
    pub form: Option<String>,
    pub accept: Option<String>,
    /// Sent as is, only to the host of `url`; never after a redirect to another host.
    pub authorization: Option<String>,
    /// Requests only this part of the file.
    pub range: Option<ByteRange>,
    /// Maximum size of the body in bytes.
    pub limit: u64,
}

impl OutboundRequest {
    /// Creates a plain GET.
    pub fn get(url: url::Url, limit: u64) -> Self {
        Self { url, form: None, accept: None, authorization: None, range: None, limit }
    }
}

/// The response.
#[derive(Debug, Clone)]
pub struct OutboundResponse {
    pub status: u16,
    pub content_type: Option<String>,
    pub body: bytes::Bytes,
    /// The body was truncated at the limit.
    pub cut: bool,
    /// Offset of the part in the file, for a partial response.
    pub served_from: Option<u64>,
    /// Total size in bytes, if the server reports it.
    pub total_length: Option<u64>,
    /// Final URL after redirects.
    pub url: url::Url,
}

/// Why a request failed, in words for users.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{reason}")]
pub struct OutboundError {
    /// The address policy refused the request.
    pub refused: bool,
    pub reason: String,
}

/// A future of a response.
pub type OutboundFuture<'a> =
    Pin<Box<dyn Future<Output = Result<OutboundResponse, OutboundError>> + Send + 'a>>;

/// A future of a test alert.
pub type TestAlertFuture<'a> = Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>>;

/// The guarded HTTP client.
pub trait OutboundClient: Send + Sync {
    /// Sends a request, following redirects within the address policy.
    fn send(&self, request: OutboundRequest) -> OutboundFuture<'_>;
    /// Checks an address against the address policy, as far as possible without connecting; returns
    /// the reason for a refusal.
    fn check_url(&self, url: &url::Url) -> Result<(), String>;
    /// Sends a test message of an alert; returns the reason if it was not delivered.
    fn send_test_alert<'a>(&'a self, _alert: &'a Alert) -> TestAlertFuture<'a> {
        Box::pin(async { Err("this server does not send messages".to_owned()) })
    }
}

/// Refuses all requests.
pub struct DisabledClient;

impl OutboundClient for DisabledClient {
    fn send(&self, _: OutboundRequest) -> OutboundFuture<'_> {
        let reason = "this server does not make outgoing requests".to_owned();
        Box::pin(async move { Err(OutboundError { refused: true, reason }) })
    }

    fn check_url(&self, _: &url::Url) -> Result<(), String> {
        Ok(())
    }
}
