//! Where this server is, as its documents say it.

use crate::App;
use axum::http::{HeaderMap, header};
use url::Url;

/// Address of this server without a slash at its end: as the operator says, else as it was asked for.
pub fn base(app: &App, headers: &HeaderMap) -> String {
    let asked = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let url = Url::parse(&app.config.public_url)
        .ok()
        .or_else(|| Url::parse(&format!("http://{}/", asked?)).ok().filter(|url| url.path() == "/"));
    url.map_or_else(|| "http://localhost".to_owned(), |url| url.as_str().trim_end_matches('/').to_owned())
}
