//! Other people's layers through this server, where a browser may not ask for them itself.
//!
//! Only for services that were proven to work, only below their own endpoint, only pictures and data, and only
//! through the guarded client: this is no way into other networks, and no way to run anything here.

use super::extract::{Path, Query};
use crate::outbound::OutboundRequest;
use crate::{App, Problem};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use geotrawl_kinds::model::Status;
use serde::Deserialize;
use url::Url;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Bytes of an answer at most.
const MOST_BYTES: u64 = 20 * 1024 * 1024;

/// Longest address that is asked.
const LONGEST_URL: usize = 16_000;

/// What may come through, by the beginning of its content type. Nothing that a browser would run.
const TYPES: &[&str] = &[
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/tiff",
    "application/json",
    "application/geo+json",
    "application/vnd.geo+json",
    "application/xml",
    "text/xml",
    "application/gml+xml",
    "application/gpx+xml",
    "application/vnd.ogc",
    "application/vnd.google-earth.kml",
    "application/vnd.mapbox-vector-tile",
    "application/x-protobuf",
    "application/octet-stream",
];

/// Its routes.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(proxy))
}

/// What to ask.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Asked {
    /// Whole address, below the record's endpoint.
    #[param(max_length = 4000)]
    url: String,
}

/// Ask a proven service through this server
#[utoipa::path(
    get, path = "/proxy/{id}", tag = "proxy", params(("id" = String, Path, description = "Id of a record"), Asked),
    responses(
        (status = 200, description = "What the service sent", body = String, content_type = "*/*"), (status = 400, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem), (status = 502, body = Problem)
    ),
    extensions(("x-needs" = json!("user")), ("x-scope" = json!("read")))
)]
async fn proxy(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    if asked.url.len() > LONGEST_URL {
        return Err(Problem::bad_request("url", format!("Longer than {LONGEST_URL} bytes.")));
    }
    let url = Url::parse(&asked.url)
        .map_err(|error| Problem::bad_request("url", format!("'{}' is no address: {error}.", asked.url)))?;
    let record = app.blocking(move |app| {
        if !app.settings_now().proxy {
            return Err(Problem::forbidden("The operator has not switched the proxy on."));
        }
        app.store.head(&id)?.ok_or_else(|| Problem::not_found(format!("There is no record '{id}'.")))
    });
    let record = record.await?;
    if !matches!(record.status, Status::Alive | Status::Degraded) {
        let status = record.status.as_str();
        return Err(Problem::forbidden(format!("Only services that work are asked; this one is {status}.")));
    }
    let endpoint = Url::parse(&record.resource.url).map_err(|error| Problem::fault(&error.to_string()))?;
    if !below(&url, &endpoint) {
        return Err(Problem::forbidden(format!(
            "Only addresses below {endpoint} are asked through this record."
        )));
    }
    let request = OutboundRequest { url, form: None, accept: None, authorization: None, limit: MOST_BYTES };
    let answer = app.outbound.ask(request).await.map_err(|failure| {
        if failure.refused { Problem::forbidden(failure.reason) } else { Problem::upstream(failure.reason) }
    })?;
    let same_server = answer.url.host_str() == endpoint.host_str();
    if !same_server {
        return Err(Problem::upstream(format!("The service led away to {}.", answer.url)));
    }
    if !(200..300).contains(&answer.status) {
        return Err(Problem::upstream(format!("The service answered with status {}.", answer.status)));
    }
    if answer.cut {
        return Err(Problem::upstream(format!("The answer is larger than {MOST_BYTES} bytes.")));
    }
    // Whoever says nothing of the type sends bytes: a browser neither shows nor runs them.
    let said = answer.content_type.filter(|type_| !type_.trim().is_empty());
    let type_ =
        said.map_or_else(|| "application/octet-stream".to_owned(), |type_| type_.to_ascii_lowercase());
    if !TYPES.iter().any(|allowed| type_.starts_with(allowed)) {
        return Err(Problem::upstream(format!(
            "The service sent '{type_}', which is neither a picture nor data."
        )));
    }
    let mut response = answer.body.into_response();
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

/// Whether an address is one of the service's own: same server, and a path that goes on from the endpoint's.
fn below(url: &Url, endpoint: &Url) -> bool {
    // The last part of an endpoint may be a script or a file; its siblings belong to it (tiles, collections).
    let folder = |path: &str| path.rfind('/').map_or(String::from("/"), |at| path[..=at].to_owned());
    let base =
        if endpoint.path().ends_with('/') { endpoint.path().to_owned() } else { folder(endpoint.path()) };
    let own_path = url.path() == endpoint.path()
        || url.path().starts_with(&format!("{}/", endpoint.path().trim_end_matches('/')))
        || (base != "/" && url.path().starts_with(&base));
    matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none()
        && url.host_str() == endpoint.host_str()
        && url.port_or_known_default() == endpoint.port_or_known_default()
        && own_path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_services_own_addresses_are_below_it() {
        let endpoint = Url::parse("https://maps.example.org/geo/wms?map=a").unwrap();
        let asked = |url: &str| below(&Url::parse(url).unwrap(), &endpoint);
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
        assert!(!below(&Url::parse("https://maps.example.org/admin").unwrap(), &root));
    }
}
