//! Level 4 of reading map applications: loads the page in a real browser and records its requests.
//!
//! The browser is the system's Chromium, controlled over a pipe (`pipe`), in its own process group
//! and directory (`process`). Every connection goes through a proxy that applies the crawl's
//! address guard (`proxy`), and every request is judged before it is sent (`policy`). [`classify`]
//! derives services from the requests. A browser that crashes, hangs or uses too much memory is
//! replaced, and the page is tried once more.
//!
//! robots.txt: the crawl has already checked the page itself. Pages that it navigates to and pages
//! in its frames are checked here.

mod browser;
pub mod classify;
mod config;
mod page;
mod pipe;
mod policy;
mod process;
mod proxy;
mod record;
mod result;

pub use config::{BROWSERS, RenderConfig, find_browser};
pub use result::{
    PageRequest, RenderError, RenderErrorKind, RenderedPage, RequestHandling, RequestInitiator, StopReason,
};

use crate::fetch::GuardedClient;
use crate::fetch::dialer::GuardedDialer;
use crate::fetch::dns::{CachedResolver, NameResolver, SystemResolver};
use crate::fetch::guard::AddressGuard;
use browser::BrowserInstance;
use page::{BrowserPage, PageResult};
use process::BrowserFailure;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;
use url::Url;

/// Renders pages. Clones are cheap and share the browsers. A browser is started when it is first
/// needed, reused for later pages, and terminated when the last clone is dropped.
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
    /// Creates a renderer with the network access of `client`. Fails if there is no browser.
    pub fn new(config: RenderConfig, client: &GuardedClient) -> Result<Self, RenderError> {
        Self::with_resolver(config, client, Arc::new(SystemResolver::new()))
    }

    /// Like [`Self::new`], but resolves host names with `resolver`.
    pub fn with_resolver(
        config: RenderConfig,
        client: &GuardedClient,
        resolver: Arc<dyn NameResolver>,
    ) -> Result<Self, RenderError> {
        if !cfg!(unix) {
            let message = "Pages cannot be rendered on this system; do not use --render";
            return Err(RenderError::new(RenderErrorKind::NoBrowser, message));
        }
        let program = find_browser(config.browser.as_deref())?;
        process::remove_stale_directories();
        if process::runs_as_root() {
            tracing::warn!(
                "the browser runs without its sandbox because geotrawl runs as root; use another user"
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

    /// Loads a page in the browser and returns its requests. Waits for a free slot first. May be
    /// cancelled at any time, which terminates the browser.
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
            tracing::info!(%url, ?broken, tries, "replacing a browser");
            browser.shut_down().await;
            tries += 1;
            // A new browser that grew too large did so because of this page, and would do so again.
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
        // Above half of the limit, a later page is likely to exceed it.
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
                RenderError::new(RenderErrorKind::Crashed, "The browser crashed twice on this page")
            }
            BrowserFailure::Hung => {
                RenderError::new(RenderErrorKind::Hung, "The browser hung twice on this page")
            }
            BrowserFailure::Fat(bytes) => {
                let (taken, limit) = (bytes >> 20, self.config.memory >> 20);
                let message = format!("The page used {taken} MB of memory; the limit is {limit} MB");
                RenderError::new(RenderErrorKind::Memory, message)
            }
        }
    }
}
