//! What the browser tells of a page, and what is answered.

use super::{BrowserPage, PendingDocument};
use crate::fetch::GuardedClient;
use crate::fetch::gatekeeper::GuardedDialer;
use crate::render::policy::{BEFORE_SCRIPTS, RequestVerdict, judge_request};
use crate::render::process::BrowserFailure;
use crate::render::wire::BrowserMessage;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::{Value, json};
use tokio::time::Instant;
use url::{Position, Url};

/// Documents that the main frame may go to, redirects included.
const DOCUMENTS: u32 = 10;
/// Documents in frames: each may cost a robots.txt.
const FRAMES: u32 = 30;
/// Frames, workers and windows of one page.
const SESSIONS: usize = 64;
/// Messages of the page that are read.
const CHATTER: u32 = 200;
/// Errors of the page that are kept, and their length.
const CONSOLE: usize = 10;
const CONSOLE_CHARS: usize = 300;
/// Documents whose robots.txt is asked for at once.
const DECISIONS: usize = 16;

impl BrowserPage<'_> {
    /// Does what a message asks for.
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
        // Of a page that was here before.
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
                // Leaving is always agreed to, everything else is not.
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
                    // A page that talks without end is no longer listened to.
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

    /// Keeps the first errors of the page.
    fn complain(&mut self, method: &str, body: &Value) {
        let (details, entry) = (&body["exceptionDetails"], &body["entry"]);
        let text = match method {
            "Runtime.exceptionThrown" => {
                details["exception"]["description"].as_str().or(details["text"].as_str())
            }
            "Log.entryAdded" if entry["level"].as_str() == Some("error") => entry["text"].as_str(),
            _ => None,
        };
        // What we refused ourselves is no error of the page.
        let ours = |text: &&str| text.contains("ERR_BLOCKED_BY_CLIENT");
        if let Some(text) = text.filter(|text| self.console.len() < CONSOLE && !ours(text)) {
            self.console.push(text.chars().take(CONSOLE_CHARS).collect());
        }
    }

    /// Something new exists and waits for us: the page itself, a frame, a worker, a window.
    async fn attached(&mut self, body: &Value) -> Result<(), BrowserFailure> {
        let info = &body["targetInfo"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (session, target, kind) =
            (text(&body["sessionId"]), text(&info["targetId"]), text(&info["type"]));
        if info["browserContextId"].as_str() != Some(&self.context) || self.sessions.len() >= SESSIONS {
            // Of the browser itself, of a page that is closed, or one too many.
            self.send("", "Target.closeTarget", json!({ "targetId": target })).await?;
            return Ok(());
        }
        let window = match kind.as_str() {
            // The first page of the context is the one that we made; it is told of before our call is answered.
            "page" if self.session.is_empty() => {
                self.session.clone_from(&session);
                self.target.clone_from(&target);
                true
            }
            "iframe" => true,
            "worker" => false,
            // Windows that the page opens, and workers that outlive it.
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

    /// A request waits for our word.
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
            None => RequestVerdict::Refuse("the address cannot be read"),
        };
        self.documents += u32::from(main);
        if main && self.documents > DOCUMENTS {
            verdict = RequestVerdict::Refuse("the page leads on without end");
        }
        self.frames += u32::from(kind == "Document" && !main);
        if kind == "Document" && !main && self.frames > FRAMES {
            verdict = RequestVerdict::Refuse("the page has too many frames");
        }
        if verdict == RequestVerdict::Pass && !self.may_ask_host(url.as_ref()) {
            verdict = RequestVerdict::Refuse("its host was asked often enough");
        }
        if !self.record.record_paused(&network_id, body, verdict.handling()) {
            verdict = RequestVerdict::Refuse("the page asks too much");
        }
        // The first document has been decided upon by whoever wants the page rendered.
        let unknown = kind == "Document" && !(main && self.documents == 1);
        if verdict == RequestVerdict::Pass
            && unknown
            && let Some(url) = url.as_ref().filter(|url| matches!(url.scheme(), "http" | "https"))
        {
            if self.decisions.len() >= DECISIONS {
                verdict = RequestVerdict::Refuse("the page has too many frames");
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

    /// Answers a request that had to wait.
    pub(super) async fn apply_decision(&mut self, decision: PendingDocument) -> Result<(), BrowserFailure> {
        let PendingDocument { url, session, fetch_id, network_id, main, refused } = decision;
        let verdict = refused.map_or(RequestVerdict::Pass, RequestVerdict::Refuse);
        self.record.record_decision(&network_id, verdict.handling());
        self.approve(verdict, Some(&url));
        self.reply(&session, &fetch_id, main, verdict, &Value::Null).await
    }

    /// Opens the way for a request that is sent on.
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
                // A page that is aborted on its way to another one stays as it is.
                let reason = if main { "Aborted" } else { "BlockedByClient" };
                let refusal = json!({ "requestId": fetch_id, "errorReason": reason });
                self.send(session, "Fetch.failRequest", refusal).await?;
            }
        }
        Ok(())
    }
}

/// Asks robots.txt and the name servers about a document.
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
        // The proxy checks again; here the page before it can still be kept.
        Ok(_) => {
            gatekeeper.resolve_addresses(url).await.err().map(|_failure| "the address may not be contacted")
        }
    };
    decision
}
