//! One page of one engine: kept, or asked for within quota and pause.

use super::answer;
use super::config::ConfiguredEngine;
use super::engine::{KeyPlace, PageQuery, ResultPage, WebEngine};
use super::fault::{EngineErrorClass, SearchEngineError};
use crate::fetch::{FetchConfig, FetchRequest, GuardedClient, RedirectPolicy};
use geotrawl_model::StoreError;
use geotrawl_model::search_engine::{QuotaPeriod, SearchPermit};
use geotrawl_model::store::SearchEngineStore;
use http::{HeaderName, HeaderValue};
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// No page of results is larger.
const MOST_BYTES: u64 = 4 << 20;
/// On top of the time for an answer: looking the name up, waiting for our turn.
const SLACK: Duration = Duration::from_secs(30);
/// JSON is wanted; HTML is named because SearXNG takes those for bots who do not.
const ACCEPT: &str = "application/json, text/html;q=0.1, */*;q=0.1";

/// Tells the time of day.
pub(super) type SearchClock = dyn Fn() -> Timestamp + Send + Sync;

/// An engine on the web with the client that asks it.
#[derive(Clone)]
pub(super) struct EngineClient {
    pub store: Arc<dyn SearchEngineStore>,
    pub clock: Arc<SearchClock>,
}

/// A page, and whether it cost a request.
pub(super) struct PageAnswer {
    pub page: ResultPage,
    pub kept: bool,
}

/// Why there is no page.
pub(super) enum PageError {
    /// Nothing was sent.
    Unsent(SearchEngineError),
    /// A request was sent, and counted.
    Sent(SearchEngineError),
    Store(StoreError),
}

impl From<StoreError> for PageError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// How far one may go.
#[derive(Clone, Copy)]
pub(super) struct PageBounds {
    /// Kept answers may be used.
    pub kept: bool,
    /// Requests may be sent.
    pub send: bool,
    /// End of the whole search.
    pub deadline: Instant,
}

/// The client of an engine: it never repeats a request by itself, since each one costs, and only it may go to the
/// networks where this engine is.
pub(super) fn build_client(
    fetch: &FetchConfig,
    engine: &ConfiguredEngine,
) -> Result<GuardedClient, crate::fetch::TlsSetupError> {
    let mut fetch = fetch.clone();
    fetch.retries = 0;
    fetch.allow_nets.extend(engine.config.allow_net.iter().copied());
    // A host that rests is not waited for: the store knows, and others answer meanwhile.
    fetch.politeness.patience = fetch.politeness.patience.min(Duration::from_secs(5));
    GuardedClient::new(fetch)
}

impl EngineClient {
    /// One page. `Ok(None)`: nothing is kept and nothing may be sent.
    pub async fn fetch_page(
        &self,
        engine: &ConfiguredEngine,
        web: &dyn WebEngine,
        client: &GuardedClient,
        ask: &PageQuery<'_>,
        bounds: PageBounds,
    ) -> Result<Option<PageAnswer>, PageError> {
        if let Some(missing) = engine.missing_setting() {
            return Err(PageError::Unsent(SearchEngineError::new(EngineErrorClass::NotConfigured, missing)));
        }
        let Some(base) = engine.base_url() else { return Ok(None) };
        let url = web.build_url(base, &engine.config, ask).map_err(PageError::Unsent)?;
        let name = &engine.name;
        let since = (self.clock)() - engine.retention();
        if bounds.kept
            && let Some(kept) = self.store.find_cached_response(name, url.as_str(), since)?
            // What an earlier version kept in another shape is asked for anew.
            && let Ok(page) = serde_json::from_str::<ResultPage>(&kept)
        {
            return Ok(Some(PageAnswer { page, kept: true }));
        }
        if !bounds.send {
            return Ok(None);
        }
        self.turn(engine, bounds.deadline).await?;
        let key = engine.key.as_ref().map(super::Secret::reveal);
        let answer = send(client, engine, url.clone(), key, ask, (self.clock)(), web).await;
        let now = (self.clock)();
        match answer {
            Ok(page) => {
                self.store.record_engine_success(name)?;
                if let Ok(body) = serde_json::to_string(&page) {
                    self.store.cache_response(name, url.as_str(), &body, now, since)?;
                }
                Ok(Some(PageAnswer { page, kept: false }))
            }
            Err(fault) => {
                let fault = fault.redact(key);
                self.store.record_engine_failure(
                    name,
                    fault.class.as_str(),
                    &fault.message,
                    fault.rest,
                    now,
                )?;
                Err(PageError::Sent(fault))
            }
        }
    }

    /// Waits until a request may be sent, and counts it.
    async fn turn(&self, engine: &ConfiguredEngine, deadline: Instant) -> Result<(), PageError> {
        let allowance = engine.allowance();
        loop {
            let now = (self.clock)();
            let fault = match self.store.request_permit(&engine.name, &allowance, now)? {
                SearchPermit::Granted => return Ok(()),
                SearchPermit::Later(at) => {
                    let wait = Duration::try_from(at.duration_since(now)).unwrap_or_default();
                    if Instant::now() + wait <= deadline {
                        // At least a little, so that a clock that stands still does not spin.
                        tokio::time::sleep(wait.max(Duration::from_millis(1))).await;
                        continue;
                    }
                    SearchEngineError::new(
                        EngineErrorClass::Time,
                        "The time for the search is over before all questions were asked; what was answered is kept, \
                         so asking again goes on here",
                    )
                }
                SearchPermit::Resting { until, why } => SearchEngineError::new(
                    EngineErrorClass::Resting,
                    format!("It is left alone until {} because of an earlier answer: {why}", minute(until)),
                ),
                SearchPermit::Spent { period, quota, free } => {
                    let (span, setting) = match period {
                        QuotaPeriod::Day => ("24 hours", "quota_per_day"),
                        QuotaPeriod::Month => ("31 days", "quota_per_month"),
                    };
                    let free = free.map_or_else(
                        || "it is switched off".to_owned(),
                        |free| format!("the next is free at {}", minute(free)),
                    );
                    SearchEngineError::new(
                        EngineErrorClass::Quota,
                        format!(
                            "The quota of {quota} requests in {span} is spent, {free}; raise `{setting}` in \
                             [engines.{}] if your plan allows more",
                            engine.name
                        ),
                    )
                }
            };
            return Err(PageError::Unsent(fault));
        }
    }
}

/// To the minute, in UTC.
fn minute(at: Timestamp) -> String {
    let text = at.to_string();
    format!("{} UTC", text.get(..16).unwrap_or(&text).replace('T', " "))
}

async fn send(
    client: &GuardedClient,
    engine: &ConfiguredEngine,
    mut url: url::Url,
    key: Option<&str>,
    ask: &PageQuery<'_>,
    now: Timestamp,
    web: &dyn WebEngine,
) -> Result<ResultPage, SearchEngineError> {
    let mut extra_headers = Vec::new();
    let language = ask.language.unwrap_or("en");
    if let Ok(value) = HeaderValue::from_str(language) {
        extra_headers.push((http::header::ACCEPT_LANGUAGE, value));
    }
    match (engine.doc.key, key) {
        (KeyPlace::Param(name), Some(key)) => {
            url.query_pairs_mut().append_pair(name, key);
        }
        (KeyPlace::Header(name), Some(key)) => {
            let mut value = HeaderValue::from_str(key.trim()).map_err(|_invalid| {
                SearchEngineError::new(
                    EngineErrorClass::Key,
                    "The key holds characters that no key has; check it",
                )
            })?;
            value.set_sensitive(true);
            extra_headers.push((HeaderName::from_static(name), value));
        }
        _ => {}
    }
    let request = FetchRequest {
        accept: ACCEPT,
        extra_headers,
        redirects: RedirectPolicy::Manual,
        // An interface for programs, whose owner gave us the key or which is our own.
        check_robots: false,
        deadline: Some(engine.timeout()),
        ..FetchRequest::new(url, MOST_BYTES)
    };
    let asked = tokio::time::timeout(engine.timeout() + SLACK, async {
        let fetched = client.fetch(request).await;
        let body = match fetched.outcome {
            Ok(reader) => reader.collect(MOST_BYTES).await,
            Err(failure) => return Err(SearchEngineError::from_fetch_error(&failure)),
        };
        if let Some(failure) = &body.truncated {
            return Err(SearchEngineError::from_fetch_error(failure));
        }
        answer::parse_response(web, fetched.head.status, &fetched.headers, &body.bytes, now)
    });
    asked.await.unwrap_or_else(|_elapsed| {
        Err(SearchEngineError::new(
            EngineErrorClass::Timeout,
            format!("No answer within {} s; try again later", (engine.timeout() + SLACK).as_secs()),
        ))
    })
}
