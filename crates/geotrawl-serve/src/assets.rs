//! The web application and the data that ships with it, built into the binary.
//!
//! `make` builds both before the binary. A binary built with `cargo` alone still serves the API; at
//! `/` it explains how to get the web application. Debug builds read the files from disk, so a
//! rebuilt page needs no new binary.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use geotrawl_index::Gazetteer;
use rust_embed::{EmbeddedFile, RustEmbed};
use std::sync::LazyLock;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../web/dist"]
#[allow_missing = true]
struct WebAppFiles;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../web/data"]
#[allow_missing = true]
struct BundledData;

/// Text served at `/` by a binary without the web application.
const WITHOUT_PAGE: &str = "This geotrawl was built without its web application. Build it with `make build` (it needs \
Node 20 or newer), or use the API: /api/v1/openapi.json\n";

/// Returns the built-in database of countries by IP address, if it was built in.
pub fn country_database() -> Option<Vec<u8>> {
    BundledData::get("country.mmdb").map(|file| file.data.into_owned())
}

/// Returns the built-in gazetteer: the bundled list of places, where it was built in, and the fixed
/// ones.
pub fn gazetteer() -> &'static Gazetteer {
    static ALL: LazyLock<Gazetteer> = LazyLock::new(|| {
        let list = BundledData::get("places.tsv").map(|file| file.data).unwrap_or_default();
        Gazetteer::new(&String::from_utf8_lossy(&list))
    });
    &ALL
}

/// Returns the HTML page of the web application, if it was built in.
pub(crate) fn index_html() -> Option<String> {
    String::from_utf8(WebAppFiles::get("index.html")?.data.into_owned()).ok()
}

/// Answers requests that match no route: files of the web application, and its page for all other
/// paths.
pub fn serve_web_app(request: &Request) -> Response {
    let (method, uri, headers) = (request.method(), request.uri(), request.headers());
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        let what =
            format!("There is no endpoint {}; see /api/v1/openapi.json for the available ones.", uri.path());
        return crate::Problem::not_found(what).into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        let status = StatusCode::METHOD_NOT_ALLOWED;
        return crate::Problem::from_status(status, "Only GET and HEAD are allowed here.").into_response();
    }
    // Files have an extension. Pages of the application have none, or end with a host name.
    let last = path.rsplit('/').next().unwrap_or_default();
    if last.contains('.') && !path.starts_with("providers/") {
        return match WebAppFiles::get(path) {
            Some(file) => send(path, file, headers),
            None => (StatusCode::NOT_FOUND, "File not found.\n").into_response(),
        };
    }
    match WebAppFiles::get("index.html") {
        Some(file) => send("index.html", file, headers),
        None => (StatusCode::OK, WITHOUT_PAGE).into_response(),
    }
}

fn send(path: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash = file.metadata.sha256_hash();
    let tag = format!("\"{}\"", base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(&hash[..12]));
    // File names below assets/ contain a hash of the content, so they can be cached forever.
    let lasting = path.starts_with("assets/");
    let caching = if lasting { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut answer =
        if headers.get(header::IF_NONE_MATCH).is_some_and(|given| given.as_bytes() == tag.as_bytes()) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let mime = file.metadata.mimetype().to_owned();
            let (coding, data) =
                compressed(path, headers).map_or((None, file.data), |(c, data)| (Some(c), data));
            let mut answer = Response::new(Body::from(data.into_owned()));
            if let Ok(value) = HeaderValue::from_str(&with_charset(&mime)) {
                answer.headers_mut().insert(header::CONTENT_TYPE, value);
            }
            if let Some(coding) = coding {
                answer.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
            }
            answer
        };
    let out = answer.headers_mut();
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    out.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        out.insert(header::ETAG, tag);
    }
    answer
}

/// Returns the precompressed file if the client accepts its encoding.
fn compressed(path: &str, headers: &HeaderMap) -> Option<(&'static str, std::borrow::Cow<'static, [u8]>)> {
    let taken = headers.get(header::ACCEPT_ENCODING)?.to_str().ok()?;
    let takes = |coding: &str| {
        let mut offers = taken.split(',').map(|offer| offer.trim().split(';'));
        offers.any(|mut parts| parts.next() == Some(coding) && !parts.any(|part| part.trim() == "q=0"))
    };
    let file = |ending: &str| WebAppFiles::get(&format!("{path}.{ending}")).map(|file| file.data);
    if takes("br")
        && let Some(data) = file("br")
    {
        return Some(("br", data));
    }
    if takes("gzip") { file("gz").map(|data| ("gzip", data)) } else { None }
}

fn with_charset(mime: &str) -> String {
    let text = mime.starts_with("text/") || mime == "application/javascript" || mime == "application/json";
    if text { format!("{mime}; charset=utf-8") } else { mime.to_owned() }
}
