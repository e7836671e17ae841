//! A simulated GeoWeb on loopback, generated from a seed number: hosts, pages, services, files,
//! look-alikes and traps, with the ground truth about them and a log of every request.
//!
//! ```no_run
//! # async fn example() -> std::io::Result<()> {
//! use geotrawl_simweb::{LogSink, SimWeb, SimWebConfig};
//! let web = SimWeb::generate(SimWebConfig { hosts: 30, ..SimWebConfig::default() });
//! let truth = web.truth();
//! let listener = geotrawl_simweb::listen(([127, 0, 0, 1], 0).into())?;
//! let server = web.serve(listener, Some(LogSink::memory()))?;
//! // crawl `truth.seeds` with every name resolved to `server.address()` ...
//! let log = server.stop().await;
//! # Ok(()) }
//! ```

mod app_site;
pub mod archive;
mod bench_site;
mod catalogue_site;
mod charset;
mod file;
mod hostile;
mod in_memory;
mod lexicon;
mod page;
mod prose;
mod rendered;
mod reply;
pub mod report;
mod request;
mod reveal;
mod rng;
mod robots;
mod server;
mod service;
mod sitemap;
mod stage;
mod summary;
mod trap;
mod trust_site;
mod truth;
mod web;
mod world;

pub use app_site::{AppPage, AppService, AppSite, AppTruth, MustNotFind};
pub use bench_site::{BenchConfig, BenchSite, HostStyle};
pub use catalogue_site::{CatalogueConfig, CatalogueSite};
pub use in_memory::{FilePart, InMemoryReply};
pub use robots::{AGENT_TOKEN, RobotsPathRule, RobotsSummary};
pub use server::{LogEntry, LogSink, ServerHandle, listen};
pub use stage::{ServiceFleet, ServiceStage};
pub use trust_site::{TrustCase, TrustSite};
pub use truth::{GroundTruth, HostileCase, LookAlike, TrapTruth, TruthResource};

use prose::ProsePools;
use rendered::RenderedPages;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;
use web::PlannedWeb;
use world::{WebSize, WorldPlan};

/// Configuration of a simulated web.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimWebConfig {
    /// The same seed and size give the same bytes everywhere.
    pub seed: u64,
    /// Number of hosts, portals included.
    pub hosts: usize,
    /// Number of pages; about 60 per host if absent.
    pub pages: Option<usize>,
    /// Link the hostile cases from the web, so that a crawl runs into them.
    pub hostile: bool,
    /// Delay before every response.
    pub latency: Duration,
    /// Hosts of nearly the same size that all behave: no traps, no look-alikes (some hang), no odd
    /// robots.txt, few services per host. For measuring how a crawl distributes over workers, which
    /// one large or slow host would hide.
    pub even: bool,
}

impl Default for SimWebConfig {
    fn default() -> Self {
        Self { seed: 1, hosts: 60, pages: None, hostile: false, latency: Duration::ZERO, even: false }
    }
}

/// A generated web.
#[derive(Clone)]
pub struct SimWeb {
    web: Arc<PlannedWeb>,
    truth: Arc<GroundTruth>,
}

const PAGES_PER_HOST: usize = 60;

impl SimWeb {
    /// Plans a web, which depends only on the configuration.
    pub fn generate(config: SimWebConfig) -> Self {
        let hosts = config.hosts.max(2);
        let pages = config.pages.unwrap_or(hosts * PAGES_PER_HOST).max(hosts * 2);
        let size = WebSize { hosts, pages, even: config.even };
        let mut world = WorldPlan::generate(config.seed, size);
        let cases = hostile::all_cases();
        let linked = cases.iter().filter(|case| config.hostile || (case.form.in_default && !config.even));
        let page = world.hosts[0].pages.end - 1;
        world.extra_links.insert(page, linked.map(hostile::CountedCase::url).collect());
        let used = world.hosts.iter().map(|host| (host.language, host.charset));
        let prose = ProsePools::new(config.seed, used);
        let truth = Arc::new(summary::derive_truth(&world, &cases));
        let web = PlannedWeb {
            rendered: RenderedPages::new(world.pages.len()),
            world,
            prose,
            hostile: cases.into_iter().map(|case| (case.host_name(), case)).collect(),
            latency: config.latency,
        };
        Self { web: Arc::new(web), truth }
    }

    /// Returns the ground truth of this web.
    pub fn truth(&self) -> &GroundTruth {
        &self.truth
    }

    /// Returns start URLs from which everything reachable can be reached.
    pub fn seeds(&self) -> Vec<String> {
        self.truth.seeds.clone()
    }

    /// Returns the names of the hosts.
    pub fn host_names(&self) -> impl Iterator<Item = &str> {
        self.web.world.hosts.iter().map(|host| host.name.as_str())
    }

    /// Returns the URLs of all pages, reachable or not.
    pub fn page_urls(&self) -> impl Iterator<Item = String> {
        (0..self.web.world.pages.len()).map(|page| self.web.world.page_url(page))
    }

    /// Serves all hosts on one port, selected by the `Host` header. Must be called within a tokio
    /// runtime.
    pub fn serve(&self, listener: TcpListener, log: Option<LogSink>) -> io::Result<ServerHandle> {
        server::start_server(Arc::clone(&self.web) as Arc<dyn server::RequestHandler>, listener, log)
    }
}
