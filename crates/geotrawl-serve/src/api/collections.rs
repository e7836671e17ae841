//! Archive collections: created, run, viewed as of a date, rolled back.

use super::collection_model::{
    CollectionList, CollectionView, HistoryView, ItemList, ItemView, NewCollection, NewNote, NoteList,
    ResultList, Rollback, RunList,
};
use super::extract::{Bounded, Json, JsonMembers, Path, Query};
use super::task_model::{may_change, may_see};
use crate::auth::Caller;
use crate::{App, Problem};
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use geotrawl_archive::collection_files::{self, CollectionFiles};
use geotrawl_archive::ranked::{self, ListedResult};
use geotrawl_model::account::NewAuditEntry;
use geotrawl_model::archived_page::ArchiveNote;
use geotrawl_model::collection::{ArchiveRun, Collection, CollectionSpec, RunState, validate_acronym};
use geotrawl_store::collection_rules::check_collection;
use jiff::Timestamp;
use serde::Deserialize;
use std::io::Write as _;
use std::sync::Arc;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Maximum number of collections per user.
const MOST_OWN: usize = 100;

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(one, change, remove))
        .routes(routes!(run))
        .routes(routes!(runs))
        .routes(routes!(results))
        .routes(routes!(ranked_page))
        .routes(routes!(items))
        .routes(routes!(history))
        .routes(routes!(rollback))
        .routes(routes!(notes, add_note))
        .routes(routes!(didl))
}

/// Returns the collection if the caller may see it; hidden collections look like missing ones.
fn require_visible(app: &App, caller: &Caller, acronym: &str) -> Result<Collection, Problem> {
    let found = app.store.find_collection(acronym)?;
    let found = found.filter(|found| may_see(caller, found.owner, found.spec.public));
    found.ok_or_else(|| Problem::not_found("There is no such collection."))
}

fn require_owned(app: &App, caller: &Caller, acronym: &str) -> Result<Collection, Problem> {
    let found = require_visible(app, caller, acronym)?;
    if may_change(caller, found.owner) {
        Ok(found)
    } else {
        Err(Problem::forbidden("Only the owner of a collection or an admin can change it."))
    }
}

/// Returns the files of collections, or a problem if this server keeps no archive.
pub(crate) fn require_shelf(app: &App) -> Result<Arc<CollectionFiles>, Problem> {
    app.shelf.clone().ok_or_else(|| Problem::not_found("This server has no archive."))
}

fn check(app: &App, spec: &CollectionSpec) -> Result<(), Problem> {
    check_collection(spec, app.now())
        .map_err(|(member, message)| Problem::unprocessable(member, format!("{message}.")))?;
    for (member, values) in [("pages", &spec.pages), ("about", &spec.about)] {
        for value in values {
            let refused = match url::Url::parse(value) {
                Ok(url) => app.outbound.check_url(&url).err(),
                Err(error) => Some(error.to_string()),
            };
            if let Some(reason) = refused {
                return Err(Problem::unprocessable(
                    member,
                    format!("{value} must not be requested: {reason}"),
                ));
            }
        }
    }
    let known = app.engines.list_engines()?;
    match spec.engines.iter().find(|name| !known.iter().any(|one| one.name == **name)) {
        Some(name) => Err(Problem::unprocessable(
            "engines",
            format!("This server has no search engine named '{name}'."),
        )),
        None => Ok(()),
    }
}

fn audit(app: &App, caller: &Caller, action: &str, acronym: &str) -> Result<(), Problem> {
    let entry = NewAuditEntry {
        user: caller.user.as_ref().map(|user| user.id),
        who: caller.audit_name().to_owned(),
        action: action.to_owned(),
        subject: format!("collection {acronym}"),
        address: caller.address.map(|address| address.to_string()),
        detail: serde_json::Value::Null,
    };
    Ok(app.store.add_audit_entry(&entry, app.now())?)
}

fn moment(name: &str, text: Option<&str>) -> Result<Option<Timestamp>, Problem> {
    let Some(text) = text else { return Ok(None) };
    let read = collection_files::parse_replay_time(text).map(|(at, _)| at);
    read.map(Some).ok_or_else(|| {
        Problem::bad_request(
            name,
            format!("{name} must be a time such as 2026-11-16T10:00:00Z or 20261116100000."),
        )
    })
}

/// List the collections that the caller may see
#[utoipa::path(get, path = "/collections", tag = "archive", operation_id = "list_collections",
    responses((status = 200, body = CollectionList)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn list(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<CollectionList>, Problem> {
    let list = app.blocking(move |app| {
        let all = app.store.list_collections()?;
        let seen = all.iter().filter(|found| may_see(&caller, found.owner, found.spec.public));
        let results: Vec<CollectionView> =
            seen.map(|found| CollectionView::from_collection(found, &caller)).collect();
        Ok(CollectionList { total: results.len() as u64, results })
    });
    list.await.map(Json)
}

/// Create a collection
#[utoipa::path(post, path = "/collections", tag = "archive", operation_id = "create_collection",
    request_body = NewCollection,
    responses((status = 201, body = CollectionView), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 409, body = Problem), (status = 422, body = Problem)),
    extensions(("x-needs" = json!("user")), ("x-scope" = json!("tasks"))))]
async fn create(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    JsonMembers(mut members): JsonMembers,
) -> Result<(StatusCode, Json<CollectionView>), Problem> {
    let Some(serde_json::Value::String(acronym)) = members.remove("acronym") else {
        return Err(Problem::unprocessable("acronym", "Collections need an acronym."));
    };
    let run = matches!(members.remove("run"), Some(serde_json::Value::Bool(true)));
    validate_acronym(&acronym).map_err(|message| Problem::unprocessable("acronym", format!("{message}.")))?;
    let spec = JsonMembers(members).parse::<CollectionSpec>()?;
    let made = app.blocking(move |app| {
        let owner = caller.require_user()?.id;
        check(app, &spec)?;
        if app.store.list_collections()?.iter().filter(|found| found.owner == Some(owner)).count() >= MOST_OWN
        {
            return Err(Problem::conflict(format!(
                "You already have {MOST_OWN} collections; delete some first."
            )));
        }
        let made = app.store.add_collection(&acronym, Some(owner), &spec, app.now())?;
        let made =
            made.ok_or_else(|| Problem::conflict(format!("A collection '{acronym}' already exists.")))?;
        audit(app, &caller, "collection-create", &acronym)?;
        if run {
            app.store.request_archive_run(made.id)?;
        }
        Ok(CollectionView::from_collection(&require_visible(app, &caller, &acronym)?, &caller))
    });
    made.await.map(|made| (StatusCode::CREATED, Json(made)))
}

/// Get a collection
#[utoipa::path(get, path = "/collections/{acronym}", tag = "archive", operation_id = "one_collection",
    params(("acronym" = String, Path)),
    responses((status = 200, body = CollectionView), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn one(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(acronym): Path<String>,
) -> Result<Json<CollectionView>, Problem> {
    let found = app.blocking(move |app| {
        Ok(CollectionView::from_collection(&require_visible(app, &caller, &acronym)?, &caller))
    });
    found.await.map(Json)
}

/// Change the specification of a collection; absent members stay as they are
#[utoipa::path(patch, path = "/collections/{acronym}", tag = "archive", operation_id = "change_collection",
    params(("acronym" = String, Path)), request_body = CollectionSpec,
    responses((status = 200, body = CollectionView), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem)),
    extensions(("x-needs" = json!("user")), ("x-scope" = json!("tasks"))))]
async fn change(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(acronym): Path<String>,
    JsonMembers(given): JsonMembers,
) -> Result<Json<CollectionView>, Problem> {
    let changed = app.blocking(move |app| {
        let found = require_owned(app, &caller, &acronym)?;
        let Ok(serde_json::Value::Object(mut members)) = serde_json::to_value(&found.spec) else {
            return Err(Problem::internal("cannot serialise a collection as JSON"));
        };
        members.extend(given);
        let spec = JsonMembers(members).parse::<CollectionSpec>()?;
        check(app, &spec)?;
        app.store.change_collection(found.id, &spec, app.now())?;
        audit(app, &caller, "collection-change", &acronym)?;
        Ok(CollectionView::from_collection(&require_visible(app, &caller, &acronym)?, &caller))
    });
    changed.await.map(Json)
}

/// Delete a collection with everything archived in it
#[utoipa::path(delete, path = "/collections/{acronym}", tag = "archive", operation_id = "remove_collection",
    params(("acronym" = String, Path)),
    responses((status = 204), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem)),
    extensions(("x-needs" = json!("user")), ("x-scope" = json!("tasks"))))]
async fn remove(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(acronym): Path<String>,
) -> Result<StatusCode, Problem> {
    let removed = app.blocking(move |app| {
        let found = require_owned(app, &caller, &acronym)?;
        if found.last_run.as_ref().is_some_and(|run| run.state == RunState::Running) {
            return Err(Problem::conflict("The collection is running. Wait until the run has finished."));
        }
        app.store.remove_collection(found.id)?;
        if let Some(shelf) = &app.shelf
            && let Err(error) = shelf.remove_collection(&found.acronym)
        {
            // The collection is gone from the store, so leftover files are only logged.
            tracing::error!("cannot delete the files of a removed collection: {error}");
        }
        audit(app, &caller, "collection-remove", &acronym)?;
        Ok(StatusCode::NO_CONTENT)
    });
    removed.await
}

/// Request a run, which a worker will execute
#[utoipa::path(post, path = "/collections/{acronym}/run", tag = "archive", operation_id = "run_collection",
    params(("acronym" = String, Path)),
    responses((status = 202, body = CollectionView), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem)),
    extensions(("x-needs" = json!("user")), ("x-scope" = json!("tasks"))))]
async fn run(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(acronym): Path<String>,
) -> Result<(StatusCode, Json<CollectionView>), Problem> {
    let asked = app.blocking(move |app| {
        let found = require_owned(app, &caller, &acronym)?;
        check(app, &found.spec)?;
        if !app.store.request_archive_run(found.id)? {
            return Err(Problem::conflict("A run of this collection is already waiting."));
        }
        audit(app, &caller, "collection-run", &acronym)?;
        Ok(CollectionView::from_collection(&require_visible(app, &caller, &acronym)?, &caller))
    });
    asked.await.map(|found| (StatusCode::ACCEPTED, Json(found)))
}

/// List the runs of a collection, newest first
#[utoipa::path(get, path = "/collections/{acronym}/runs", tag = "archive", operation_id = "collection_runs",
    params(("acronym" = String, Path)),
    responses((status = 200, body = RunList), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn runs(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(acronym): Path<String>,
) -> Result<Json<RunList>, Problem> {
    let runs = app.blocking(move |app| {
        let found = require_visible(app, &caller, &acronym)?;
        Ok(RunList { results: app.store.archive_runs(found.id, 1_000)?.iter().map(Into::into).collect() })
    });
    runs.await.map(Json)
}

/// Selects a run.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct RunQuery {
    /// Timestamp of the run; absent: the latest.
    #[param(max_length = 40)]
    run: Option<String>,
}

fn find_run(app: &App, collection: &Collection, which: &RunQuery) -> Result<Option<ArchiveRun>, Problem> {
    match moment("run", which.run.as_deref())? {
        None => Ok(collection.last_run.clone()),
        Some(at) => {
            let runs = app.store.archive_runs(collection.id, 10_000)?;
            let found = runs.into_iter().find(|run| run.at == at);
            found.map(Some).ok_or_else(|| Problem::not_found("There is no such run."))
        }
    }
}

/// List the ranked results of a run, also while it is running
#[utoipa::path(get, path = "/collections/{acronym}/results", tag = "archive", operation_id = "collection_results",
    params(("acronym" = String, Path), RunQuery),
    responses((status = 200, body = ResultList), (status = 400, body = Problem), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn results(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(acronym): Path<String>,
    Query(which): Query<RunQuery>,
) -> Result<Json<ResultList>, Problem> {
    let results = app.blocking(move |app| {
        let found = require_visible(app, &caller, &acronym)?;
        let run = find_run(app, &found, &which)?;
        let results =
            run.as_ref().map(|run| app.store.ranked_results(run.id)).transpose()?.unwrap_or_default();
        Ok(ResultList {
            run: run.as_ref().map(Into::into),
            results: results.into_iter().map(Into::into).collect(),
        })
    });
    results.await.map(Json)
}

/// Ranked results of a run as an HTML page that reloads itself while the run continues
#[utoipa::path(get, path = "/collections/{acronym}/ranked", tag = "archive", operation_id = "collection_ranked",
    params(("acronym" = String, Path), RunQuery),
    responses((status = 200, body = String, content_type = "text/html"), (status = 400, body = Problem),
        (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn ranked_page(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(acronym): Path<String>,
    Query(which): Query<RunQuery>,
) -> Result<Html<String>, Problem> {
    let page = app.blocking(move |app| {
        let found = require_visible(app, &caller, &acronym)?;
        let run = find_run(app, &found, &which)?;
        let results =
            run.as_ref().map(|run| app.store.ranked_results(run.id)).transpose()?.unwrap_or_default();
        let listed: Vec<ListedResult> = results.into_iter().map(ListedResult::from).collect();
        let at = run.as_ref().map(|run| run.at.to_string()).unwrap_or_default();
        let more = found.queued || run.is_some_and(|run| run.state == RunState::Running);
        Ok(ranked::render_page(&found.spec.title, &at, &listed, more))
    });
    page.await.map(Html)
}

/// Selects items.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ItemsQuery {
    /// State at this time; absent: now.
    #[param(max_length = 40)]
    as_of: Option<String>,
    #[serde(default)]
    #[param(inline)]
    offset: Bounded<0, 0, 10_000_000>,
    #[serde(default)]
    #[param(inline)]
    limit: Bounded<100, 1, 500>,
}

/// List the items of a collection as of a given time
#[utoipa::path(get, path = "/collections/{acronym}/items", tag = "archive", operation_id = "collection_items",
    params(("acronym" = String, Path), ItemsQuery),
    responses((status = 200, body = ItemList), (status = 400, body = Problem), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn items(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(acronym): Path<String>,
    Query(which): Query<ItemsQuery>,
) -> Result<Json<ItemList>, Problem> {
    let at = moment("as_of", which.as_of.as_deref())?;
    let items = app.blocking(move |app| {
        let found = require_visible(app, &caller, &acronym)?;
        let as_of = at.unwrap_or_else(|| app.now());
        let (items, total) = app.store.pages_as_of(found.id, as_of, which.offset.get(), which.limit.get())?;
        let results =
            items.into_iter().map(|item| ItemView::from_item(item, &found.acronym, as_of)).collect();
        Ok(ItemList { as_of, total, results })
    });
    items.await.map(Json)
}

/// Selects an item.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ItemQuery {
    /// URL of the item.
    #[param(max_length = 4_000)]
    url: String,
}

/// Get the history of an item
#[utoipa::path(get, path = "/collections/{acronym}/history", tag = "archive", operation_id = "collection_history",
    params(("acronym" = String, Path), ItemQuery),
    responses((status = 200, body = HistoryView), (status = 400, body = Problem), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn history(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(acronym): Path<String>,
    Query(which): Query<ItemQuery>,
) -> Result<Json<HistoryView>, Problem> {
    let history = app.blocking(move |app| {
        let found = require_visible(app, &caller, &acronym)?;
        let history = app.store.page_history(found.id, &which.url)?;
        history.map(HistoryView::from).ok_or_else(|| Problem::not_found("There is no such item."))
    });
    history.await.map(Json)
}

/// Make another version of an item current
#[utoipa::path(post, path = "/collections/{acronym}/rollback", tag = "archive", operation_id = "rollback_item",
    params(("acronym" = String, Path)), request_body = Rollback,
    responses((status = 200, body = HistoryView), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem)),
    extensions(("x-needs" = json!("user")), ("x-scope" = json!("tasks"))))]
async fn rollback(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(acronym): Path<String>,
    members: JsonMembers,
) -> Result<Json<HistoryView>, Problem> {
    let wish: Rollback = members.parse()?;
    if wish.note.chars().count() > 2_000 {
        return Err(Problem::unprocessable("note", "Use up to 2000 characters."));
    }
    let history = app.blocking(move |app| {
        let found = require_owned(app, &caller, &acronym)?;
        let who = caller.audit_name().to_owned();
        if !app.store.choose_version(found.id, &wish.url, wish.version, &who, &wish.note, app.now())? {
            return Err(Problem::not_found("There is no such version, or it has no content."));
        }
        audit(app, &caller, "collection-rollback", &acronym)?;
        let history = app.store.page_history(found.id, &wish.url)?;
        history.map(HistoryView::from).ok_or_else(|| Problem::not_found("There is no such item."))
    });
    history.await.map(Json)
}

/// List the notes on a collection and its items
#[utoipa::path(get, path = "/collections/{acronym}/notes", tag = "archive", operation_id = "collection_notes",
    params(("acronym" = String, Path)),
    responses((status = 200, body = NoteList), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn notes(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(acronym): Path<String>,
) -> Result<Json<NoteList>, Problem> {
    let notes = app.blocking(move |app| {
        let found = require_visible(app, &caller, &acronym)?;
        Ok(NoteList { results: app.store.archive_notes(found.id)?.into_iter().map(Into::into).collect() })
    });
    notes.await.map(Json)
}

/// Add a note
#[utoipa::path(post, path = "/collections/{acronym}/notes", tag = "archive", operation_id = "add_collection_note",
    params(("acronym" = String, Path)), request_body = NewNote,
    responses((status = 201, body = NoteList), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem)),
    extensions(("x-needs" = json!("user")), ("x-scope" = json!("tasks"))))]
async fn add_note(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(acronym): Path<String>,
    members: JsonMembers,
) -> Result<(StatusCode, Json<NoteList>), Problem> {
    let note: NewNote = members.parse()?;
    if note.text.trim().is_empty() || note.text.chars().count() > 10_000 {
        return Err(Problem::unprocessable("text", "Enter 1 to 10000 characters."));
    }
    let notes = app.blocking(move |app| {
        let found = require_owned(app, &caller, &acronym)?;
        if let Some(url) = &note.url
            && app.store.page_history(found.id, url)?.is_none()
        {
            return Err(Problem::unprocessable("url", "There is no such item."));
        }
        let kept = ArchiveNote {
            at: app.now(),
            who: caller.audit_name().to_owned(),
            url: note.url,
            text: note.text,
        };
        app.store.add_archive_note(found.id, &kept)?;
        Ok(NoteList { results: app.store.archive_notes(found.id)?.into_iter().map(Into::into).collect() })
    });
    notes.await.map(|notes| (StatusCode::CREATED, Json(notes)))
}

/// Get the complex object of a run (default: the latest) as MPEG-21 DIDL
#[utoipa::path(get, path = "/collections/{acronym}/didl", tag = "archive", operation_id = "collection_didl",
    params(("acronym" = String, Path), RunQuery),
    responses((status = 200, body = String, content_type = "application/xml"), (status = 400, body = Problem),
        (status = 404, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("download"))))]
async fn didl(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(acronym): Path<String>,
    Query(which): Query<RunQuery>,
    headers: axum::http::HeaderMap,
) -> Result<Response, Problem> {
    let at = moment("run", which.run.as_deref())?;
    let shelf = require_shelf(&app)?;
    let found = app.blocking(move |app| {
        let found = require_visible(app, &caller, &acronym)?;
        let object =
            collection_files::object_at(&*app.store, &found, at).map_err(crate::replay::shelf_problem)?;
        let object = object.ok_or_else(|| Problem::not_found("No run has created an object yet."))?;
        Ok((found, object))
    });
    let (found, object) = found.await?;
    let base = crate::replay::base_url(&app, &headers);
    let (pieces, mut arriving) = tokio::sync::mpsc::channel(8);
    let writing = app.clone();
    tokio::task::spawn_blocking(move || {
        let mut out = super::downloads::ChunkWriter::new(pieces.clone());
        let written = out
            .write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
            .map_err(collection_files::CollectionFilesError::from)
            .and_then(|()| {
                collection_files::write_object(&*writing.store, &shelf, &found, &object, &base, &mut out)
            });
        if let Err(error) = written.map(|_| ()).and_then(|()| Ok(out.flush()?)) {
            // Abort the transfer, so that nobody mistakes a partial object for a complete one.
            let _ = pieces.blocking_send(Err(std::io::Error::other(error.to_string())));
        }
    });
    let body = Body::from_stream(async_stream::stream! {
        while let Some(piece) = arriving.recv().await {
            yield piece;
        }
    });
    let mut answer = body.into_response();
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/xml"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(answer)
}
