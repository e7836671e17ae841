//! For admins: users, settings, the audit log, reports about records.

mod people;

use crate::api::extract::{Bounded, Json, Path, Query, SequenceNumber};
use crate::auth::{Caller, write_audit_entry};
use crate::settings::Settings;
use crate::{App, Problem};
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use geotrawl_model::account::AuditEntry;
use geotrawl_model::report::RecordReport;
use geotrawl_model::task::{JobFilter, JobState};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    people::router()
        .routes(routes!(audit))
        .routes(routes!(settings, change_settings))
        .routes(routes!(reports))
        .routes(routes!(close_report))
        .routes(routes!(system))
}

/// Selects entries of the audit log.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct AuditQuery {
    /// Only entries before this number; 0: the newest.
    #[serde(default)]
    #[param(inline)]
    before: SequenceNumber,
    #[serde(default)]
    #[param(inline)]
    limit: Bounded<100, 1, 1000>,
}

/// An entry of the audit log.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AuditLine {
    pub seq: i64,
    pub at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<i64>,
    pub who: String,
    pub action: String,
    pub subject: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    pub detail: Value,
}

impl From<AuditEntry> for AuditLine {
    fn from(entry: AuditEntry) -> Self {
        let AuditEntry { seq, at, user, who, action, subject, address, detail } = entry;
        Self { seq, at, user, who, action, subject, address, detail }
    }
}

/// Entries of the audit log, newest first.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AuditLines {
    pub results: Vec<AuditLine>,
}

/// Audit log
#[utoipa::path(
    get, path = "/audit", tag = "admin", params(AuditQuery),
    responses(
        (status = 200, body = AuditLines),
        (status = 400, body = Problem, content_type = "application/problem+json"),
    ),
    extensions(("x-needs" = json!("admin")), ("x-scope" = json!("admin")))
)]
async fn audit(State(app): State<App>, Query(lines): Query<AuditQuery>) -> Result<Json<AuditLines>, Problem> {
    let entries = app
        .blocking(move |app| Ok(app.store.audit_log(lines.before.get() as i64, lines.limit.get())?))
        .await?;
    Ok(Json(AuditLines { results: entries.into_iter().map(AuditLine::from).collect() }))
}

/// Current settings, and which of them were changed by admins.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SettingsState {
    pub settings: Settings,
    /// Keys that were changed here; the others have the value from the configuration.
    pub changed: Vec<String>,
}

fn settings_state(app: &App) -> Result<SettingsState, Problem> {
    let changed = app.store.list_settings()?.into_iter().map(|(key, _)| key).collect();
    Ok(SettingsState { settings: (*app.settings_blocking()).clone(), changed })
}

/// Current settings
#[utoipa::path(
    get, path = "/settings", tag = "admin",
    responses((status = 200, body = SettingsState)),
    extensions(("x-needs" = json!("admin")), ("x-scope" = json!("admin")))
)]
async fn settings(State(app): State<App>) -> Result<Json<SettingsState>, Problem> {
    app.blocking(settings_state).await.map(Json)
}

/// Change settings
///
/// Values by key; `null` restores the value from the configuration. Either all changes are applied
/// or none.
#[utoipa::path(
    patch, path = "/settings", tag = "admin", request_body = Object,
    responses(
        (status = 200, body = SettingsState),
        (status = 422, body = Problem, content_type = "application/problem+json"),
    ),
    extensions(("x-needs" = json!("admin")), ("x-scope" = json!("admin")))
)]
async fn change_settings(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Json(changes): Json<Map<String, Value>>,
) -> Result<Json<SettingsState>, Problem> {
    let mut trial = Settings::from_config(&app.config);
    for (key, value) in &changes {
        if !crate::settings::KEYS.contains(&key.as_str()) || !value.is_null() {
            trial.apply_setting(key, value)?;
        }
    }
    let state = app
        .blocking(move |app| {
            for (key, value) in &changes {
                app.store.set_setting(key, Some(value).filter(|value| !value.is_null()))?;
            }
            app.auth.settings.invalidate();
            let keys: Vec<&String> = changes.keys().collect();
            write_audit_entry(
                app,
                &caller,
                "settings",
                &json!(keys).to_string(),
                Value::Object(changes.clone()),
            )?;
            settings_state(app)
        })
        .await?;
    Ok(Json(state))
}

/// Selects reports.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ReportQuery {
    /// Also return closed reports.
    #[serde(default)]
    all: bool,
    #[serde(default)]
    #[param(inline)]
    limit: Bounded<100, 1, 1000>,
}

/// A report about a record.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReportLine {
    pub id: i64,
    pub at: Timestamp,
    pub record: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<i64>,
    pub text: String,
    pub closed: bool,
}

impl From<RecordReport> for ReportLine {
    fn from(report: RecordReport) -> Self {
        let RecordReport { id, at, record, user, text, closed } = report;
        Self { id, at, record, user, text, closed }
    }
}

/// Reports about records, newest first.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Reports {
    pub results: Vec<ReportLine>,
}

/// Reports about records
#[utoipa::path(
    get, path = "/reports", tag = "admin", params(ReportQuery),
    responses(
        (status = 200, body = Reports),
        (status = 400, body = Problem, content_type = "application/problem+json"),
    ),
    extensions(("x-needs" = json!("admin")), ("x-scope" = json!("admin")))
)]
async fn reports(State(app): State<App>, Query(which): Query<ReportQuery>) -> Result<Json<Reports>, Problem> {
    let reports = app.blocking(move |app| Ok(app.store.list_reports(which.all, which.limit.get())?)).await?;
    Ok(Json(Reports { results: reports.into_iter().map(ReportLine::from).collect() }))
}

/// Close a report
#[utoipa::path(
    post, path = "/reports/{id}/close", tag = "admin", params(("id" = i64, Path)),
    responses((status = 204), (status = 404, body = Problem, content_type = "application/problem+json")),
    extensions(("x-needs" = json!("admin")), ("x-scope" = json!("admin")))
)]
async fn close_report(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<i64>,
) -> Result<StatusCode, Problem> {
    app.blocking(move |app| {
        if !app.store.close_report(id)? {
            return Err(Problem::not_found("There is no such report."));
        }
        write_audit_entry(app, &caller, "report-close", &id.to_string(), json!({}))
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// How far the search index follows the catalogue.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct IndexState {
    /// The last catalogue change that the index has processed.
    pub seq: i64,
    /// Number of catalogue changes since then.
    pub behind: i64,
}

/// The state of the server.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SystemState {
    pub version: String,
    pub started: Option<Timestamp>,
    pub store_bytes: u64,
    pub index: IndexState,
    /// Open event streams.
    pub watchers: u64,
    /// Running tasks.
    pub running: u64,
}

/// State of the server
#[utoipa::path(
    get, path = "/system", tag = "admin",
    responses((status = 200, body = SystemState)),
    extensions(("x-needs" = json!("admin")), ("x-scope" = json!("admin")))
)]
async fn system(State(app): State<App>) -> Result<Json<SystemState>, Problem> {
    let state = app
        .blocking(|app| {
            let seq = app.index.progress().seq;
            let filter = JobFilter { states: vec![JobState::Running], limit: 1, ..JobFilter::default() };
            Ok(SystemState {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                started: app.auth.started.get().copied(),
                store_bytes: app.store.store_size()?,
                index: IndexState { seq, behind: app.store.last_change()?.saturating_sub(seq) },
                watchers: app.live.watcher_count() as u64,
                running: app.store.list_jobs(&filter)?.1,
            })
        })
        .await?;
    Ok(Json(state))
}
