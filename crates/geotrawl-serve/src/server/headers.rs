//! Security headers of every response.

use crate::App;
use crate::auth::peer::RequestPeer;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use std::net::SocketAddr;

/// Scripts only from this server; images and data from anywhere, because layers are elsewhere.
/// Workers also from blob URLs, because the GeoTIFF reader creates its own.
const CONTENT_POLICY: &str = "default-src 'self'; img-src 'self' data: blob: https: http:; \
    connect-src 'self' https: http:; style-src 'self' 'unsafe-inline'; script-src 'self'; \
    worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; object-src 'none'; form-action 'self'";

const ALWAYS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), payment=(), usb=()"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Adds the security headers. Headers set by a handler stay, because they may be stricter.
pub(super) async fn add_security_headers(State(app): State<App>, request: Request, next: Next) -> Response {
    let connected = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let https = RequestPeer::from_headers(&app.config, connected, request.headers()).https;
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if https {
        let year = HeaderValue::from_static("max-age=31536000");
        headers.entry(header::STRICT_TRANSPORT_SECURITY).or_insert(year);
    }
    response
}
