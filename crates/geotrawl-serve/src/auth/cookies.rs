//! Session cookies.

use super::peer::RequestPeer;
use axum::http::{HeaderMap, HeaderValue, header};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};

/// Name of the session cookie.
pub const SESSION: &str = "geotrawl_session";

/// Builds a cookie that scripts cannot read and that other sites cannot make a browser send with a
/// change.
pub(crate) fn build_cookie(
    name: &'static str,
    value: String,
    path: &'static str,
    peer: RequestPeer,
    seconds: i64,
) -> Option<HeaderValue> {
    // Written as text to keep the cookie crate's duration type out of our code.
    let cookie = Cookie::build((name, value))
        .path(path)
        .http_only(true)
        .secure(peer.https)
        .same_site(SameSite::Lax)
        .build();
    HeaderValue::from_str(&format!("{cookie}; Max-Age={seconds}")).ok()
}

/// Builds the session cookie.
pub(crate) fn session_cookie(secret: String, peer: RequestPeer, hours: u32) -> Option<HeaderValue> {
    build_cookie(SESSION, secret, "/", peer, i64::from(hours) * 3_600)
}

/// Builds a cookie that removes the session cookie.
pub(crate) fn expired_session_cookie(peer: RequestPeer) -> Option<HeaderValue> {
    build_cookie(SESSION, String::new(), "/", peer, 0)
}

/// Returns the value of a request cookie.
pub(crate) fn read_cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    CookieJar::from_headers(headers).get(name).map(|cookie| cookie.value().to_owned())
}

/// Adds a cookie to a response.
pub(crate) fn append_cookie(headers: &mut HeaderMap, cookie: Option<HeaderValue>) {
    if let Some(cookie) = cookie {
        headers.append(header::SET_COOKIE, cookie);
    }
}
