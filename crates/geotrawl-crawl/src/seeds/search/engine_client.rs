//! Fetches one page of results from one engine: from the cache, or within its quota and rate.

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

/// Most bytes of a page of results.
const MOST_BYTES: u64 = 4 << 20;
/// Extra time on top of the timeout: name lookup and the wait for a slot.
const SLACK: Duration = Duration::from_secs(30);
/// JSON is preferred. SearXNG treats clients that do not accept HTML as bots.
const ACCEPT: &str = "application/json, text/html;q=0.1, */*;q=0.1";

/// Returns the time of day.
pub(super) type SearchClock = dyn Fn() -> Timestamp + Send + Sync;

/// Sends queries to engines on the web and keeps account of them in the store.
#[derive(Clone)]
pub(super) struct EngineClient {
    pub store: Arc<dyn SearchEngineStore>,
    pub clock: Arc<SearchClock>,
}

/// A page of results, and whether it came from the cache.
pub(super) struct PageAnswer {
    pub page: ResultPage,
    pub kept: bool,
}

/// Why there is no page.
pub(super) enum PageError {
    /// No request was sent.
    Unsent(SearchEngineError),
    /// A request was sent and counted.
    Sent(SearchEngineError),
    Store(StoreError),
}

impl From<StoreError> for PageError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Limits on how to get a page.
#[derive(Clone, Copy)]
pub(super) struct PageBounds {
    /// Whether cached answers may be used.
    pub kept: bool,
    /// Requests may be sent.
    pub send: bool,
    /// When the whole search ends.
    pub deadline: Instant,
}

/// Creates the client of an engine. It never retries, because each request counts against the
/// quota, and only it may contact the networks that are allowed for this engine.
pub(super) fn build_client(
    fetch: &FetchConfig,
    engine: &ConfiguredEngine,
) -> Result<GuardedClient, crate::fetch::TlsSetupError> {
    let mut fetch = fetch.clone();
    fetch.retries = 0;
    fetch.allow_nets.extend(engine.config.allow_net.iter().copied());
    // Do not wait long for a host that is backing off; the other engines go on meanwhile.
    fetch.politeness.patience = fetch.politeness.patience.min(Duration::from_secs(5));
    GuardedClient::new(fetch)
}

impl EngineClient {
    /// Fetches a page. Returns `Ok(None)` if nothing is cached and no request may be sent.
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
            // A cached answer in the format of an earlier version
            // does not parse and is fetched again.
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
                // The message is stored and displayed, so it must not contain the key.
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
                        // Sleep at least a little, so that a test clock that stands still does not
                        // cause a busy loop.
                        tokio::time::sleep(wait.max(Duration::from_millis(1))).await;
                        continue;
                    }
                    SearchEngineError::new(
                        EngineErrorClass::Time,
                        "The search ran out of time before all queries were sent; the answers so far are cached, \
                         so the next search continues here",
                    )
                }
                SearchPermit::Resting { until, why } => SearchEngineError::new(
                    EngineErrorClass::Resting,
                    format!(
                        "The engine is paused until {} because of an earlier answer: {why}",
                        minute(until)
                    ),
                ),
                SearchPermit::Spent { period, quota, free } => {
                    let (span, setting) = match period {
                        QuotaPeriod::Day => ("24 hours", "quota_per_day"),
                        QuotaPeriod::Month => ("31 days", "quota_per_month"),
                    };
                    let free = free.map_or_else(
                        || "the engine is disabled".to_owned(),
                        |free| format!("the next request is possible at {}", minute(free)),
                    );
                    SearchEngineError::new(
                        EngineErrorClass::Quota,
                        format!(
                            "The quota of {quota} requests in {span} is used up, {free}; raise `{setting}` in \
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

/// Formats a time to the minute in UTC.
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
                SearchEngineError::new(EngineErrorClass::Key, "The key contains invalid characters; check it")
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
        // robots.txt is for crawlers; this is an API, and its
        // owner gave us the key or it is our own.
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
            format!("No response within {} s; try again later", (engine.timeout() + SLACK).as_secs()),
        ))
    })
}
