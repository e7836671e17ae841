//! A running browser, ready for pages: its process, its pipe, and the calls that concern no page.

use super::process::{Broken, Process};
use super::proxy::Proxy;
use super::result::{FailureKind, RenderFailure};
use super::wire::{Message, Wire};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tokio::time::Instant;

/// A cold start reads a few hundred megabytes.
const START_WITHIN: Duration = Duration::from_secs(30);

/// A browser.
pub(super) struct Browser {
    pub process: Process,
    pub wire: Wire,
    /// What it calls itself, which map libraries read.
    pub user_agent: String,
    /// Pages that it has shown.
    pub pages: u32,
    /// Where what the browser wants on its own account ends.
    _nowhere: Proxy,
}

impl Browser {
    /// Starts a browser and waits until it answers.
    pub async fn start(program: &Path, viewport: (u32, u32)) -> Result<Self, RenderFailure> {
        let failed = |why: String| {
            let message = format!("The browser {} does not start: {why}", program.display());
            RenderFailure::new(FailureKind::Start, message)
        };
        let nowhere = Proxy::closed().await.map_err(|error| failed(error.to_string()))?;
        let (process, wire) =
            Process::start(program, &nowhere.url(), viewport).map_err(|error| failed(error.to_string()))?;
        let mut browser = Self { process, wire, user_agent: String::new(), pages: 0, _nowhere: nowhere };
        match browser.prepare().await {
            Ok(()) => Ok(browser),
            Err(broken) => {
                let why = browser.process.complaint();
                let why = match (broken, why.is_empty()) {
                    (Broken::Hung, true) => format!("it gives no answer within {} s", START_WITHIN.as_secs()),
                    (_, true) => "it ends at once".to_owned(),
                    (_, false) => why,
                };
                Err(failed(why))
            }
        }
    }

    async fn prepare(&mut self) -> Result<(), Broken> {
        let version = self.call("Browser.getVersion", json!({}), START_WITHIN).await?;
        version["userAgent"].as_str().unwrap_or_default().clone_into(&mut self.user_agent);
        let attach = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
        self.call("Target.setAutoAttach", attach, START_WITHIN).await?;
        self.call("Browser.setDownloadBehavior", json!({ "behavior": "deny" }), START_WITHIN).await?;
        Ok(())
    }

    /// A call that concerns no page, while none is open. A refusal is an empty answer.
    pub async fn call(&mut self, method: &str, params: Value, within: Duration) -> Result<Value, Broken> {
        let until = Instant::now() + within;
        let id = self.wire.send("", method, params).await?;
        loop {
            let next = tokio::time::timeout_at(until, self.wire.next()).await;
            let message: Message = next.map_err(|_elapsed| Broken::Hung)??;
            if message.id == Some(id) {
                if let Some(error) = message.error {
                    tracing::debug!(method, error, "the browser refused a call");
                }
                return Ok(message.body);
            }
        }
    }

    /// Ends it, away from the tasks that others wait for.
    pub async fn end(self) {
        let mut process = self.process;
        let _ = tokio::task::spawn_blocking(move || process.end()).await;
    }
}
