//! Health, readiness and metrics endpoints of processes without an API: workers and monitors.

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

/// Returns the current figures of a worker.
pub type WorkerFiguresSource = dyn Fn() -> WorkerFigures + Send + Sync;
/// Checks that the store can be read.
pub type ReadinessCheck = dyn Fn() -> geotrawl_model::store::Result<()> + Send + Sync;

/// State of the health endpoints.
#[derive(Clone)]
pub struct HealthState {
    pub ready: Arc<ReadinessCheck>,
    pub figures: MetricsSource,
}

/// Source of the metrics.
#[derive(Clone)]
pub enum MetricsSource {
    Worker(Arc<WorkerFiguresSource>),
    /// Checks made so far, and the schedule.
    Monitor(Arc<CheckCounter>, Arc<ScheduleSource>),
}

/// Reads the schedule of checks.
pub type ScheduleSource =
    dyn Fn() -> geotrawl_model::store::Result<geotrawl_model::host_report::Overview> + Send + Sync;

/// Builds the router for `/healthz`, `/readyz` and `/metrics`.
pub fn router(probes: HealthState) -> Router {
    Router::new()
        .route("/healthz", get(async || "alive\n"))
        .route("/readyz", get(readyz))
        .route("/metrics", get(figures))
        .with_state(probes)
}

/// Serves the health endpoints until `shutdown`.
pub async fn serve_health(
    probes: HealthState,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) {
    if let Err(error) = axum::serve(listener, router(probes)).with_graceful_shutdown(shutdown).await {
        tracing::error!("the health endpoint failed: {error}");
    }
}

/// Reports whether the store can be read.
async fn readyz(State(probes): State<HealthState>) -> Response {
    match tokio::task::spawn_blocking(move || (probes.ready)()).await {
        Ok(Ok(())) => "ready\n".into_response(),
        Ok(Err(_)) | Err(_) => {
            (StatusCode::SERVICE_UNAVAILABLE, "the store is unavailable\n").into_response()
        }
    }
}

async fn figures(State(probes): State<HealthState>) -> Response {
    let told = tokio::task::spawn_blocking(move || match &probes.figures {
        MetricsSource::Worker(figures) => metrics::render_worker_metrics(&figures()),
        // The metrics of the process itself do not need the store.
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
