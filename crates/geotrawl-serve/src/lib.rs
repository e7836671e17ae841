//! The server: API, accounts, live events, catalogue standards and the web application.
//!
//! A request passes, in order: rate limits ([`limits`]), authentication ([`auth`]), the access
//! requirements declared with its route (see [`api`]), and the handler. Errors become problem
//! documents in one place ([`problem`]).

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod api;
pub mod assets;
pub mod auth;
pub mod badge;
pub mod config;
pub mod engines;
pub mod feeds;
pub mod health;
pub mod limits;
pub mod live;
pub mod metrics;
pub mod orderings;
pub mod outbound;
pub mod problem;
pub mod replay;
pub mod server;
pub mod settings;
pub mod standards;

pub use config::ServeConfig;
pub use engines::{EngineDirectory, EngineInfo};
pub use outbound::OutboundClient;
pub use problem::Problem;

use geotrawl_index::CatalogueIndex;
use geotrawl_model::store::Store;
use std::sync::Arc;

/// Continues the trace that the request headers name.
pub type TraceAdopter = dyn Fn(&tracing::Span, &axum::http::HeaderMap) + Send + Sync;

/// State shared by all handlers; cheap to clone.
#[derive(Clone)]
pub struct App {
    pub store: Arc<dyn Store>,
    pub index: Arc<CatalogueIndex>,
    pub config: Arc<ServeConfig>,
    /// The guarded HTTP client, for the proxy and OpenID Connect.
    pub outbound: Arc<dyn OutboundClient>,
    pub live: Arc<live::EventHub>,
    pub auth: Arc<auth::AuthState>,
    /// Notified when a user requests a check; `None` if no monitor runs in this process.
    pub monitor: Option<Arc<tokio::sync::Notify>>,
    /// Whether e-mail can be sent.
    pub mail: bool,
    /// Search engines that tasks can query for seeds; empty unless the program sets them.
    pub engines: Arc<dyn EngineDirectory>,
    /// Recently used rankings of tasks.
    pub orderings: Arc<orderings::TaskRankingCache>,
    /// Counter of the checks made in this process.
    pub checks: Arc<metrics::CheckCounter>,
    /// Figures of the worker in this process; `None` if none runs.
    pub worker: Option<Arc<health::WorkerFiguresSource>>,
    /// Vocabularies used for theme labels; `None`: the built-in ones.
    pub vocabularies: Option<Arc<geotrawl_themes::Themes>>,
    /// Responses by status class.
    pub served: Arc<metrics::ResponseCounter>,
    /// Files of archive collections; `None` if no archive is kept.
    pub shelf: Option<Arc<geotrawl_archive::collection_files::CollectionFiles>>,
    /// Attaches a request to the trace that its headers name; `None` if tracing is off.
    pub adopt: Option<Arc<TraceAdopter>>,
    /// Clock; tests replace it.
    pub clock: Arc<dyn Fn() -> jiff::Timestamp + Send + Sync>,
}

impl App {
    /// Creates the state with the system clock.
    pub fn new(
        store: Arc<dyn Store>,
        index: Arc<CatalogueIndex>,
        config: Arc<ServeConfig>,
        outbound: Arc<dyn OutboundClient>,
    ) -> Self {
        Self {
            store,
            index,
            config,
            outbound,
            live: Arc::default(),
            auth: Arc::default(),
            monitor: None,
            mail: false,
            engines: Arc::new(Vec::<EngineInfo>::new()),
            orderings: Arc::default(),
            checks: Arc::default(),
            worker: None,
            vocabularies: None,
            served: Arc::default(),
            shelf: None,
            adopt: None,
            clock: Arc::new(jiff::Timestamp::now),
        }
    }

    /// Returns the current time.
    pub fn now(&self) -> jiff::Timestamp {
        (self.clock)()
    }

    /// Runs blocking work on the store or index outside of the async threads.
    pub async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        // Keep the current span, so that log lines of the work name the request.
        let (app, span) = (self.clone(), tracing::Span::current());
        match tokio::task::spawn_blocking(move || span.in_scope(|| work(&app))).await {
            Ok(outcome) => outcome,
            Err(error) => Err(Problem::internal(&format!("a blocking task failed: {error}"))),
        }
    }
}
