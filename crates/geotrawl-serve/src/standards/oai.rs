//! OAI-PMH 2.0.

mod archive;
mod catalogue;

use super::base::base;
use crate::server::BODY_LIMIT;
use crate::{App, Problem};
use archive::Archive;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use catalogue::Catalogue;
use geotrawl_model::Record;
use geotrawl_standards::oai::{self, Repository, Source};
use geotrawl_standards::xml::Xml;
use url::Url;

/// Records and heads in one answer.
const RECORDS_AT_ONCE: usize = 200;
const HEADS_AT_ONCE: usize = 1_000;

/// Writes the metadata of a record; the address is that of its page here.
pub(super) type Encode = fn(&Record, &str) -> String;

/// Formats of the catalogue.
pub(super) const FORMATS: &[(oai::Format, Encode)] =
    &[(oai::dc::FORMAT, oai::dc::encode), (oai::ISO19139, iso19139)];

fn iso19139(record: &Record, page: &str) -> String {
    let mut xml = Xml::piece();
    geotrawl_standards::iso::write(&mut xml, record, page);
    xml.finish()
}

/// Its routes.
pub fn router() -> Router<App> {
    Router::new().route("/oai", get(by_query).post(by_form))
}

async fn by_query(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let arguments = pairs(request.uri().query().unwrap_or_default().as_bytes());
    answer(app, request.headers(), arguments).await
}

async fn by_form(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let (head, body) = request.into_parts();
    let body = read(body).await?;
    // Arguments of a POST stand in its body, as the protocol says.
    answer(app, &head.headers, pairs(&body)).await
}

async fn read(body: Body) -> Result<Vec<u8>, Problem> {
    let too_large = |_error| Problem::of_status(StatusCode::PAYLOAD_TOO_LARGE, "The body is too large.");
    Ok(to_bytes(body, BODY_LIMIT).await.map_err(too_large)?.to_vec())
}

fn pairs(encoded: &[u8]) -> Vec<(String, String)> {
    url::form_urlencoded::parse(encoded)
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect()
}

async fn answer(
    app: App,
    headers: &HeaderMap,
    arguments: Vec<(String, String)>,
) -> Result<Response, Problem> {
    let home = base(&app, headers);
    let document = app
        .blocking(move |app| {
            let catalogue = Catalogue { store: &*app.store, home: &home };
            let host = Url::parse(&home).ok().and_then(|home| home.host_str().map(str::to_owned));
            let archive =
                app.shelf.as_deref().map(|shelf| Archive { store: &*app.store, shelf, home: &home });
            let mut sources: Vec<&dyn Source> = vec![&catalogue];
            sources.extend(archive.as_ref().map(|archive| archive as &dyn Source));
            let repository = Repository {
                name: app.config.title.clone(),
                base_url: format!("{home}/oai"),
                email: format!("webmaster@{}", host.unwrap_or_else(|| "localhost".to_owned())),
                sources,
                now: app.now(),
                records_at_once: RECORDS_AT_ONCE,
                heads_at_once: HEADS_AT_ONCE,
            };
            oai::answer(&repository, &arguments).map_err(|fault| Problem::fault(&fault.to_string()))
        })
        .await?;
    Ok(([(header::CONTENT_TYPE, oai::MEDIA_TYPE)], document).into_response())
}
