//! Level 4 of reading map applications: the page in a real browser, its requests watched.
//!
//! The browser is the system's Chromium, spoken to over a pipe (`wire`), in a process group and a directory
//! of its own (`process`). Every connection goes through a proxy of ours that applies the crawl's address
//! guard (`proxy`); every request is judged before it is made (`policy`). [`classify`] says which services
//! the requests show. A browser that crashes, hangs or grows too large is ended and replaced, and the page
//! tried once more.
//!
//! robots.txt: that the page itself may be fetched has been decided by the crawl; pages that it leads the
//! browser on to, and pages in its frames, are checked here.

mod browser;
pub mod classify;
mod config;
mod page;
mod policy;
mod process;
mod proxy;
mod record;
mod result;
mod wire;

pub use config::{BROWSERS, RenderConfig, find_browser};
pub use result::{
    PageRequest, RenderError, RenderErrorKind, RenderedPage, RequestHandling, RequestInitiator, StopReason,
};

use crate::fetch::GuardedClient;
use crate::fetch::dns::{CachedResolver, NameResolver, SystemResolver};
use crate::fetch::gatekeeper::GuardedDialer;
use crate::fetch::guard::AddressGuard;
use browser::BrowserInstance;
use page::{BrowserPage, PageResult};
use process::BrowserFailure;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;
use url::Url;

/// Renders pages; cheap to clone, to be shared by all. Browsers are started when first needed, kept for the
/// next page, and ended when the last clone is dropped.
#[derive(Clone)]
pub struct PageRenderer {
    inner: Arc<RendererInner>,
}

struct RendererInner {
    config: RenderConfig,
    program: PathBuf,
    client: GuardedClient,
    gatekeeper: GuardedDialer,
    turns: Semaphore,
    idle: Mutex<Vec<BrowserInstance>>,
}

impl PageRenderer {
    /// A renderer that may contact what `client` may contact. Fails when there is no browser.
    pub fn new(config: RenderConfig, client: &GuardedClient) -> Result<Self, RenderError> {
        Self::with_resolver(config, client, Arc::new(SystemResolver::new()))
    }

    /// The same, with another way to look names up than the system's.
    pub fn with_resolver(
        config: RenderConfig,
        client: &GuardedClient,
        resolver: Arc<dyn NameResolver>,
    ) -> Result<Self, RenderError> {
        if !cfg!(unix) {
            let message = "Pages cannot be rendered on this system; leave --render off";
            return Err(RenderError::new(RenderErrorKind::NoBrowser, message));
        }
        let program = find_browser(config.browser.as_deref())?;
        process::remove_stale_directories();
        if process::runs_as_root() {
            tracing::warn!(
                "the browser runs without its sandbox, because geotrawl runs as root; use another user"
            );
        }
        let gatekeeper = GuardedDialer {
            guard: Arc::new(AddressGuard::new(client.config())),
            resolver: Arc::new(CachedResolver::new(resolver)),
            timeouts: client.config().timeouts.clone(),
        };
        let turns = Semaphore::new(config.pages.max(1));
        let (client, idle) = (client.clone(), Mutex::default());
        Ok(Self { inner: Arc::new(RendererInner { config, program, client, gatekeeper, turns, idle }) })
    }

    /// Shows a page to the browser and tells what it asked for. Waits for its turn first. May be dropped at
    /// any time: the browser is ended then.
    pub async fn render(&self, url: &Url) -> Result<RenderedPage, RenderError> {
        let inner = &*self.inner;
        let _turn = inner.turns.acquire().await;
        if let Err(failure) = inner.gatekeeper.resolve_addresses(url).await {
            return Err(RenderError::new(RenderErrorKind::Refused, failure.message));
        }
        let mut browser = inner.browser().await?;
        let mut tries = 0;
        loop {
            let fresh = browser.pages == 0;
            browser.pages += 1;
            let page = BrowserPage::new(&mut browser, &inner.config, &inner.client, &inner.gatekeeper);
            let PageResult { outcome, requests, reusable } = page.show(url).await;
            let broken = match outcome {
                Ok(outcome) => {
                    if reusable {
                        inner.keep(browser).await;
                    } else {
                        browser.shut_down().await;
                    }
                    return outcome;
                }
                Err(broken) => broken,
            };
            tracing::info!(%url, ?broken, tries, "a browser is replaced");
            browser.shut_down().await;
            tries += 1;
            // A fresh browser became too large by this page alone, and would again.
            if tries >= 2 || (fresh && matches!(broken, BrowserFailure::Fat(_))) {
                return Err(RenderError { requests, ..inner.give_up(&broken) });
            }
            browser = BrowserInstance::start(&inner.program, inner.config.viewport).await?;
        }
    }
}

impl RendererInner {
    async fn browser(&self) -> Result<BrowserInstance, RenderError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle {
            Some(browser) => Ok(browser),
            None => BrowserInstance::start(&self.program, self.config.viewport).await,
        }
    }

    async fn keep(&self, browser: BrowserInstance) {
        if browser.pages < self.config.pages_per_browser
            && browser.process.memory_usage() < self.config.memory / 2
        {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(browser);
        } else {
            browser.shut_down().await;
        }
    }

    fn give_up(&self, broken: &BrowserFailure) -> RenderError {
        match broken {
            BrowserFailure::Exited | BrowserFailure::Crashed => {
                RenderError::new(RenderErrorKind::Crashed, "The browser crashed on this page, twice")
            }
            BrowserFailure::Hung => RenderError::new(
                RenderErrorKind::Hung,
                "The browser hung on this page and gave no answer, twice",
            ),
            BrowserFailure::Fat(bytes) => {
                let (taken, limit) = (bytes >> 20, self.config.memory >> 20);
                let message = format!("The page took {taken} MB of memory, and {limit} MB are allowed");
                RenderError::new(RenderErrorKind::Memory, message)
            }
        }
    }
}
