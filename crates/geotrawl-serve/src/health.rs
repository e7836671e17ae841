//! Health, readiness and figures of a process that answers nothing else: a worker, a monitor.

use crate::metrics::{self, CheckCounter};
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use geotrawl_model::live::WorkerFigures;
use std::future::Future;
use std::sync::Arc;
use tokio::net::TcpListener;

/// Tells what a worker has done so far.
pub type WorkerFiguresSource = dyn Fn() -> WorkerFigures + Send + Sync;
/// Asks the store for something small.
pub type ReadinessCheck = dyn Fn() -> geotrawl_model::store::Result<()> + Send + Sync;

/// What is told.
#[derive(Clone)]
pub struct HealthState {
    pub ready: Arc<ReadinessCheck>,
    pub figures: MetricsSource,
}

/// Whose figures.
#[derive(Clone)]
pub enum MetricsSource {
    Worker(Arc<WorkerFiguresSource>),
    /// Checks that were made, and how much there is to do.
    Monitor(Arc<CheckCounter>, Arc<ScheduleSource>),
}

/// Reads the schedule.
pub type ScheduleSource =
    dyn Fn() -> geotrawl_model::store::Result<geotrawl_model::host_report::Overview> + Send + Sync;

/// `/healthz`, `/readyz` and `/metrics`.
pub fn router(probes: HealthState) -> Router {
    Router::new()
        .route("/healthz", get(async || "alive\n"))
        .route("/readyz", get(readyz))
        .route("/metrics", get(figures))
        .with_state(probes)
}

/// Answers until `shutdown`.
pub async fn serve_health(
    probes: HealthState,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) {
    if let Err(error) = axum::serve(listener, router(probes)).with_graceful_shutdown(shutdown).await {
        tracing::error!("health is not told any more: {error}");
    }
}

/// Whether the store can be read.
async fn readyz(State(probes): State<HealthState>) -> Response {
    match tokio::task::spawn_blocking(move || (probes.ready)()).await {
        Ok(Ok(())) => "ready\n".into_response(),
        Ok(Err(_)) | Err(_) => {
            (StatusCode::SERVICE_UNAVAILABLE, "the store cannot be read\n").into_response()
        }
    }
}

async fn figures(State(probes): State<HealthState>) -> Response {
    let told = tokio::task::spawn_blocking(move || match &probes.figures {
        MetricsSource::Worker(figures) => metrics::render_worker_metrics(&figures()),
        // Without a store there still are those of the process.
        MetricsSource::Monitor(checks, schedule) => {
            metrics::render_monitor_metrics(checks, schedule().ok().as_ref())
        }
    });
    match told.await {
        Ok(text) => ([(header::CONTENT_TYPE, metrics::TEXT)], text).into_response(),
        Err(_broken) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::http::Request;
    use geotrawl_model::StoreError;
    use std::sync::atomic::{AtomicBool, Ordering};
    use tower::ServiceExt as _;

    #[tokio::test]
    async fn a_worker_is_alive_and_ready_while_the_store_is_there() {
        let there = Arc::new(AtomicBool::new(true));
        let asked = Arc::clone(&there);
        let router = router(HealthState {
            ready: Arc::new(move || {
                if asked.load(Ordering::SeqCst) {
                    return Ok(());
                }
                Err(StoreError::Unavailable { doing: "looking".into(), cause: "it is away".into() })
            }),
            figures: MetricsSource::Worker(Arc::new(|| WorkerFigures {
                hosts_on_loan: 7,
                ..WorkerFigures::default()
            })),
        });
        let status = async |path: &str| {
            let request = Request::get(path).body(Body::empty()).unwrap();
            router.clone().oneshot(request).await.unwrap().status().as_u16()
        };
        assert_eq!((status("/healthz").await, status("/readyz").await), (200, 200));
        assert_eq!(status("/metrics").await, 200);
        there.store(false, Ordering::SeqCst);
        assert_eq!((status("/healthz").await, status("/readyz").await), (200, 503));
    }
}
