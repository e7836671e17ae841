//! A single record: its metadata, layers and evidence.

use super::extract::{Bounded, Json, Path, Query, ShortText};
use crate::auth::Caller;
use crate::{App, Problem};
use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use geotrawl_kinds::kinds;
use geotrawl_model::report::NewRecordReport;
use geotrawl_model::{ChainLink, Dataset, Evidence, Record};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Longest report about a record, in characters.
const LONGEST_NOTE: usize = 4_000;

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(record))
        .routes(routes!(layers))
        .routes(routes!(provenance))
        .routes(routes!(curl))
        .routes(routes!(qgis))
        .routes(routes!(report))
}

pub(super) fn unknown_record(id: &str) -> Problem {
    Problem::not_found(format!(
        "There is no record '{id}'. It may have been removed; try searching for it again."
    ))
}

/// Removes the layers from a record, because they have their own endpoint.
pub fn without_layers(mut record: Record) -> Record {
    record.resource.datasets = Vec::new();
    record
}

async fn load(app: &App, id: String, whole: bool) -> Result<Record, Problem> {
    app.blocking(move |app| {
        let record = if whole { app.store.find_record(&id)? } else { app.store.find_record_head(&id)? };
        record.ok_or_else(|| unknown_record(&id))
    })
    .await
}

/// A record with the name of its kind.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecordAnswer {
    #[serde(flatten)]
    pub record: Record,
    pub kind_name: String,
}

/// Get a record, without its layers
#[utoipa::path(
    get, path = "/records/{id}", tag = "records", params(("id" = String, Path, description = "Id of a record")),
    responses((status = 200, body = RecordAnswer), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn record(State(app): State<App>, Path(id): Path<String>) -> Result<Json<RecordAnswer>, Problem> {
    let record = load(&app, id, false).await?;
    let kind = &record.resource.kind;
    let kind_name = kinds::kind_profile(kind).map_or_else(|| kind.clone(), |profile| profile.name.to_owned());
    Ok(Json(RecordAnswer { record: without_layers(record), kind_name }))
}

/// Page of layers.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct LayerPaging {
    /// Only layers that match this text.
    #[param(inline)]
    q: ShortText<200>,
    #[param(inline)]
    limit: Bounded<100, 1, 500>,
    #[param(inline)]
    offset: Bounded<0, 0, 10_000_000>,
}

/// Layers of a service.
#[derive(Debug, Serialize, ToSchema)]
pub struct Layers {
    pub total: u64,
    pub results: Vec<Dataset>,
}

/// List the layers of a record
#[utoipa::path(
    get, path = "/records/{id}/layers", tag = "records",
    params(("id" = String, Path, description = "Id of a record"), LayerPaging),
    responses((status = 200, body = Layers), (status = 400, body = Problem), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn layers(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(paging): Query<LayerPaging>,
) -> Result<Json<Layers>, Problem> {
    let found = app.blocking(move |app| {
        let found = app.store.list_datasets(&id, &paging.q, paging.offset.get(), paging.limit.get())?;
        found.ok_or_else(|| unknown_record(&id))
    });
    let (results, total) = found.await?;
    Ok(Json(Layers { total, results }))
}

/// How a record was found and identified.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProvenanceAnswer {
    pub evidence: Vec<Evidence>,
    /// The chain of pages for each discovery, seed first.
    pub chains: Vec<Vec<ChainLink>>,
}

/// Evidence of a record, and the chain of pages from the seed
#[utoipa::path(
    get, path = "/records/{id}/provenance", tag = "records",
    params(("id" = String, Path, description = "Id of a record")),
    responses((status = 200, body = ProvenanceAnswer), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn provenance(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<ProvenanceAnswer>, Problem> {
    let answer = app.blocking(move |app| {
        let explained = app.store.explain(&id)?.resources;
        let own = explained.into_iter().find(|one| one.record.id == id).ok_or_else(|| unknown_record(&id))?;
        Ok(ProvenanceAnswer { evidence: own.evidence, chains: own.chains })
    });
    Ok(Json(answer.await?))
}

/// The requests that identified a record, as curl commands
#[utoipa::path(
    get, path = "/records/{id}/curl", tag = "records",
    params(("id" = String, Path, description = "Id of a record")),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn curl(State(app): State<App>, Path(id): Path<String>) -> Result<String, Problem> {
    app.blocking(move |app| {
        let explained = app.store.explain(&id)?.resources;
        let own = explained.into_iter().find(|one| one.record.id == id).ok_or_else(|| unknown_record(&id))?;
        let mut seen = std::collections::BTreeSet::new();
        let command = |evidence: &Evidence| {
            let range =
                evidence.range.as_deref().map(|range| format!(" -H {}", quoted(&format!("Range: {range}"))));
            let request = quoted(&evidence.request);
            format!("curl -sS -L --compressed{} {request}\n", range.unwrap_or_default())
        };
        Ok(own.evidence.iter().filter(|one| seen.insert((&one.request, &one.range))).map(command).collect())
    })
    .await
}

/// Quotes a text as one word for the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Layers to include in the file.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct ChosenLayers {
    /// Layer names (repeat); none: all, up to 200.
    layer: Vec<String>,
}

/// Layer definition file for QGIS
#[utoipa::path(
    get, path = "/records/{id}/qgis", tag = "records",
    params(("id" = String, Path, description = "Id of a record"), ChosenLayers),
    responses(
        (status = 200, body = String, content_type = "application/x-qgis-layer-definition"),
        (status = 404, body = Problem), (status = 422, body = Problem)
    ),
    extensions(("x-needs" = json!("user")), ("x-scope" = json!("download")))
)]
async fn qgis(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(chosen): Query<ChosenLayers>,
) -> Result<Response, Problem> {
    let record = load(&app, id, true).await?;
    let file = geotrawl_export::qgis::layer_definition(&record, &chosen.layer)
        .map_err(|error| Problem::internal(&error.to_string()))?;
    let Some(file) = file else {
        let kind = &record.resource.kind;
        return Err(Problem::unprocessable("id", format!("QGIS cannot open layers of kind {kind}.")));
    };
    let mut answer = file.into_response();
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-qgis-layer-definition"));
    headers.insert(header::CONTENT_DISPOSITION, super::attachment(&record.id, "qlr"));
    Ok(answer)
}

/// A report about a record.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Note {
    /// Description of the problem.
    #[schema(min_length = 1, max_length = 4000)]
    text: String,
}

/// Confirmation of a report.
#[derive(Debug, Serialize, ToSchema)]
struct NoteReceipt {
    id: i64,
}

/// Report a problem with a record to the operator
#[utoipa::path(
    post, path = "/records/{id}/report", tag = "records", request_body = Note,
    params(("id" = String, Path, description = "Id of a record")),
    responses((status = 201, body = NoteReceipt), (status = 404, body = Problem), (status = 409, body = Problem),
        (status = 422, body = Problem), (status = 429, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn report(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Json(note): Json<Note>,
) -> Result<(StatusCode, Json<NoteReceipt>), Problem> {
    let text = note.text.trim().to_owned();
    if text.is_empty() || text.chars().count() > LONGEST_NOTE {
        return Err(Problem::unprocessable("text", format!("Enter 1 to {LONGEST_NOTE} characters.")));
    }
    app.auth.limits.count_report(&caller, app.now())?;
    let user = caller.user.map(|user| user.id);
    let id = app.blocking(move |app| {
        if app.store.find_record_head(&id)?.is_none() {
            return Err(unknown_record(&id));
        }
        let kept = app.store.add_report(&NewRecordReport { record: id, user, text }, app.now())?;
        kept.ok_or_else(|| Problem::conflict("Too many unread reports; try again later."))
    });
    Ok((StatusCode::CREATED, Json(NoteReceipt { id: id.await? })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_address_stays_one_word_for_the_shell() {
        assert_eq!(quoted("http://a/'; rm -rf ~ #"), "'http://a/'\\''; rm -rf ~ #'");
    }
}
