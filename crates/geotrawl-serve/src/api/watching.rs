//! Monitoring: the check schedule, notifications, hosts and their report cards, the rubric.

use super::extract::{Bounded, Json, Path, Query, ShortText};
use crate::feeds::{self, NoticeFeed, NoticeFeedItem};
use crate::{App, Problem};
use axum::extract::State;
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use geotrawl_model::host_report::{HostOrder, HostReport, HostSummary, Latency, Overview};
use geotrawl_model::notice::{Notice, NoticeFilter, NoticeKind};
use geotrawl_trust::score::{self, Rubric};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use url::Url;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(monitoring))
        .routes(routes!(notices))
        .routes(routes!(atom))
        .routes(routes!(json_feed))
        .routes(routes!(providers))
        .routes(routes!(provider))
        .routes(routes!(scoring))
}

/// Overview of the check schedule.
#[derive(Debug, Serialize, ToSchema)]
pub struct MonitoringView {
    pub statuses: BTreeMap<String, u64>,
    /// Records in the schedule.
    pub enrolled: u64,
    pub due: u64,
    /// Records that have been due for more than an hour.
    pub overdue: u64,
    pub checks_24h: u64,
    pub next: Option<Timestamp>,
    /// Whether the monitor runs in this process.
    pub running: bool,
    pub latency: Option<Latency>,
    /// Worst first.
    pub hosts: Vec<HostSummary>,
}

/// Overview of the check schedule
#[utoipa::path(
    get, path = "/monitoring", tag = "monitoring", responses((status = 200, body = MonitoringView)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn monitoring(State(app): State<App>) -> Result<Json<MonitoringView>, Problem> {
    let running = app.monitor.is_some();
    let answer = app.blocking(move |app| {
        let Overview { statuses, enrolled, due, overdue, checks_24h, next, latency, hosts } =
            app.store.overview(app.now())?;
        Ok(MonitoringView { statuses, enrolled, due, overdue, checks_24h, next, running, latency, hosts })
    });
    answer.await.map(Json)
}

/// Filters of the notifications.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct NoticeQuery {
    /// Only notifications after this number, oldest first; without it the newest come first.
    after: Option<i64>,
    /// Only notifications before this number.
    before: Option<i64>,
    /// Only of these kinds (repeat).
    kind: Vec<NoticeKind>,
    /// Only of this host.
    #[param(max_length = 255)]
    host: Option<String>,
    /// Only of this record.
    #[param(max_length = 255)]
    record: Option<String>,
    #[param(inline)]
    limit: Bounded<50, 1, 500>,
}

impl NoticeQuery {
    fn filter(self) -> NoticeFilter {
        let Self { after, before, kind: kinds, host, record, .. } = self;
        NoticeFilter { after, before, kinds, host, record }
    }
}

/// A list of notifications.
#[derive(Debug, Serialize, ToSchema)]
struct NoticeList {
    results: Vec<Notice>,
}

async fn read_news(app: &App, query: NoticeQuery) -> Result<Vec<Notice>, Problem> {
    let (limit, filter) = (query.limit.get() as usize, query.filter());
    app.blocking(move |app| Ok(app.store.list_notices(&filter, limit)?)).await
}

/// List notifications: new, dead and changed records
#[utoipa::path(
    get, path = "/notices", tag = "monitoring", params(NoticeQuery),
    responses((status = 200, body = NoticeList), (status = 400, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn notices(
    State(app): State<App>,
    Query(query): Query<NoticeQuery>,
) -> Result<Json<NoticeList>, Problem> {
    Ok(Json(NoticeList { results: read_news(&app, query).await? }))
}

/// Notifications as an Atom feed
#[utoipa::path(
    get, path = "/feeds/notices.atom", tag = "monitoring", params(NoticeQuery),
    responses((status = 200, body = String, content_type = "application/atom+xml"), (status = 400, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn atom(
    State(app): State<App>,
    uri: Uri,
    headers: HeaderMap,
    Query(query): Query<NoticeQuery>,
) -> Result<Response, Problem> {
    let feed = feed(&app, &headers, &uri, query).await?;
    Ok(([(header::CONTENT_TYPE, feeds::ATOM)], feeds::render_atom(&feed)).into_response())
}

/// Notifications as a JSON feed
#[utoipa::path(
    get, path = "/feeds/notices.json", tag = "monitoring", params(NoticeQuery),
    responses((status = 200, body = Object, content_type = "application/feed+json"), (status = 400, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn json_feed(
    State(app): State<App>,
    uri: Uri,
    headers: HeaderMap,
    Query(query): Query<NoticeQuery>,
) -> Result<Response, Problem> {
    let feed = feed(&app, &headers, &uri, query).await?;
    Ok(([(header::CONTENT_TYPE, feeds::JSON)], feeds::render_json(&feed)).into_response())
}

/// Builds the feed, with links under the public address of this server.
async fn feed(app: &App, headers: &HeaderMap, uri: &Uri, query: NoticeQuery) -> Result<NoticeFeed, Problem> {
    let home = public_address(app, headers)?;
    // A nested router sees the path without the common prefix.
    let path = format!("{}{}", crate::server::API, uri.path_and_query().map_or("/", |path| path.as_str()));
    let here = home.join(&path).unwrap_or_else(|_| home.clone());
    let asked = query.limit.get() as usize;
    let notices = read_news(app, query).await?;
    let next = notices.last().filter(|_| notices.len() == asked).map(|oldest| {
        let mut next = here.clone();
        let others: Vec<(String, String)> = here
            .query_pairs()
            .filter(|(key, _)| key != "before" && key != "after")
            .map(|(key, value)| (key.into_owned(), value.into_owned()))
            .collect();
        next.query_pairs_mut().clear().extend_pairs(others).append_pair("before", &oldest.seq.to_string());
        next
    });
    let items = notices.into_iter().map(|notice| NoticeFeedItem {
        seq: notice.seq,
        at: notice.at,
        kind: notice.kind.as_str().to_owned(),
        id: notice.id,
        title: notice.title,
        host: notice.host,
        record_kind: notice.record_kind,
        url: notice.url,
        reason: notice.reason,
    });
    Ok(NoticeFeed {
        title: app.config.title.clone(),
        key: format!("notices?{}", here.query().unwrap_or_default()),
        home,
        here,
        next,
        now: app.now(),
        items: items.collect(),
    })
}

/// Returns the public address of this server: the configured one, else that of the request.
fn public_address(app: &App, headers: &HeaderMap) -> Result<Url, Problem> {
    let asked = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    Url::parse(&app.config.public_url)
        .ok()
        .or_else(|| Url::parse(&format!("http://{}/", asked?)).ok())
        .ok_or_else(|| Problem::bad_request("Host", "The Host header is missing or not valid."))
}

/// Filters of the hosts.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct HostQuery {
    /// Words in the host name.
    #[param(inline)]
    q: ShortText<200>,
    #[param(inline)]
    sort: Option<HostOrder>,
    #[param(inline)]
    offset: Bounded<0, 0, 10_000_000>,
    #[param(inline)]
    limit: Bounded<50, 1, 500>,
}

/// Hosts.
#[derive(Debug, Serialize, ToSchema)]
struct Providers {
    total: u64,
    results: Vec<HostSummary>,
}

/// List hosts with the state of their services
#[utoipa::path(
    get, path = "/providers", tag = "monitoring", params(HostQuery),
    responses((status = 200, body = Providers), (status = 400, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn providers(
    State(app): State<App>,
    Query(query): Query<HostQuery>,
) -> Result<Json<Providers>, Problem> {
    let order = query.sort.unwrap_or_default();
    let answer = app.blocking(move |app| {
        let (results, total) =
            app.store.list_hosts(&query.q, order, query.offset.get(), query.limit.get())?;
        Ok(Providers { total, results })
    });
    answer.await.map(Json)
}

/// Report card of a host: what is broken, what is missing and how to fix it
#[utoipa::path(
    get, path = "/providers/{host}", tag = "monitoring", params(("host" = String, Path, description = "Name of a host")),
    responses((status = 200, body = HostReport), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn provider(State(app): State<App>, Path(host): Path<String>) -> Result<Json<HostReport>, Problem> {
    let answer = app.blocking(move |app| {
        let none = || Problem::not_found(format!("There are no records on host '{host}'."));
        app.store.host_report(&host, app.now())?.ok_or_else(none)
    });
    answer.await.map(Json)
}

/// The scoring rubric: weights, limits and bands
#[utoipa::path(
    get, path = "/scoring", tag = "monitoring", responses((status = 200, body = Rubric)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")))
)]
async fn scoring() -> Json<Rubric> {
    Json(score::current_rubric())
}
