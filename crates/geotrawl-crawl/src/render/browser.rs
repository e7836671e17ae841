//! A running browser: its process, its pipe, and the calls that do not concern a page.

use super::pipe::{BrowserMessage, BrowserPipe};
use super::process::{BrowserFailure, BrowserProcess};
use super::proxy::BrowserProxy;
use super::result::{RenderError, RenderErrorKind};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tokio::time::Instant;

/// A cold start reads several hundred megabytes.
const START_WITHIN: Duration = Duration::from_secs(30);

/// A running browser.
pub(super) struct BrowserInstance {
    pub process: BrowserProcess,
    pub wire: BrowserPipe,
    /// User agent of the browser, which map libraries evaluate.
    pub user_agent: String,
    /// Number of pages it has loaded.
    pub pages: u32,
    /// Proxy that rejects the browser's own background requests.
    _nowhere: BrowserProxy,
}

impl BrowserInstance {
    /// Starts a browser and waits until it responds.
    pub async fn start(program: &Path, viewport: (u32, u32)) -> Result<Self, RenderError> {
        let failed = |why: String| {
            let message = format!("The browser {} cannot be started: {why}", program.display());
            RenderError::new(RenderErrorKind::Start, message)
        };
        let nowhere = BrowserProxy::open_denying().await.map_err(|error| failed(error.to_string()))?;
        let (process, wire) = BrowserProcess::start(program, &nowhere.url(), viewport)
            .map_err(|error| failed(error.to_string()))?;
        let mut browser = Self { process, wire, user_agent: String::new(), pages: 0, _nowhere: nowhere };
        match browser.prepare().await {
            Ok(()) => Ok(browser),
            Err(broken) => {
                let why = browser.process.last_error();
                let why = match (broken, why.is_empty()) {
                    (BrowserFailure::Hung, true) => {
                        format!("it did not respond within {} s", START_WITHIN.as_secs())
                    }
                    (_, true) => "it exited immediately".to_owned(),
                    (_, false) => why,
                };
                Err(failed(why))
            }
        }
    }

    async fn prepare(&mut self) -> Result<(), BrowserFailure> {
        let version = self.call_method("Browser.getVersion", json!({}), START_WITHIN).await?;
        version["userAgent"].as_str().unwrap_or_default().clone_into(&mut self.user_agent);
        let attach = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
        self.call_method("Target.setAutoAttach", attach, START_WITHIN).await?;
        self.call_method("Browser.setDownloadBehavior", json!({ "behavior": "deny" }), START_WITHIN).await?;
        Ok(())
    }

    /// Calls a method of the browser itself while no page is open.
    /// Returns null if the call is rejected.
    pub async fn call_method(
        &mut self,
        method: &str,
        params: Value,
        within: Duration,
    ) -> Result<Value, BrowserFailure> {
        let until = Instant::now() + within;
        let id = self.wire.send_call("", method, params).await?;
        loop {
            let next = tokio::time::timeout_at(until, self.wire.next_message()).await;
            let message: BrowserMessage = next.map_err(|_elapsed| BrowserFailure::Hung)??;
            if message.id == Some(id) {
                if let Some(error) = message.error {
                    tracing::debug!(method, error, "the browser rejected a call");
                }
                return Ok(message.body);
            }
        }
    }

    /// Terminates the browser on the blocking pool.
    pub async fn shut_down(self) {
        let mut process = self.process;
        let _ = tokio::task::spawn_blocking(move || process.terminate()).await;
    }
}
