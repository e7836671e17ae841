//! The address of this server, as links in answers name it.

use crate::App;
use axum::http::{HeaderMap, header};

/// Address under which this server is reached, without a slash at the end: the configured one, else as the request says.
pub fn base_url(app: &App, headers: &HeaderMap) -> String {
    let configured = app.config.public_url.trim().trim_end_matches('/');
    if !configured.is_empty() {
        return configured.to_owned();
    }
    // Whoever asks may write any name here: only what is a name and maybe a port comes into an answer, which is that
    // caller's own.
    let named = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match url::Url::parse(&format!("http://{named}/")) {
        Ok(url) if url.path() == "/" && url.username().is_empty() && url.query().is_none() => {
            url.as_str().trim_end_matches('/').to_owned()
        }
        _ => "http://localhost".to_owned(),
    }
}
