//! Public address of this server, for links in documents.

use crate::App;
use axum::http::{HeaderMap, header};

/// Returns the public address without a trailing slash: the configured one, else that of the
/// request.
pub fn base_url(app: &App, headers: &HeaderMap) -> String {
    let configured = app.config.public_url.trim().trim_end_matches('/');
    if !configured.is_empty() {
        return configured.to_owned();
    }
    // The Host header is untrusted: only a host name with an optional port is copied into the
    // response, which goes back to the caller who sent it.
    let named = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match url::Url::parse(&format!("http://{named}/")) {
        Ok(url) if url.path() == "/" && url.username().is_empty() && url.query().is_none() => {
            url.as_str().trim_end_matches('/').to_owned()
        }
        _ => "http://localhost".to_owned(),
    }
}
