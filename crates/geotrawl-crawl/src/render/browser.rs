//! A running browser, ready for pages: its process, its pipe, and the calls that concern no page.

use super::process::{BrowserFailure, BrowserProcess};
use super::proxy::BrowserProxy;
use super::result::{RenderError, RenderErrorKind};
use super::wire::{BrowserMessage, BrowserPipe};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tokio::time::Instant;

/// A cold start reads a few hundred megabytes.
const START_WITHIN: Duration = Duration::from_secs(30);

/// A browser.
pub(super) struct BrowserInstance {
    pub process: BrowserProcess,
    pub wire: BrowserPipe,
    /// What it calls itself, which map libraries read.
    pub user_agent: String,
    /// Pages that it has shown.
    pub pages: u32,
    /// Where what the browser wants on its own account ends.
    _nowhere: BrowserProxy,
}

impl BrowserInstance {
    /// Starts a browser and waits until it answers.
    pub async fn start(program: &Path, viewport: (u32, u32)) -> Result<Self, RenderError> {
        let failed = |why: String| {
            let message = format!("The browser {} does not start: {why}", program.display());
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
                        format!("it gives no answer within {} s", START_WITHIN.as_secs())
                    }
                    (_, true) => "it ends at once".to_owned(),
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

    /// A call that concerns no page, while none is open. A refusal is an empty answer.
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
                    tracing::debug!(method, error, "the browser refused a call");
                }
                return Ok(message.body);
            }
        }
    }

    /// Ends it, away from the tasks that others wait for.
    pub async fn shut_down(self) {
        let mut process = self.process;
        let _ = tokio::task::spawn_blocking(move || process.terminate()).await;
    }
}
