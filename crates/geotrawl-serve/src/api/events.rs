//! Live events: server-sent events with resume, and long polling.

use super::extract::{Bounded, Json, Query, SequenceNumber};
use super::tasks::{TaskId, require_visible};
use crate::auth::Caller;
use crate::live::{EventRoom, EventSubscription, format_event, is_streamed};
use crate::{App, Problem};
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use bytes::Bytes;
use geotrawl_model::StreamEvent;
use geotrawl_model::live::LiveFigures;
use geotrawl_model::task::JobId;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, timeout_at};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Interval of heartbeats, which keep proxies and clients from closing a silent stream.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Events of the gap read per query.
const AT_ONCE: usize = 500;
/// Minimum interval between two long polls that return live figures.
const LIVE_AFTER: Duration = Duration::from_secs(2);

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(of_task)).routes(routes!(poll)).routes(routes!(of_all))
}

/// Where to resume.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct EventStreamQuery {
    /// Number of the last event that the caller has; the header `Last-Event-ID` takes precedence.
    #[param(minimum = 0, value_type = Option<i64>)]
    after: Option<SequenceNumber>,
}

/// Where to resume, and how long to wait.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct EventPollQuery {
    /// Number of the last event that the caller has.
    #[param(minimum = 0, value_type = Option<i64>)]
    after: Option<SequenceNumber>,
    /// Maximum number of seconds to wait for a new event.
    #[serde(default)]
    #[param(inline)]
    wait: Bounded<25, 0, 55>,
}

/// An event.
#[derive(Debug, Serialize, ToSchema)]
struct EventView {
    seq: i64,
    /// `find` or `state`.
    event: String,
    #[schema(value_type = Object)]
    data: serde_json::Value,
}

/// New events.
#[derive(Debug, Serialize, ToSchema)]
struct EventList {
    events: Vec<EventView>,
    live: Option<LiveFigures>,
    /// Value of `after` for the next request.
    next: i64,
}

fn resume_position(headers: &HeaderMap, after: &EventStreamQuery) -> Option<i64> {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let last = last.and_then(|text| text.trim().parse::<i64>().ok()).filter(|seq| *seq >= 0);
    last.or(after.after.map(|seq| seq.get() as i64))
}

/// Stream the events of a task: `hello`, `find`, `state`, `live`
#[utoipa::path(get, path = "/tasks/{id}/events", tag = "events", params(("id" = i64, Path), EventStreamQuery),
    responses((status = 200, content_type = "text/event-stream", body = String), (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 429, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")), ("x-stream" = json!(true))))]
async fn of_task(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    TaskId(id): TaskId,
    Query(after): Query<EventStreamQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let after = resume_position(&headers, &after);
    let job = app.blocking(move |app| require_visible(app, &caller, id)).await?;
    let watcher = app.live.subscribe(EventRoom::Task(id), Some(&job)).ok_or_else(too_many_streams)?;
    Ok(stream(app, watcher, after, EventScope::Task(id)))
}

/// Stream all events that the caller may see: `hello`, `find`, `state`, `catalogue`
#[utoipa::path(get, path = "/events", tag = "events", params(EventStreamQuery),
    responses((status = 200, content_type = "text/event-stream", body = String), (status = 400, body = Problem),
        (status = 429, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read")), ("x-stream" = json!(true))))]
async fn of_all(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Query(after): Query<EventStreamQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let after = resume_position(&headers, &after);
    let room = match &caller.user {
        _ if caller.is_admin() => EventRoom::All,
        Some(user) => EventRoom::User(user.id),
        None => EventRoom::Public,
    };
    let watcher = app.live.subscribe(room, None).ok_or_else(too_many_streams)?;
    Ok(stream(app, watcher, after, EventScope::All(Box::new(caller))))
}

fn too_many_streams() -> Problem {
    Problem::too_many_requests(30, "Too many event streams are open. Try again later.")
}

/// Which events a stream may contain.
#[derive(Clone)]
enum EventScope {
    Task(JobId),
    All(Box<Caller>),
}

/// Returns the visible events after a number, and the number up to which events were read.
fn gap(app: &App, source: &EventScope, after: i64) -> Result<(Vec<StreamEvent>, Option<i64>), Problem> {
    match source {
        EventScope::Task(id) => {
            let events = app.store.task_events(*id, after, AT_ONCE)?;
            let last = events.last().map(|event| event.seq);
            Ok((events, last))
        }
        EventScope::All(caller) => {
            let mut events = app.store.list_events(after, None, AT_ONCE)?;
            let last = events.last().map(|event| event.seq);
            let mut may = std::collections::HashMap::new();
            let mut kept = Vec::new();
            for event in events.drain(..).filter(is_streamed) {
                let Some(task) = event.task else { continue };
                if *may.entry(task).or_insert_with(|| require_visible(app, caller, task).is_ok()) {
                    kept.push(event);
                }
            }
            Ok((kept, last))
        }
    }
}

/// Builds the stream: first the events that the caller missed, then new ones, until the client or
/// the server stops.
fn stream(app: App, mut watcher: EventSubscription, after: Option<i64>, source: EventScope) -> Response {
    let events = async_stream::stream! {
        // Subscribe before reading the store, so that no event is lost in between.
        let now = app.blocking(|app| Ok(app.store.last_event()?)).await;
        let Ok(now) = now else { return };
        // A number from another store or from the future: nothing to resume.
        let mut last = after.unwrap_or(now).min(now);
        yield Ok::<Bytes, Infallible>(format!("retry: 1000\nevent: hello\ndata: {{\"seq\":{last}}}\n\n").into());
        // Events before the follower's start are only in the store, later ones arrive as frames.
        watcher.wait_for_follower().await;
        loop {
            let (from, place) = (last, source.clone());
            let Ok((missed, up_to)) = app.blocking(move |app| gap(app, &place, from)).await else { return };
            for event in &missed {
                yield Ok(format_event(event));
            }
            match up_to {
                Some(seq) => last = seq,
                None => break,
            }
        }
        // The rest of the stream does not need the state.
        drop(app);
        drop(source);
        let mut beat = Instant::now() + HEARTBEAT;
        loop {
            let next = tokio::select! {
                next = timeout_at(beat, watcher.frames.recv()) => next,
                _ = watcher.closing.wait_for(|closing| *closing) => return,
            };
            match next {
                Ok(Ok(frame)) => {
                    if let Some(bytes) = frame.events_after(last) {
                        yield Ok(bytes);
                    }
                    last = frame.last_number().map_or(last, |seq| seq.max(last));
                    beat = Instant::now() + HEARTBEAT;
                }
                // The client is too slow: let it reconnect and read the gap from the store.
                Ok(Err(RecvError::Lagged(_))) => {
                    yield Ok(Bytes::from_static(b"retry: 500\n\n"));
                    return;
                }
                Ok(Err(RecvError::Closed)) => return,
                Err(_elapsed) => {
                    yield Ok(Bytes::from_static(b": still here\n\n"));
                    beat = Instant::now() + HEARTBEAT;
                }
            }
        }
    };
    let mut response = Response::new(Body::from_stream(events));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // nginx would buffer the stream otherwise.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// Wait for new events, for clients that cannot keep a stream open
#[utoipa::path(get, path = "/tasks/{id}/events/poll", tag = "events", params(("id" = i64, Path), EventPollQuery),
    responses((status = 200, body = EventList), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 429, body = Problem)),
    extensions(("x-needs" = json!("guest")), ("x-scope" = json!("read"))))]
async fn poll(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    TaskId(id): TaskId,
    Query(EventPollQuery { after, wait }): Query<EventPollQuery>,
) -> Result<Json<EventList>, Problem> {
    let (wait, after) = (wait.get(), after.map(|seq| seq.get() as i64));
    let job = app.blocking(move |app| require_visible(app, &caller, id)).await?;
    let mut watcher = app.live.subscribe(EventRoom::Task(id), Some(&job)).ok_or_else(too_many_streams)?;
    let now = app.blocking(|app| Ok(app.store.last_event()?)).await?;
    let after = after.unwrap_or(now).min(now);
    watcher.wait_for_follower().await;
    let (started, until) = (Instant::now(), Instant::now() + Duration::from_secs(wait));
    loop {
        let news = app
            .blocking(move |app| {
                let events = app.store.task_events(id, after, AT_ONCE)?;
                let run = app.store.find_job(id)?.and_then(|job| job.run);
                let live = run.map(|run| app.store.live_figures(&[run])).transpose()?.unwrap_or_default();
                let next = events.last().map_or(after, |event| event.seq);
                let events = events.into_iter().map(|event| EventView {
                    seq: event.seq,
                    event: event.kind,
                    data: event.body,
                });
                let live = live.into_iter().next();
                Ok(EventList { events: events.collect(), live, next })
            })
            .await?;
        let over = Instant::now() >= until || *watcher.closing.borrow();
        if over || !news.events.is_empty() || (news.live.is_some() && started.elapsed() >= LIVE_AFTER) {
            return Ok(Json(news));
        }
        // Any frame is a reason to look; further frames of a burst are ignored.
        let first = tokio::select! {
            first = timeout_at(until, watcher.frames.recv()) => first,
            _ = watcher.closing.wait_for(|closing| *closing) => continue,
        };
        if matches!(first, Ok(Err(RecvError::Closed))) {
            return Ok(Json(news));
        }
        while watcher.frames.try_recv().is_ok() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::BACKLOG;
    use crate::outbound::DisabledClient;
    use geotrawl_index::{CatalogueIndex, IndexOptions};
    use geotrawl_store::EmbeddedStore;
    use std::sync::Arc;

    #[tokio::test]
    async fn a_watcher_that_falls_behind_is_sent_away_to_resume() {
        let data = tempfile::tempdir().unwrap();
        let store = Arc::new(EmbeddedStore::open(data.path()).unwrap());
        let index = CatalogueIndex::open(&data.path().join("index"), &IndexOptions::default()).unwrap();
        let app = App::new(store.clone(), Arc::new(index), Arc::default(), Arc::new(DisabledClient));
        let follower = tokio::spawn(app.live.clone().follow_store(store));
        let mut watcher = app.live.subscribe(EventRoom::Public, None).unwrap();
        watcher.wait_for_follower().await;
        // Nobody reads while these frames arrive.
        app.live.send_frames(EventRoom::Public, BACKLOG + 10);
        let caller = Caller { user: None, session: None, scopes: None, address: None };
        let body = stream(app.clone(), watcher, Some(0), EventScope::All(Box::new(caller))).into_body();
        let text = axum::body::to_bytes(body, 10 << 20).await.unwrap();
        let text = String::from_utf8_lossy(&text);
        assert!(text.contains("event: hello\ndata: {\"seq\":0}"), "{text}");
        assert!(text.ends_with("retry: 500\n\n"), "it is told to come back soon: {text}");
        assert_eq!(text.matches("event: live").count(), 0, "and given nothing with a gap in it");
        assert_eq!(app.live.watcher_count(), 0, "its place is free again");
        app.live.close();
        follower.await.unwrap();
    }
}
