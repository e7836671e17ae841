//! Quality of a record: score, checks, uptime, changes, successors, health and badge.

use super::extract::{Bounded, Json, Path, Query};
use super::records::unknown_record;
use crate::auth::{Caller, write_audit_entry};
use crate::badge;
use crate::{App, Problem};
use axum::Extension;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use geotrawl_model::monitoring::{CheckSummary, MetadataChange, StoredCheck};
use geotrawl_model::standing::ResourceStatus;
use geotrawl_model::successor::Successor;
use geotrawl_model::uptime::Uptime;
use geotrawl_model::{Check, CheckHistory, Outcome, Purpose, Record, Score, Status};
use geotrawl_trust::check;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(quality))
        .routes(routes!(uptime))
        .routes(routes!(changes))
        .routes(routes!(checks))
        .routes(routes!(one_check))
        .routes(routes!(check_now))
        .routes(routes!(health))
        .routes(routes!(badge_of))
        .routes(routes!(layer_health))
        .routes(routes!(layer_badge))
        .routes(routes!(successors))
        .routes(routes!(decide))
}

/// The quality of a record, with reasons.
#[derive(Debug, Serialize, ToSchema)]
pub struct Quality {
    pub id: String,
    /// Number of the check; absent before the first.
    pub number: Option<i64>,
    pub score: Option<Score>,
    pub check: Option<Check>,
    pub history: Option<CheckHistory>,
    pub standing: Option<ResourceStatus>,
    /// Time of the next check.
    pub next: Option<Timestamp>,
    /// Whether the record is in the check schedule.
    pub scheduled: bool,
    /// When a user requested a check that has not been made yet.
    pub asked: Option<Timestamp>,
    /// Each request of the check as a curl command.
    pub curl: Vec<String>,
}

impl Quality {
    fn of(id: String, stored: Option<StoredCheck>) -> Self {
        let curl = stored.as_ref().map(|stored| {
            stored.check.observations.iter().map(|seen| check::format_curl(&seen.request)).collect()
        });
        let mut quality = Self {
            id,
            number: None,
            score: None,
            check: None,
            history: None,
            standing: None,
            next: None,
            scheduled: false,
            asked: None,
            curl: curl.unwrap_or_default(),
        };
        if let Some(stored) = stored {
            quality.number = Some(stored.number);
            quality.score = Some(stored.score);
            quality.check = Some(stored.check);
            quality.history = Some(stored.history);
            quality.standing = Some(stored.standing);
        }
        quality
    }
}

fn head(app: &App, id: &str) -> Result<Record, Problem> {
    app.store.find_record_head(id)?.ok_or_else(|| unknown_record(id))
}

/// Quality of a record, with the evidence for every point
#[utoipa::path(
    get, path = "/records/{id}/quality", tag = "quality", params(("id" = String, Path, description = "Id of a record")),
    responses((status = 200, body = Quality), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn quality(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Quality>, Problem> {
    let answer = app.blocking(move |app| {
        head(app, &id)?;
        let mut quality = Quality::of(id.clone(), app.store.latest_check(&id)?);
        if let Some(watched) = app.store.monitoring_state(&id)? {
            quality.next = Some(watched.next);
            quality.asked = watched.asked;
            quality.scheduled = true;
            quality.standing = watched.standing.or(quality.standing);
        }
        Ok(quality)
    });
    answer.await.map(Json)
}

/// A check with its evidence
#[utoipa::path(
    get, path = "/checks/{number}", tag = "quality", params(("number" = i64, Path, description = "Number of a check")),
    responses((status = 200, body = Quality), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn one_check(State(app): State<App>, Path(number): Path<i64>) -> Result<Json<Quality>, Problem> {
    let stored = app.blocking(move |app| {
        let gone =
            || Problem::not_found(format!("There is no check {number}, or its evidence has been deleted."));
        app.store.find_check(number)?.ok_or_else(gone)
    });
    let stored = stored.await?;
    Ok(Json(Quality::of(stored.id.clone(), Some(stored))))
}

/// Availability and response time over 24 hours, 30 days and a year, and outages
#[utoipa::path(
    get, path = "/records/{id}/uptime", tag = "quality", params(("id" = String, Path, description = "Id of a record")),
    responses((status = 200, body = Uptime), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn uptime(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Uptime>, Problem> {
    let answer = app.blocking(move |app| {
        head(app, &id)?;
        Ok(app.store.uptime(&id, app.now())?)
    });
    answer.await.map(Json)
}

/// Page of a list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct HistoryPaging {
    #[param(inline)]
    limit: Bounded<50, 1, 500>,
    /// Only entries before this number.
    before: Option<i64>,
}

/// Changes of a description.
#[derive(Debug, Serialize, ToSchema)]
struct Changes {
    results: Vec<MetadataChange>,
}

/// Changes in the description of a record, newest first
#[utoipa::path(
    get, path = "/records/{id}/changes", tag = "quality",
    params(("id" = String, Path, description = "Id of a record"), HistoryPaging),
    responses((status = 200, body = Changes), (status = 400, body = Problem), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn changes(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(paging): Query<HistoryPaging>,
) -> Result<Json<Changes>, Problem> {
    let limit = paging.limit.get() as usize;
    let answer = app.blocking(move |app| {
        head(app, &id)?;
        Ok(Changes { results: app.store.metadata_changes(&id, limit)? })
    });
    answer.await.map(Json)
}

/// Checks of a record.
#[derive(Debug, Serialize, ToSchema)]
struct Checks {
    results: Vec<CheckSummary>,
}

/// Checks of a record, newest first
#[utoipa::path(
    get, path = "/records/{id}/checks", tag = "quality",
    params(("id" = String, Path, description = "Id of a record"), HistoryPaging),
    responses((status = 200, body = Checks), (status = 400, body = Problem), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn checks(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(paging): Query<HistoryPaging>,
) -> Result<Json<Checks>, Problem> {
    let limit = paging.limit.get() as usize;
    let answer = app.blocking(move |app| {
        head(app, &id)?;
        Ok(Checks { results: app.store.list_checks(&id, paging.before, limit)? })
    });
    answer.await.map(Json)
}

/// A requested check.
#[derive(Debug, Serialize, ToSchema)]
struct AskedCheck {
    asked: Timestamp,
}

/// Check a record now
///
/// The monitor makes the check, usually within seconds; the result has a higher number than the
/// previous one.
#[utoipa::path(
    post, path = "/records/{id}/check", tag = "quality", params(("id" = String, Path, description = "Id of a record")),
    responses((status = 202, body = AskedCheck), (status = 404, body = Problem), (status = 429, body = Problem)),
    extensions(("x-needs" = json!("user")), ("x-scope" = json!("tasks")))
)]
async fn check_now(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<AskedCheck>), Problem> {
    caller.require_user()?;
    app.auth.limits.count_check(&caller, app.now())?;
    let asked = app.now();
    app.blocking(
        move |app| if app.store.request_check(&id, asked)? { Ok(()) } else { Err(unknown_record(&id)) },
    )
    .await?;
    if let Some(monitor) = &app.monitor {
        monitor.notify_one();
    }
    Ok((StatusCode::ACCEPTED, Json(AskedCheck { asked })))
}

/// Health of a service or layer, in brief for programs.
#[derive(Debug, Serialize, ToSchema)]
struct Health {
    id: String,
    url: String,
    kind: String,
    /// Name of the layer, if it is about one.
    layer: Option<String>,
    status: Status,
    reason: String,
    score: Option<u8>,
    /// Share of the checks in the last 30 days that got a response, 0 to 1.
    uptime_30d: Option<f64>,
    checked: Option<Timestamp>,
}

impl Health {
    fn of(app: &App, id: &str) -> Result<Self, Problem> {
        let record = head(app, id)?;
        let uptime = app.store.uptime(id, app.now())?;
        Ok(Self {
            id: record.id,
            url: record.resource.url,
            kind: record.resource.kind,
            layer: None,
            status: record.status,
            reason: record.reason,
            score: record.score,
            uptime_30d: uptime.windows.get("30d").and_then(|window| window.share),
            checked: record.checked,
        })
    }

    /// Returns the health of one layer, from the latest check that tried it.
    fn of_layer(app: &App, id: &str, name: &str) -> Result<Self, Problem> {
        let mut health = Self::of(app, id)?;
        let found = app.store.list_datasets(id, name, 0, 500)?.unwrap_or_default().0;
        if !found.iter().any(|dataset| dataset.name == name) {
            return Err(Problem::not_found(format!("This service has no layer '{name}'.")));
        }
        health.layer = Some(name.to_owned());
        // Checks sample a few layers: use the latest one that tried this layer, else the service as
        // a whole.
        for summary in app.store.list_checks(id, None, 10)?.iter().filter(|summary| summary.kept) {
            let Some(stored) = app.store.find_check(summary.number)? else { continue };
            let tried = |seen: &&geotrawl_model::Observation| {
                seen.purpose == Purpose::Operation && seen.dataset.as_deref() == Some(name)
            };
            let Some(seen) = stored.check.observations.iter().find(tried) else { continue };
            health.status = match seen.outcome {
                Outcome::Valid => Status::Alive,
                Outcome::Login | Outcome::Key => Status::Restricted,
                Outcome::Firewall | Outcome::Forbidden | Outcome::RateLimited | Outcome::Robots => {
                    Status::Blocked
                }
                Outcome::Timeout | Outcome::Reset | Outcome::Tls | Outcome::TooLarge | Outcome::Refused => {
                    Status::Inconclusive
                }
                _ => Status::Degraded,
            };
            health.reason.clone_from(&seen.seen);
            health.checked = Some(stored.check.at);
            return Ok(health);
        }
        health.reason = format!("This layer has not been checked yet; the service: {}", health.reason);
        Ok(health)
    }

    fn badge(&self) -> Response {
        let text = badge::format_value(self.status, self.uptime_30d, self.score.map(f64::from));
        let svg = badge::render_svg(&self.kind, &text, self.status);
        ([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "max-age=300")], svg)
            .into_response()
    }
}

/// Health of a record, in brief for programs
#[utoipa::path(
    get, path = "/records/{id}/health", tag = "quality", params(("id" = String, Path, description = "Id of a record")),
    responses((status = 200, body = Health), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn health(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Health>, Problem> {
    app.blocking(move |app| Health::of(app, &id)).await.map(Json)
}

/// Health of a record as an SVG badge
#[utoipa::path(
    get, path = "/records/{id}/badge.svg", tag = "quality", params(("id" = String, Path, description = "Id of a record")),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn badge_of(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Problem> {
    Ok(app.blocking(move |app| Health::of(app, &id)).await?.badge())
}

/// Health of a layer
#[utoipa::path(
    get, path = "/records/{id}/datasets/{name}/health", tag = "quality",
    params(("id" = String, Path, description = "Id of a record"), ("name" = String, Path, description = "Name of a layer")),
    responses((status = 200, body = Health), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn layer_health(
    State(app): State<App>,
    Path((id, name)): Path<(String, String)>,
) -> Result<Json<Health>, Problem> {
    app.blocking(move |app| Health::of_layer(app, &id, &name)).await.map(Json)
}

/// Health of a layer as an SVG badge
#[utoipa::path(
    get, path = "/records/{id}/datasets/{name}/badge.svg", tag = "quality",
    params(("id" = String, Path, description = "Id of a record"), ("name" = String, Path, description = "Name of a layer")),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn layer_badge(
    State(app): State<App>,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, Problem> {
    Ok(app.blocking(move |app| Health::of_layer(app, &id, &name)).await?.badge())
}

/// Possible successors.
#[derive(Debug, Serialize, ToSchema)]
struct Successors {
    results: Vec<Successor>,
}

/// Records that may have replaced a record that is gone
#[utoipa::path(
    get, path = "/records/{id}/successors", tag = "quality", params(("id" = String, Path, description = "Id of a record")),
    responses((status = 200, body = Successors), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn successors(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Successors>, Problem> {
    let answer = app.blocking(move |app| {
        head(app, &id)?;
        Ok(Successors { results: app.store.list_successors(&id)? })
    });
    answer.await.map(Json)
}

/// Decision about a proposed successor.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Decision {
    action: SuccessorAction,
}

/// Accept or reject the successor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum SuccessorAction {
    Accept,
    Reject,
}

/// Accept or reject a successor
///
/// Accepting merges them: history, aliases and id of the gone record move to the successor.
#[utoipa::path(
    post, path = "/records/{id}/successors/{other}", tag = "quality", request_body = Decision,
    params(("id" = String, Path, description = "Id of the record that is gone"), ("other" = String, Path, description = "Id of its successor")),
    responses((status = 204), (status = 404, body = Problem), (status = 422, body = Problem)),
    extensions(("x-needs" = json!("admin")), ("x-scope" = json!("admin")))
)]
async fn decide(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path((id, other)): Path<(String, String)>,
    Json(decision): Json<Decision>,
) -> Result<StatusCode, Problem> {
    app.blocking(move |app| {
        let accept = decision.action == SuccessorAction::Accept;
        if !app.store.decide_successor(&id, &other, accept, app.now())? {
            return Err(Problem::not_found(format!(
                "'{other}' was not proposed as the successor of '{id}'."
            )));
        }
        write_audit_entry(app, &caller, "successor", &id, json!({"other": other, "accepted": accept}))
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}
