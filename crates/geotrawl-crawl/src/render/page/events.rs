//! Handles the browser's events for a page.

use super::{BrowserPage, PendingDocument};
use crate::fetch::GuardedClient;
use crate::fetch::dialer::GuardedDialer;
use crate::render::pipe::BrowserMessage;
use crate::render::policy::{BEFORE_SCRIPTS, RequestVerdict, judge_request};
use crate::render::process::BrowserFailure;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::{Value, json};
use tokio::time::Instant;
use url::{Position, Url};

/// Most documents loaded in the main frame, including redirects.
const DOCUMENTS: u32 = 10;
/// Most documents in frames; each may cost a robots.txt request.
const FRAMES: u32 = 30;
/// Most frames, workers and windows of one page.
const SESSIONS: usize = 64;
/// Most console messages that are read.
const CHATTER: u32 = 200;
/// Most errors of the page that are kept, and their length.
const CONSOLE: usize = 10;
const CONSOLE_CHARS: usize = 300;
/// Most documents that wait for robots.txt at once.
const DECISIONS: usize = 16;

impl BrowserPage<'_> {
    /// Handles one message of the browser.
    pub(super) async fn handle_message(&mut self, message: BrowserMessage) -> Result<(), BrowserFailure> {
        let BrowserMessage { id, session, method, body, error } = message;
        if let Some(id) = id {
            if self.awaited.remove(&id) {
                self.answers.insert(id, error.map_or(Ok(body), Err));
            }
            return Ok(());
        }
        if method == "Target.attachedToTarget" {
            return self.attached(&body).await;
        }
        // An event of an earlier page.
        if !self.sessions.contains(&session) {
            return Ok(());
        }
        match method.as_str() {
            "Target.detachedFromTarget" => {
                self.sessions.remove(body["sessionId"].as_str().unwrap_or_default());
            }
            "Fetch.requestPaused" => self.paused(&session, &body).await?,
            "Network.requestWillBeSent" => {
                self.active = Instant::now();
                self.record.record_announced(&body);
            }
            "Network.responseReceived" => self.record.record_response(&body),
            "Network.loadingFinished" | "Network.loadingFailed" => {
                self.active = Instant::now();
                self.record.record_finished(body["requestId"].as_str().unwrap_or_default());
            }
            "Page.javascriptDialogOpening" => {
                // Allow the page to be left; dismiss all other dialogs.
                let accept = body["type"].as_str() == Some("beforeunload");
                self.send(&session, "Page.handleJavaScriptDialog", json!({ "accept": accept })).await?;
            }
            "Page.frameNavigated" if body["frame"]["id"].as_str() == Some(&self.target) => {
                self.active = Instant::now();
                self.loaded = false;
                let url = body["frame"]["url"].as_str().and_then(|url| Url::parse(url).ok());
                self.at = url.filter(|url| matches!(url.scheme(), "http" | "https")).or(self.at.take());
            }
            "Page.loadEventFired" if session == self.session => {
                self.active = Instant::now();
                self.loaded = true;
            }
            "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded" => {
                self.chatter += 1;
                if self.chatter > CHATTER {
                    // Stop listening to a page that logs endlessly.
                    self.send(&session, "Runtime.disable", json!({})).await?;
                    self.send(&session, "Log.disable", json!({})).await?;
                }
                self.complain(&method, &body);
            }
            "Inspector.targetCrashed" if session == self.session => self.crashed = true,
            _ => {}
        }
        Ok(())
    }

    /// Keeps the first error messages of the page.
    fn complain(&mut self, method: &str, body: &Value) {
        let (details, entry) = (&body["exceptionDetails"], &body["entry"]);
        let text = match method {
            "Runtime.exceptionThrown" => {
                details["exception"]["description"].as_str().or(details["text"].as_str())
            }
            "Log.entryAdded" if entry["level"].as_str() == Some("error") => entry["text"].as_str(),
            _ => None,
        };
        // Requests that we blocked ourselves are not errors of the page.
        let ours = |text: &&str| text.contains("ERR_BLOCKED_BY_CLIENT");
        if let Some(text) = text.filter(|text| self.console.len() < CONSOLE && !ours(text)) {
            self.console.push(text.chars().take(CONSOLE_CHARS).collect());
        }
    }

    /// Sets up a new target that waits for it: the page itself, a frame, a worker or a window.
    async fn attached(&mut self, body: &Value) -> Result<(), BrowserFailure> {
        let info = &body["targetInfo"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (session, target, kind) =
            (text(&body["sessionId"]), text(&info["targetId"]), text(&info["type"]));
        if info["browserContextId"].as_str() != Some(&self.context) || self.sessions.len() >= SESSIONS {
            // A target of the browser itself or of a closed page, or too many targets.
            self.send("", "Target.closeTarget", json!({ "targetId": target })).await?;
            return Ok(());
        }
        let window = match kind.as_str() {
            // The first page of the context is ours; its event may
            // arrive before the answer to our call.
            "page" if self.session.is_empty() => {
                self.session.clone_from(&session);
                self.target.clone_from(&target);
                true
            }
            "iframe" => true,
            "worker" => false,
            // Windows that the page opens, and workers that outlive the page.
            _ => {
                self.send("", "Target.closeTarget", json!({ "targetId": target })).await?;
                return Ok(());
            }
        };
        self.sessions.insert(session.clone());
        let user_agent = format!("{} {}", self.browser.user_agent, self.client.config().user_agent);
        let mut calls = vec![
            ("Fetch.enable", json!({ "patterns": [{ "urlPattern": "*" }] })),
            (
                "Network.enable",
                json!({ "maxTotalBufferSize": 1 << 20, "maxResourceBufferSize": 1 << 16, "maxPostDataSize": 4096 }),
            ),
            ("Network.setUserAgentOverride", json!({ "userAgent": user_agent })),
            (
                "Target.setAutoAttach",
                json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true }),
            ),
        ];
        if window {
            calls.extend([
                ("Inspector.enable", json!({})),
                ("Page.enable", json!({})),
                (
                    "Page.addScriptToEvaluateOnNewDocument",
                    json!({ "source": BEFORE_SCRIPTS, "runImmediately": true }),
                ),
                ("Network.setBypassServiceWorker", json!({ "bypass": true })),
                ("Runtime.enable", json!({})),
                ("Log.enable", json!({})),
            ]);
        }
        calls.push(("Runtime.runIfWaitingForDebugger", json!({})));
        for (method, params) in calls {
            let id = self.send(&session, method, params).await?;
            if session == self.session {
                self.awaited.insert(id);
                self.setting_up.push(id);
            }
        }
        Ok(())
    }

    /// Decides on a paused request.
    async fn paused(&mut self, session: &str, body: &Value) -> Result<(), BrowserFailure> {
        self.active = Instant::now();
        let request = &body["request"];
        let fetch_id = body["requestId"].as_str().unwrap_or_default();
        let kind = body["resourceType"].as_str().unwrap_or_default();
        let network_id = body["networkId"].as_str().unwrap_or(fetch_id).to_owned();
        let main = kind == "Document" && body["frameId"].as_str() == Some(&self.target);
        let url = request["url"].as_str().and_then(|url| Url::parse(url).ok());
        let method = request["method"].as_str().unwrap_or_default();
        let mut verdict = match &url {
            Some(url) => judge_request(url, method, kind, &self.gatekeeper.guard),
            None => RequestVerdict::Refuse("the URL is not valid"),
        };
        self.documents += u32::from(main);
        if main && self.documents > DOCUMENTS {
            verdict = RequestVerdict::Refuse("the page navigates too often");
        }
        self.frames += u32::from(kind == "Document" && !main);
        if kind == "Document" && !main && self.frames > FRAMES {
            verdict = RequestVerdict::Refuse("the page has too many frames");
        }
        if verdict == RequestVerdict::Pass && !self.may_ask_host(url.as_ref()) {
            verdict = RequestVerdict::Refuse("too many requests to this host");
        }
        if !self.record.record_paused(&network_id, body, verdict.handling()) {
            verdict = RequestVerdict::Refuse("the page sends too many requests");
        }
        // The caller has already checked robots.txt for the first document.
        let unknown = kind == "Document" && !(main && self.documents == 1);
        if verdict == RequestVerdict::Pass
            && unknown
            && let Some(url) = url.as_ref().filter(|url| matches!(url.scheme(), "http" | "https"))
        {
            if self.decisions.len() >= DECISIONS {
                verdict = RequestVerdict::Refuse("too many frames wait for robots.txt");
            } else {
                let decision = PendingDocument {
                    url: url.clone(),
                    session: session.to_owned(),
                    fetch_id: fetch_id.to_owned(),
                    network_id,
                    main,
                    refused: None,
                };
                self.decisions.spawn(decide(self.client.clone(), self.gatekeeper.clone(), decision));
                return Ok(());
            }
        }
        self.approve(verdict, url.as_ref());
        self.reply(session, fetch_id, main, verdict, &request["headers"]).await
    }

    fn may_ask_host(&mut self, url: Option<&Url>) -> bool {
        let Some(host) = url.and_then(Url::host_str) else { return true };
        if !self.per_host.contains_key(host) && self.per_host.len() < self.config.requests {
            self.per_host.insert(host.to_owned(), 0);
        }
        self.per_host.get_mut(host).is_some_and(|count| {
            *count += 1;
            *count <= self.config.requests_per_host
        })
    }

    /// Continues or blocks a request that waited for a decision.
    pub(super) async fn apply_decision(&mut self, decision: PendingDocument) -> Result<(), BrowserFailure> {
        let PendingDocument { url, session, fetch_id, network_id, main, refused } = decision;
        let verdict = refused.map_or(RequestVerdict::Pass, RequestVerdict::Refuse);
        self.record.record_decision(&network_id, verdict.handling());
        self.approve(verdict, Some(&url));
        self.reply(&session, &fetch_id, main, verdict, &Value::Null).await
    }

    /// Lets the proxy pass a request that is sent on.
    fn approve(&self, verdict: RequestVerdict, url: Option<&Url>) {
        if let (RequestVerdict::Pass, Some(url), Some(proxy)) = (verdict, url, &self.proxy) {
            proxy.approve_host(url);
        }
    }

    async fn reply(
        &mut self,
        session: &str,
        fetch_id: &str,
        main: bool,
        verdict: RequestVerdict,
        headers: &Value,
    ) -> Result<(), BrowserFailure> {
        match verdict {
            RequestVerdict::Pass => {
                self.send(session, "Fetch.continueRequest", json!({ "requestId": fetch_id })).await?;
            }
            RequestVerdict::Answer(stub) => {
                let (status, media_type, body) = stub.response();
                let origin = headers.get("Origin").and_then(Value::as_str).unwrap_or("*");
                let answer = json!({
                    "requestId": fetch_id,
                    "responseCode": status,
                    "responseHeaders": [
                        { "name": "content-type", "value": media_type },
                        { "name": "access-control-allow-origin", "value": origin },
                        { "name": "access-control-allow-credentials", "value": "true" },
                        { "name": "timing-allow-origin", "value": "*" },
                        { "name": "cross-origin-resource-policy", "value": "cross-origin" },
                    ],
                    "body": BASE64_STANDARD.encode(body),
                });
                self.send(session, "Fetch.fulfillRequest", answer).await?;
            }
            RequestVerdict::Refuse(_) => {
                // An aborted navigation leaves the current page in place.
                let reason = if main { "Aborted" } else { "BlockedByClient" };
                let refusal = json!({ "requestId": fetch_id, "errorReason": reason });
                self.send(session, "Fetch.failRequest", refusal).await?;
            }
        }
        Ok(())
    }
}

/// Checks robots.txt and the addresses of a document's host.
async fn decide(
    client: GuardedClient,
    gatekeeper: GuardedDialer,
    mut decision: PendingDocument,
) -> PendingDocument {
    let url = &decision.url;
    decision.refused = match client.load_robots(url).await {
        Err(_failure) => Some("the address may not be contacted"),
        Ok(robots) if robots.check_path(&url[Position::BeforePath..Position::AfterQuery]).is_err() => {
            Some("robots.txt forbids it")
        }
        // The proxy checks the addresses again; failing here keeps the current page.
        Ok(_) => {
            gatekeeper.resolve_addresses(url).await.err().map(|_failure| "the address may not be contacted")
        }
    };
    decision
}
