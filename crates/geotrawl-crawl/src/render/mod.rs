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
pub use result::{FailureKind, Handling, Initiator, RenderFailure, Rendered, Seen, Stop};

use crate::fetch::Client;
use crate::fetch::dns::{CachedResolver, Resolve, SystemResolver};
use crate::fetch::gatekeeper::Gatekeeper;
use crate::fetch::guard::Guard;
use browser::Browser;
use page::{Ended, Page};
use process::Broken;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;
use url::Url;

/// Renders pages; cheap to clone, to be shared by all. Browsers are started when first needed, kept for the
/// next page, and ended when the last clone is dropped.
#[derive(Clone)]
pub struct Renderer {
    inner: Arc<Inner>,
}

struct Inner {
    config: RenderConfig,
    program: PathBuf,
    client: Client,
    gatekeeper: Gatekeeper,
    turns: Semaphore,
    idle: Mutex<Vec<Browser>>,
}

impl Renderer {
    /// A renderer that may contact what `client` may contact. Fails when there is no browser.
    pub fn new(config: RenderConfig, client: &Client) -> Result<Self, RenderFailure> {
        Self::with_resolver(config, client, Arc::new(SystemResolver::new()))
    }

    /// The same, with another way to look names up than the system's.
    pub fn with_resolver(
        config: RenderConfig,
        client: &Client,
        resolver: Arc<dyn Resolve>,
    ) -> Result<Self, RenderFailure> {
        if !cfg!(unix) {
            let message = "Pages cannot be rendered on this system; leave --render off";
            return Err(RenderFailure::new(FailureKind::NoBrowser, message));
        }
        let program = find_browser(config.browser.as_deref())?;
        process::sweep();
        if process::runs_as_root() {
            tracing::warn!(
                "the browser runs without its sandbox, because geotrawl runs as root; use another user"
            );
        }
        let gatekeeper = Gatekeeper {
            guard: Arc::new(Guard::new(client.config())),
            resolver: Arc::new(CachedResolver::new(resolver)),
            timeouts: client.config().timeouts.clone(),
        };
        let turns = Semaphore::new(config.pages.max(1));
        let (client, idle) = (client.clone(), Mutex::default());
        Ok(Self { inner: Arc::new(Inner { config, program, client, gatekeeper, turns, idle }) })
    }

    /// Shows a page to the browser and tells what it asked for. Waits for its turn first. May be dropped at
    /// any time: the browser is ended then.
    pub async fn render(&self, url: &Url) -> Result<Rendered, RenderFailure> {
        let inner = &*self.inner;
        let _turn = inner.turns.acquire().await;
        if let Err(failure) = inner.gatekeeper.route(url).await {
            return Err(RenderFailure::new(FailureKind::Refused, failure.message));
        }
        let mut browser = inner.browser().await?;
        let mut tries = 0;
        loop {
            let fresh = browser.pages == 0;
            browser.pages += 1;
            let page = Page::new(&mut browser, &inner.config, &inner.client, &inner.gatekeeper);
            let Ended { outcome, requests, reusable } = page.show(url).await;
            let broken = match outcome {
                Ok(outcome) => {
                    if reusable {
                        inner.keep(browser).await;
                    } else {
                        browser.end().await;
                    }
                    return outcome;
                }
                Err(broken) => broken,
            };
            tracing::info!(%url, ?broken, tries, "a browser is replaced");
            browser.end().await;
            tries += 1;
            // A fresh browser became too large by this page alone, and would again.
            if tries >= 2 || (fresh && matches!(broken, Broken::Fat(_))) {
                return Err(RenderFailure { requests, ..inner.give_up(&broken) });
            }
            browser = Browser::start(&inner.program, inner.config.viewport).await?;
        }
    }
}

impl Inner {
    async fn browser(&self) -> Result<Browser, RenderFailure> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle {
            Some(browser) => Ok(browser),
            None => Browser::start(&self.program, self.config.viewport).await,
        }
    }

    async fn keep(&self, browser: Browser) {
        if browser.pages < self.config.pages_per_browser && browser.process.memory() < self.config.memory / 2
        {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(browser);
        } else {
            browser.end().await;
        }
    }

    fn give_up(&self, broken: &Broken) -> RenderFailure {
        match broken {
            Broken::Exited | Broken::Crashed => {
                RenderFailure::new(FailureKind::Crashed, "The browser crashed on this page, twice")
            }
            Broken::Hung => RenderFailure::new(
                FailureKind::Hung,
                "The browser hung on this page and gave no answer, twice",
            ),
            Broken::Fat(bytes) => {
                let (taken, limit) = (bytes >> 20, self.config.memory >> 20);
                let message = format!("The page took {taken} MB of memory, and {limit} MB are allowed");
                RenderFailure::new(FailureKind::Memory, message)
            }
        }
    }
}
