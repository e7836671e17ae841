//! Loads one page: opens it in its own browser context, observes it until it is quiet, and reads
//! it.
//!
//! One task owns the browser's pipe. It handles events as they arrive, even while it waits for the
//! answer to a call, so the page cannot make a queue grow without limit.

mod events;

use super::browser::BrowserInstance;
use super::config::RenderConfig;
use super::process::BrowserFailure;
use super::proxy::BrowserProxy;
use super::record::PageRequests;
use super::result::{PageRequest, RenderError, RenderErrorKind, RenderedPage, StopReason};
use crate::fetch::GuardedClient;
use crate::fetch::dialer::GuardedDialer;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};
use url::Url;

/// Interval for checking time limits ...
const TICK: Duration = Duration::from_millis(100);
/// ... and memory use, in ticks.
const MEMORY_TICKS: u32 = 4;
/// Reading the document takes milliseconds, unless a script blocks the page.
const READ_WITHIN: Duration = Duration::from_secs(2);

/// The result of loading a page.
pub(super) struct PageResult {
    /// The rendered page or why there is none; `Err` if the browser itself failed.
    pub outcome: Result<Result<RenderedPage, RenderError>, BrowserFailure>,
    /// Requests so far, if the browser failed.
    pub requests: Vec<PageRequest>,
    /// Whether the browser can load another page.
    pub reusable: bool,
}

/// A document that waits for robots.txt and name resolution.
struct PendingDocument {
    url: Url,
    session: String,
    fetch_id: String,
    network_id: String,
    main: bool,
    refused: Option<&'static str>,
}

/// A page that is being loaded.
pub(super) struct BrowserPage<'a> {
    browser: &'a mut BrowserInstance,
    config: &'a RenderConfig,
    client: &'a GuardedClient,
    gatekeeper: &'a GuardedDialer,
    proxy: Option<BrowserProxy>,
    context: String,
    /// The main frame has the same id as the page's target.
    target: String,
    session: String,
    sessions: HashSet<String>,
    /// Calls whose answers are awaited.
    awaited: HashSet<u64>,
    answers: HashMap<u64, Result<Value, String>>,
    /// Setup calls that the page must answer before navigation.
    setting_up: Vec<u64>,
    decisions: JoinSet<PendingDocument>,
    record: PageRequests,
    per_host: HashMap<String, usize>,
    documents: u32,
    frames: u32,
    at: Option<Url>,
    loaded: bool,
    crashed: bool,
    console: Vec<String>,
    chatter: u32,
    started: Instant,
    active: Instant,
}

impl<'a> BrowserPage<'a> {
    pub fn new(
        browser: &'a mut BrowserInstance,
        config: &'a RenderConfig,
        client: &'a GuardedClient,
        gatekeeper: &'a GuardedDialer,
    ) -> Self {
        let now = Instant::now();
        Self {
            browser,
            config,
            client,
            gatekeeper,
            proxy: None,
            context: String::new(),
            target: String::new(),
            session: String::new(),
            sessions: HashSet::new(),
            awaited: HashSet::new(),
            answers: HashMap::new(),
            setting_up: Vec::new(),
            decisions: JoinSet::new(),
            record: PageRequests::new(config.requests),
            per_host: HashMap::new(),
            documents: 0,
            frames: 0,
            at: None,
            loaded: false,
            crashed: false,
            console: Vec::new(),
            chatter: 0,
            started: now,
            active: now,
        }
    }

    /// Opens, observes and closes the page.
    pub async fn show(mut self, url: &Url) -> PageResult {
        let outcome = self.watch(url).await;
        let stuck = matches!(&outcome, Ok(Ok(rendered)) if rendered.stopped == StopReason::Busy);
        // Closing a page whose script blocks may not work, but terminating its browser does.
        let reusable = outcome.is_ok() && !stuck && self.close().await.is_ok();
        PageResult { outcome, requests: self.record.take_requests(), reusable }
    }

    async fn watch(&mut self, url: &Url) -> Result<Result<RenderedPage, RenderError>, BrowserFailure> {
        let proxy = match BrowserProxy::open(self.gatekeeper.clone(), self.config.bytes).await {
            Ok(proxy) => proxy,
            Err(error) => {
                let message = format!("The browser's connections cannot be guarded: {error}");
                return Ok(Err(RenderError::new(RenderErrorKind::Start, message)));
            }
        };
        let address = proxy.url();
        self.proxy = Some(proxy);
        self.open(&address).await?;
        let session = self.session.clone();
        let navigate = self.send(&session, "Page.navigate", json!({ "url": url.as_str() })).await?;
        self.awaited.insert(navigate);
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut count: u32 = 0;
        let stopped = loop {
            tokio::select! {
                message = self.browser.wire.next_message() => self.handle_message(message?).await?,
                Some(Ok(decision)) = self.decisions.join_next() => self.apply_decision(decision).await?,
                _ = ticks.tick() => {
                    count = count.wrapping_add(1);
                    if count.is_multiple_of(MEMORY_TICKS) {
                        self.weigh()?;
                    }
                }
            }
            if let Some(answer) = self.answers.remove(&navigate)
                && let Some(error) = navigation_error(&answer)
            {
                return Ok(Err(self.unreachable(url, &error)));
            }
            if self.crashed {
                return Err(BrowserFailure::Crashed);
            }
            match self.is_over() {
                Some(StopReason::Deadline) if self.at.is_none() => {
                    // No document arrived. Check that the browser still
                    // responds before blaming the server.
                    self.call("", "Browser.getVersion", json!({})).await?;
                    let error = format!("no response within {} s", self.config.deadline.as_secs());
                    return Ok(Err(self.unreachable(url, &error)));
                }
                Some(stop) => break stop,
                None => {}
            }
        };
        self.read(url, stopped).await.map(Ok)
    }

    /// Opens an empty page in a new context that sends its traffic through this page's proxy.
    async fn open(&mut self, proxy: &str) -> Result<(), BrowserFailure> {
        let context =
            json!({ "disposeOnDetach": true, "proxyServer": proxy, "proxyBypassList": "<-loopback>" });
        let answer = self.call("", "Target.createBrowserContext", context).await?;
        // Without the proxy there is no guard, so do not use a browser that cannot set it.
        answer["browserContextId"].as_str().ok_or(BrowserFailure::Exited)?.clone_into(&mut self.context);
        let deny = json!({ "behavior": "deny", "browserContextId": self.context });
        self.call("", "Browser.setDownloadBehavior", deny).await?;
        let (width, height) = self.config.viewport;
        let page = json!({
            "url": "about:blank", "browserContextId": self.context, "width": width, "height": height,
        });
        self.call("", "Target.createTarget", page).await?;
        // A page that navigates before the setup calls are answered may lose their settings.
        let until = Instant::now() + self.config.answer_within;
        while self.session.is_empty() || !self.setting_up.iter().all(|id| self.answers.contains_key(id)) {
            let next = tokio::time::timeout_at(until, self.browser.wire.next_message()).await;
            self.handle_message(next.map_err(|_elapsed| BrowserFailure::Hung)??).await?;
        }
        for id in std::mem::take(&mut self.setting_up) {
            if let Some(Err(error)) = self.answers.remove(&id) {
                tracing::debug!(error, "the browser rejected a call");
            }
        }
        self.started = Instant::now();
        self.active = self.started;
        Ok(())
    }

    async fn close(&mut self) -> Result<(), BrowserFailure> {
        let context = json!({ "browserContextId": self.context });
        self.call("", "Target.disposeBrowserContext", context).await.map(|_| ())
    }

    /// Sends a call without waiting for its answer.
    async fn send(&mut self, session: &str, method: &str, params: Value) -> Result<u64, BrowserFailure> {
        self.browser.wire.send_call(session, method, params).await
    }

    /// Sends a call and handles events until its answer arrives.
    /// Returns null if the call is rejected.
    async fn call(&mut self, session: &str, method: &str, params: Value) -> Result<Value, BrowserFailure> {
        let within = self.config.answer_within;
        self.call_within(session, method, params, within).await
    }

    async fn call_within(
        &mut self,
        session: &str,
        method: &str,
        params: Value,
        within: Duration,
    ) -> Result<Value, BrowserFailure> {
        let id = self.send(session, method, params).await?;
        self.awaited.insert(id);
        let until = Instant::now() + within;
        loop {
            if let Some(answer) = self.answers.remove(&id) {
                return Ok(answer.unwrap_or_else(|error| {
                    tracing::debug!(method, error, "the browser rejected a call");
                    Value::Null
                }));
            }
            let next = tokio::time::timeout_at(until, self.browser.wire.next_message()).await;
            let Ok(message) = next else {
                self.awaited.remove(&id);
                return Err(BrowserFailure::Hung);
            };
            Box::pin(self.handle_message(message?)).await?;
        }
    }

    fn weigh(&self) -> Result<(), BrowserFailure> {
        let memory = self.browser.process.memory_usage();
        if memory > self.config.memory { Err(BrowserFailure::Fat(memory)) } else { Ok(()) }
    }

    /// Returns why the page is complete, if it is.
    fn is_over(&self) -> Option<StopReason> {
        let now = Instant::now();
        let (shown, still) = (now - self.started, now - self.active);
        if self.record.is_full() {
            return Some(StopReason::Requests);
        }
        if self.proxy.as_ref().is_some_and(BrowserProxy::is_full) {
            return Some(StopReason::Bytes);
        }
        if shown >= self.config.deadline {
            return Some(StopReason::Deadline);
        }
        // Some requests never end (long polling), so a page with
        // pending requests is complete as well, later.
        let settled = self.loaded && self.record.pending_count() == 0 && self.decisions.is_empty();
        let patience = if settled { self.config.quiet } else { self.config.quiet * 4 };
        (shown >= self.config.at_least && still >= patience && self.at.is_some()).then_some(StopReason::Quiet)
    }

    /// Reads the current document.
    async fn read(&mut self, url: &Url, mut stopped: StopReason) -> Result<RenderedPage, BrowserFailure> {
        let session = self.session.clone();
        let script = json!({
            "expression": format!(
                "[(document.documentElement ? document.documentElement.outerHTML : '').slice(0, {}), \
                 String(document.title).slice(0, 1000)]",
                self.config.html_bytes
            ),
            "returnByValue": true,
            "timeout": READ_WITHIN.as_millis() as u64,
        });
        let mut answer = self.call_within(&session, "Runtime.evaluate", script.clone(), READ_WITHIN).await;
        if answer == Err(BrowserFailure::Hung) {
            // Usually a blocking script can be terminated from outside.
            stopped = StopReason::Busy;
            self.send(&session, "Runtime.terminateExecution", json!({})).await?;
            answer = self.call_within(&session, "Runtime.evaluate", script, READ_WITHIN).await;
        }
        let answer = match answer {
            Err(BrowserFailure::Hung) => {
                // Check whether only the page hangs, or the browser as well.
                self.call("", "Browser.getVersion", json!({})).await?;
                Value::Null
            }
            other => other?,
        };
        if self.crashed {
            return Err(BrowserFailure::Crashed);
        }
        let value = &answer["result"]["value"];
        let text = |index: usize| value[index].as_str().unwrap_or_default().to_owned();
        let mut html = text(0);
        html.truncate(html.floor_char_boundary(self.config.html_bytes));
        let final_url = self.at.take().unwrap_or_else(|| url.clone());
        Ok(RenderedPage {
            status: self.record.status_of_page(&self.target, final_url.as_str()),
            final_url,
            requests: self.record.take_requests(),
            html,
            title: text(1),
            console: std::mem::take(&mut self.console),
            millis: self.started.elapsed().as_millis() as u64,
            bytes: self.proxy.as_ref().map_or(0, BrowserProxy::received_bytes),
            stopped,
        })
    }

    /// Builds the error for a page that could not be loaded although the browser works.
    fn unreachable(&mut self, url: &Url, error: &str) -> RenderError {
        let refusal = self.record.refused_document();
        let noted =
            self.proxy.as_ref().and_then(|proxy| proxy.last_failure(url.host_str().unwrap_or_default()));
        let status = self.record.status_of_page(&self.target, url.as_str());
        let (kind, message) = match (refusal, noted, status) {
            (Some(reason), ..) => (RenderErrorKind::Refused, format!("The page was not loaded: {reason}")),
            (None, Some(failure), _) => (RenderErrorKind::Unreachable, failure.message),
            // For an error with an empty body, the browser shows its own error page.
            (None, None, Some(status)) => (
                RenderErrorKind::Unreachable,
                format!("The server responded with status {status} and no page"),
            ),
            (None, None, None) => {
                (RenderErrorKind::Unreachable, format!("The browser could not load the page ({error})"))
            }
        };
        RenderError { requests: self.record.take_requests(), ..RenderError::new(kind, message) }
    }
}

/// Returns why the navigation failed, if it did.
fn navigation_error(answer: &Result<Value, String>) -> Option<String> {
    match answer {
        Ok(answer) => answer["errorText"].as_str().map(str::to_owned),
        Err(error) => Some(error.clone()),
    }
}
