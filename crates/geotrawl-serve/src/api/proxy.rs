//! Proxy for layers that a browser cannot request directly (CORS, http).
//!
//! Only for services that are known to work, only below their endpoint, only images and data, and
//! only through the guarded client, so it gives no access to other networks and cannot run anything
//! here. Large files are passed on in the ranges that the browser requests.

use super::extract::{Path, Query};
use crate::outbound::{OutboundRequest, OutboundResponse};
use crate::{App, Problem};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use geotrawl_kinds::probe::ByteRange;
use geotrawl_model::Status;
use serde::Deserialize;
use url::Url;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Maximum size of a response in bytes.
const MOST_BYTES: u64 = 20 * 1024 * 1024;

/// Longest URL that is requested.
const LONGEST_URL: usize = 16_000;

/// Allowed content types, by prefix. Nothing that a browser would execute.
const TYPES: &[&str] = &[
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/tiff",
    "application/json",
    "application/geo+json",
    "application/vnd.geo+json",
    "application/topo+json",
    "application/schema+json",
    "application/xml",
    "text/xml",
    "application/gml+xml",
    "application/gpx+xml",
    "application/vnd.ogc",
    "application/vnd.google-earth.",
    "application/vnd.mapbox-vector-tile",
    "application/vnd.pmtiles",
    "application/x-protobuf",
    "application/zip",
    "application/x-zip",
    "application/octet-stream",
    "binary/octet-stream",
    // Many servers have no media type for KML or GeoJSON. As text, a browser neither renders nor
    // executes it here.
    "text/plain",
];

/// Kinds whose description and tiles may be in different places on the server.
const TILED: &[&str] = &["mvt", "ogcapi-tiles", "tilejson", "tms", "wmts", "xyz"];

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(proxy))
}

/// What to request.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ProxyQuery {
    /// Full URL, below the endpoint of the record.
    #[param(max_length = 4000)]
    url: String,
}

/// Request a known service through this server
#[utoipa::path(
    get, path = "/proxy/{id}", tag = "proxy", params(("id" = String, Path, description = "Id of a record"), ProxyQuery),
    responses(
        (status = 200, description = "Response of the service", body = String, content_type = "*/*"),
        (status = 206, description = "The requested range", body = String, content_type = "*/*"), (status = 400, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem), (status = 502, body = Problem)
    ),
    extensions(("x-needs" = json!("user")), ("x-scope" = json!("read")))
)]
async fn proxy(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(asked): Query<ProxyQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if asked.url.len() > LONGEST_URL {
        return Err(Problem::bad_request("url", format!("The URL is longer than {LONGEST_URL} bytes.")));
    }
    let url = Url::parse(&asked.url).map_err(|error| {
        Problem::bad_request("url", format!("'{}' is not a valid URL: {error}.", asked.url))
    })?;
    let record = app.blocking(move |app| {
        if !app.settings_blocking().proxy {
            return Err(Problem::forbidden("The proxy is turned off on this server."));
        }
        app.store
            .find_record_head(&id)?
            .ok_or_else(|| Problem::not_found(format!("There is no record '{id}'.")))
    });
    let record = record.await?;
    if !matches!(record.status, Status::Alive | Status::Degraded) {
        let status = record.status.as_str();
        return Err(Problem::forbidden(format!(
            "Only working services can be requested; this one is {status}."
        )));
    }
    let endpoint = Url::parse(&record.resource.url).map_err(|error| Problem::internal(&error.to_string()))?;
    let tile = TILED.contains(&record.resource.kind.as_str()) && is_tile(&url);
    if !(same_server(&url, &endpoint) && (tile || below(&url, &endpoint))) {
        return Err(Problem::forbidden(format!(
            "Only URLs below {endpoint} can be requested through this record."
        )));
    }
    let range = headers.get(header::RANGE).and_then(|value| part(value.to_str().ok()?));
    let request = OutboundRequest { range, ..OutboundRequest::get(url, MOST_BYTES) };
    let answer = app.outbound.send(request).await.map_err(|failure| {
        if failure.refused {
            Problem::forbidden(failure.reason)
        } else {
            Problem::bad_gateway(failure.reason)
        }
    })?;
    let same_server = answer.url.host_str() == endpoint.host_str();
    if !same_server {
        return Err(Problem::bad_gateway(format!("The service redirected to another host: {}.", answer.url)));
    }
    if !(200..300).contains(&answer.status) {
        return Err(Problem::bad_gateway(format!("The service answered with status {}.", answer.status)));
    }
    if answer.cut {
        let parts = if range.is_some() { ", and the service does not support range requests" } else { "" };
        return Err(Problem::bad_gateway(format!("The response is larger than {MOST_BYTES} bytes{parts}.")));
    }
    let served = content_range(&answer);
    // Without a content type, treat the response as bytes, which a browser neither renders nor
    // executes.
    let said = answer.content_type.filter(|type_| !type_.trim().is_empty());
    let type_ =
        said.map_or_else(|| "application/octet-stream".to_owned(), |type_| type_.to_ascii_lowercase());
    if !TYPES.iter().any(|allowed| type_.starts_with(allowed)) {
        return Err(Problem::bad_gateway(format!(
            "The service sent '{type_}', which is neither an image nor data."
        )));
    }
    let mut response = answer.body.into_response();
    if let Some(served) = served {
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
        response.headers_mut().insert(header::CONTENT_RANGE, served);
    }
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&type_) {
        headers.insert(header::CONTENT_TYPE, value);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=300"));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; sandbox; frame-ancestors 'none'"),
    );
    Ok(response)
}

/// Parses a `Range` header with one range, limited to what may be passed on. Other forms are
/// ignored, so that the whole file is requested, as RFC 9110 (14.2) specifies.
fn part(header: &str) -> Option<ByteRange> {
    let (from, to) = header.trim().strip_prefix("bytes=")?.split_once('-')?;
    let number = |text: &str| text.parse::<u64>().ok();
    if from.is_empty() {
        return Some(ByteRange::Suffix(number(to)?.min(MOST_BYTES)));
    }
    let from = number(from)?;
    let most = from.saturating_add(MOST_BYTES - 1);
    let to = if to.is_empty() { most } else { number(to)?.min(most) };
    (from <= to).then_some(ByteRange::Span { from, to })
}

/// Returns the `Content-Range` header of a partial response; `None` for a complete one.
fn content_range(answer: &OutboundResponse) -> Option<HeaderValue> {
    let from = answer.served_from.filter(|_| answer.status == 206)?;
    let last = from.checked_add(answer.body.len() as u64)?.checked_sub(1)?;
    let total = answer.total_length.map_or_else(|| "*".to_owned(), |total| total.to_string());
    HeaderValue::from_str(&format!("bytes {from}-{last}/{total}")).ok()
}

/// Whether two URLs are on one server, and the first has no credentials.
fn same_server(url: &Url, endpoint: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none()
        && url.host_str() == endpoint.host_str()
        && url.port_or_known_default() == endpoint.port_or_known_default()
}

/// Whether a URL is a tile: its path ends in row and column, or it is a WMTS GetTile request.
fn is_tile(url: &Url) -> bool {
    let named =
        |key: &str, value: &str| key.eq_ignore_ascii_case("request") && value.eq_ignore_ascii_case("gettile");
    if url.query_pairs().any(|(key, value)| named(&key, &value)) {
        return true;
    }
    let mut ends = url.path().rsplit('/').map(|end| end.split(['.', '@']).next().unwrap_or_default());
    let mut number =
        || ends.next().is_some_and(|end| !end.is_empty() && end.bytes().all(|b| b.is_ascii_digit()));
    number() && number()
}

/// Whether the path of a URL is below the endpoint.
fn below(url: &Url, endpoint: &Url) -> bool {
    // The last segment of an endpoint may be a script or a file; its siblings (tiles, collections)
    // belong to it.
    let folder = |path: &str| path.rfind('/').map_or(String::from("/"), |at| path[..=at].to_owned());
    let base =
        if endpoint.path().ends_with('/') { endpoint.path().to_owned() } else { folder(endpoint.path()) };
    // If the endpoint is at the root of its server, only its own path counts: anything else may be
    // another application.
    url.path() == endpoint.path()
        || url.path().starts_with(&format!("{}/", endpoint.path().trim_end_matches('/')))
        || (base != "/" && url.path().starts_with(&base))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_part_is_asked_for_and_never_more_than_is_passed_on() {
        let span = |from, to| Some(ByteRange::Span { from, to });
        assert_eq!(part("bytes=0-15"), span(0, 15));
        assert_eq!(part("bytes=100-"), span(100, 100 + MOST_BYTES - 1));
        assert_eq!(part(&format!("bytes=7-{}", u64::MAX)), span(7, 7 + MOST_BYTES - 1));
        assert_eq!(part(&format!("bytes={}-", u64::MAX)), span(u64::MAX, u64::MAX));
        assert_eq!(part("bytes=-500"), Some(ByteRange::Suffix(500)));
        for other in
            ["", "bytes", "bytes=", "bytes=-", "bytes=9-3", "bytes=0-1,5-6", "lines=1-2", "bytes=a-b"]
        {
            assert_eq!(part(other), None, "{other}");
        }
    }

    #[test]
    fn only_the_services_own_addresses_are_below_it() {
        let endpoint = Url::parse("https://maps.example.org/geo/wms?map=a").unwrap();
        let own = |url: &Url, endpoint: &Url| same_server(url, endpoint) && below(url, endpoint);
        let asked = |url: &str| own(&Url::parse(url).unwrap(), &endpoint);
        assert!(asked("https://maps.example.org/geo/wms?REQUEST=GetMap"));
        assert!(asked("https://maps.example.org/geo/wms/tiles/1/2/3.png"));
        assert!(asked("https://maps.example.org/geo/other"));
        assert!(!asked("https://maps.example.org/geo/../admin"));
        assert!(!asked("https://maps.example.org/admin"));
        assert!(!asked("https://maps.example.org:8443/geo/wms"));
        assert!(!asked("https://maps.example.org.evil.test/geo/wms"));
        assert!(!asked("https://user@maps.example.org/geo/wms"));
        assert!(!asked("ftp://maps.example.org/geo/wms"));
        let root = Url::parse("https://maps.example.org/wms").unwrap();
        assert!(!own(&Url::parse("https://maps.example.org/admin").unwrap(), &root));
    }

    #[test]
    fn tiles_are_told_by_their_last_numbers() {
        let is_tile = |path: &str| is_tile(&Url::parse(&format!("https://maps.example.org{path}")).unwrap());
        for tile in [
            "/wmts?Service=WMTS&Request=GetTile&layer=roads",
            "/t/3/2/1.png",
            "/wmts/roads/default/web/EPSG:3857:7/12/9",
            "/7/4/5@2x.webp",
            "/1/2.vector.pbf",
        ] {
            assert!(is_tile(tile), "{tile}");
        }
        for other in [
            "/",
            "",
            "/admin",
            "/v1/users/7",
            "/wmts?request=GetCapabilities",
            "/backup/2026.zip",
            "/3/x.png",
            "/1//2",
            "//",
            "/a/1/.png",
        ] {
            assert!(!is_tile(other), "{other}");
        }
    }
}
