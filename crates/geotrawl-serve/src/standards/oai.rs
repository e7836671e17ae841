//! OAI-PMH 2.0.

mod archive;
mod catalogue;

use super::base::base_url;
use crate::server::BODY_LIMIT;
use crate::{App, Problem};
use archive::ArchiveSource;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use catalogue::CatalogueSource;
use geotrawl_model::Record;
use geotrawl_standards::oai::{self, OaiRepository, OaiSource};
use geotrawl_standards::xml::XmlWriter;
use url::Url;

/// Records or headers per response.
const RECORDS_AT_ONCE: usize = 200;
const HEADS_AT_ONCE: usize = 1_000;

/// Encodes the metadata of a record; the second argument is the address of its page.
pub(super) type MetadataEncoder = fn(&Record, &str) -> String;

/// Metadata formats of the catalogue.
pub(super) const FORMATS: &[(oai::MetadataFormat, MetadataEncoder)] =
    &[(oai::dc::FORMAT, oai::dc::encode_record), (oai::ISO19139, iso19139)];

fn iso19139(record: &Record, page: &str) -> String {
    let mut xml = XmlWriter::fragment();
    geotrawl_standards::iso::write_iso19139(&mut xml, record, page);
    xml.finish()
}

/// Builds the router.
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
    // OAI-PMH puts the arguments of a POST request into its body.
    answer(app, &head.headers, pairs(&body)).await
}

async fn read(body: Body) -> Result<Vec<u8>, Problem> {
    let too_large = |_error| Problem::from_status(StatusCode::PAYLOAD_TOO_LARGE, "The body is too large.");
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
    let home = base_url(&app, headers);
    let document = app
        .blocking(move |app| {
            let catalogue = CatalogueSource { store: &*app.store, home: &home };
            let host = Url::parse(&home).ok().and_then(|home| home.host_str().map(str::to_owned));
            let archive =
                app.shelf.as_deref().map(|shelf| ArchiveSource { store: &*app.store, shelf, home: &home });
            let mut sources: Vec<&dyn OaiSource> = vec![&catalogue];
            sources.extend(archive.as_ref().map(|archive| archive as &dyn OaiSource));
            let repository = OaiRepository {
                name: app.config.title.clone(),
                base_url: format!("{home}/oai"),
                email: format!("webmaster@{}", host.unwrap_or_else(|| "localhost".to_owned())),
                sources,
                now: app.now(),
                records_at_once: RECORDS_AT_ONCE,
                heads_at_once: HEADS_AT_ONCE,
            };
            oai::answer_request(&repository, &arguments)
                .map_err(|fault| Problem::internal(&fault.to_string()))
        })
        .await?;
    Ok(([(header::CONTENT_TYPE, oai::MEDIA_TYPE)], document).into_response())
}
