//! Everything we answer: the API, accounts, live events, and the web application.
//!
//! A request passes, in order: limits ([`limits`]), who is asking ([`auth`]), what the route needs (declared with
//! the route, see [`api`]), the handler. Failures become problem documents in one place ([`problem`]).

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

/// Takes over the trace that headers name.
pub type TraceAdopter = dyn Fn(&tracing::Span, &axum::http::HeaderMap) + Send + Sync;

/// What every handler shares; cheap to clone.
#[derive(Clone)]
pub struct App {
    pub store: Arc<dyn Store>,
    pub index: Arc<CatalogueIndex>,
    pub config: Arc<ServeConfig>,
    /// The guarded client, for the proxy and OpenID Connect.
    pub outbound: Arc<dyn OutboundClient>,
    pub live: Arc<live::EventHub>,
    pub auth: Arc<auth::AuthState>,
    /// Told when a person asks for a check; `None` where no monitor runs beside this server.
    pub monitor: Option<Arc<tokio::sync::Notify>>,
    /// Whether e-mail can be sent.
    pub mail: bool,
    /// Search engines that tasks may ask for seeds; none unless the program sets them.
    pub engines: Arc<dyn EngineDirectory>,
    /// Orderings of tasks that people look at.
    pub orderings: Arc<orderings::TaskRankingCache>,
    /// Checks made beside this server.
    pub checks: Arc<metrics::CheckCounter>,
    /// What the worker beside this server has done; `None` where none runs.
    pub worker: Option<Arc<health::WorkerFiguresSource>>,
    /// Vocabularies that records are labelled with; `None`: the built-in ones.
    pub vocabularies: Option<Arc<geotrawl_themes::Themes>>,
    /// Answers by class of their status.
    pub served: Arc<metrics::ResponseCounter>,
    /// The files of archive collections; `None` where none are kept.
    pub shelf: Option<Arc<geotrawl_archive::shelf::CollectionFiles>>,
    /// Makes a request a part of the trace that its headers name; `None` where nobody traces.
    pub adopt: Option<Arc<TraceAdopter>>,
    /// Tells the time; tests drive it.
    pub clock: Arc<dyn Fn() -> jiff::Timestamp + Send + Sync>,
}

impl App {
    /// An application with the system's clock.
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

    /// The time.
    pub fn now(&self) -> jiff::Timestamp {
        (self.clock)()
    }

    /// Runs work on the store or index away from the threads that answer.
    pub async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        // What is logged there is about the same request.
        let (app, span) = (self.clone(), tracing::Span::current());
        match tokio::task::spawn_blocking(move || span.in_scope(|| work(&app))).await {
            Ok(outcome) => outcome,
            Err(error) => Err(Problem::internal(&format!("a piece of work broke off: {error}"))),
        }
    }
}
