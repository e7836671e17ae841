//! The web application and the data that ships with it, built into the binary.
//!
//! `make` builds both before the binary; a binary that was built by `cargo` alone answers the API as always and
//! says at `/` how to get the page. In debug builds the files are read from the disk, so that a rebuilt page
//! needs no rebuilt binary.

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

/// Said at `/` by a binary without the page.
const WITHOUT_PAGE: &str = "This geotrawl was built without its web application. Build it with `make build` (it needs \
Node 20 or newer), or use the API: /api/v1/openapi.json\n";

/// The database of countries by address that ships with the program, where it was built in.
pub fn country_database() -> Option<Vec<u8>> {
    BundledData::get("country.mmdb").map(|file| file.data.into_owned())
}

/// Places by name: those of the list that ships with the program, where it was built in, and those known anyway.
pub fn gazetteer() -> &'static Gazetteer {
    static ALL: LazyLock<Gazetteer> = LazyLock::new(|| {
        let list = BundledData::get("places.tsv").map(|file| file.data).unwrap_or_default();
        Gazetteer::new(&String::from_utf8_lossy(&list))
    });
    &ALL
}

/// The page of the application, where it was built in.
pub(crate) fn index_html() -> Option<String> {
    String::from_utf8(WebAppFiles::get("index.html")?.data.into_owned()).ok()
}

/// Answers everything that is no route of ours: files of the application, and its page for all its addresses.
pub fn serve_web_app(request: &Request) -> Response {
    let (method, uri, headers) = (request.method(), request.uri(), request.headers());
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        let what = format!("There is nothing at {}; /api/v1/openapi.json lists what there is.", uri.path());
        return crate::Problem::not_found(what).into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        let status = StatusCode::METHOD_NOT_ALLOWED;
        return crate::Problem::from_status(status, "The application is only read here.").into_response();
    }
    // A file has an ending; an address of the application has none, or ends with the name of a host.
    let last = path.rsplit('/').next().unwrap_or_default();
    if last.contains('.') && !path.starts_with("providers/") {
        return match WebAppFiles::get(path) {
            Some(file) => send(path, file, headers),
            None => (StatusCode::NOT_FOUND, "There is no such file.\n").into_response(),
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
    // Names below assets/ hold a hash of the content: they never change.
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

/// The file as the build compressed it, when the caller takes that.
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
