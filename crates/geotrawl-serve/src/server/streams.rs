//! Ends event streams when the server stops; otherwise shutdown would wait for every subscriber.

use axum::body::{Body, BodyDataStream};
use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::Response;
use futures_util::StreamExt;
use tokio::sync::watch;

/// Ends event streams on shutdown.
pub(super) async fn end_streams_on_shutdown(
    State(mut stopping): State<watch::Receiver<bool>>,
    request: Request,
    next: Next,
) -> Response {
    let response = next.run(request).await;
    let media = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if !media.is_some_and(|media| media.starts_with("text/event-stream")) {
        return response;
    }
    response.map(|body: Body| {
        let events: BodyDataStream = body.into_data_stream();
        let stopped = async move {
            let _ = stopping.wait_for(|stop| *stop).await;
        };
        Body::from_stream(events.take_until(Box::pin(stopped)))
    })
}
