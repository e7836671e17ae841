//! `serve`: the web application, the API and the tasks in one process.

use crate::cli::{GlobalArgs, ServeArgs};
use crate::config::Config;
use crate::exit::{ExitStatus, UsageError};
use crate::interrupt;
use crate::monitor_service::MonitorService;
use crate::outbound::GuardedOutbound;
use crate::output;
use crate::own_index::CatalogueSearchEngine;
use crate::stores::{OpenStore, StoreLocation};
use anyhow::{Context, Result};
use geotrawl_crawl::archive::collection_files::CollectionFiles;
use geotrawl_crawl::archive::{ArchiveRunner, run_archive_jobs};
use geotrawl_crawl::resources::{ResourceOptions, SharedResources};
use geotrawl_crawl::seeds::search::{
    self, CatalogueLookup, EngineConfig, EngineState, MetaSearch, SearchError,
};
use geotrawl_crawl::worker::{SHUTDOWN_GRACE, Worker, WorkerHandle};
use geotrawl_index::{CatalogueIndex, IndexOptions};
use geotrawl_model::store::SearchEngineStore;
use geotrawl_serve::metrics::CheckCounter;
use geotrawl_serve::{App, EngineDirectory, EngineInfo, server};
use geotrawl_store::geoip::GeoIpDatabases;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;

/// Polling interval for catalogues that do not report changes, and the minimum time between two
/// index updates.
const FOLLOW_EVERY: Duration = Duration::from_millis(300);
/// Polling interval for catalogues that report changes.
const FOLLOW_TOLD: Duration = Duration::from_secs(1);

/// Options of a server.
pub struct ServerOptions<'a> {
    pub config: Config,
    /// Location of the catalogue.
    pub location: StoreLocation,
    /// Directory for archive files.
    pub data: &'a Path,
    pub listen: SocketAddr,
    /// Whether to run crawl tasks.
    pub works: bool,
    /// Whether to run scheduled checks.
    pub monitors: bool,
    /// GeoIP table that takes precedence over the operator's.
    pub table: Option<String>,
}

/// Serves until interrupted.
pub fn run(global: &GlobalArgs, args: &ServeArgs) -> Result<ExitStatus> {
    let config = Config::load(global)?;
    if !args.listen.ip().is_loopback() && config.serve.public_url.is_empty() {
        output::print_message(
            "geotrawl: listening beyond this machine without serve.public_url; set it (https) to protect logins.",
        );
    }
    let has = |role: &str| args.role.is_empty() || args.role.iter().any(|given| given == role);
    let (works, monitors) = (has("worker"), has("monitor"));
    for role in &args.role {
        if !["web", "worker", "monitor"].contains(&role.as_str()) {
            return Err(UsageError(format!("unknown role '{role}'; use web, worker, monitor")).into());
        }
    }
    let running = start(ServerOptions {
        config,
        location: StoreLocation::from_args(global),
        data: &global.data,
        listen: args.listen,
        works,
        monitors,
        table: None,
    })?;
    if !global.quiet {
        output::print_message(&format!("Geotrawl answers on http://{}", running.address));
        if running.store.count_admins()? == 0 {
            output::print_message(
                "No admin account exists yet: run `geotrawl user add NAME --admin` in another terminal.",
            );
        }
        output::print_message("Press Ctrl-C to stop; running tasks resume at the next start.");
    }
    interrupt::wait_for_interrupt("running tasks resume at the next start.")?;
    running.stop();
    Ok(ExitStatus::Done)
}

/// The configured search engines, as offered in the task form.
struct ConfiguredEngines {
    engines: BTreeMap<String, EngineConfig>,
    store: OpenStore,
}

impl EngineDirectory for ConfiguredEngines {
    fn list_engines(&self) -> geotrawl_model::store::Result<Vec<EngineInfo>> {
        let states = search::engine_states(
            &self.engines,
            Some(&*self.store as &dyn SearchEngineStore),
            jiff::Timestamp::now(),
        );
        let ready = match states {
            Ok(states) => states.into_iter().filter(|state| state.ready),
            Err(SearchError::Store(error)) => return Err(error),
            // Cannot happen: the configuration was validated when the program started.
            Err(SearchError::Setup(_)) => return Ok(Vec::new()),
        };
        let shown =
            |state: EngineState| EngineInfo { name: state.name, kind: state.kind, left_today: state.left };
        Ok(ready.map(shown).collect())
    }
}

/// Components shared by all roles of a server.
struct ServerComponents {
    config: Config,
    store: OpenStore,
    index: Arc<CatalogueIndex>,
    /// Tasks and checks share one client, so that its crawl delays hold for both together.
    resources: Arc<SharedResources>,
    search: MetaSearch,
    shelf: Arc<CollectionFiles>,
}

impl ServerComponents {
    fn open(config: Config, location: &StoreLocation, data: &Path, table: Option<&str>) -> Result<Self> {
        let store = location.open()?;
        let mut places = super::places(&config.serve)?;
        if let Some(table) = table {
            places = places.after(GeoIpDatabases::default().with_table("given", table)?);
        }
        store.set_geoip(places);
        let options = IndexOptions { synonyms: config.serve.synonyms.clone(), ..IndexOptions::default() };
        let index =
            Arc::new(CatalogueIndex::open(&super::search::index_dir(&location.derived_dir()), &options)?);
        index.apply_changes(&*store)?;
        let options = ResourceOptions { shutdown_grace: SHUTDOWN_GRACE, ..config.resource_options()? };
        let resources = SharedResources::start(&config.fetch, options)?;
        let own: Arc<dyn CatalogueLookup> =
            Arc::new(CatalogueSearchEngine::with_index(index.clone(), store.to_shared()));
        let search = MetaSearch::new(&config.fetch, &config.engines, store.to_shared(), Some(own))
            .map_err(|error| UsageError(error.to_string()))?;
        Ok(Self {
            config,
            store,
            index,
            resources,
            search,
            shelf: Arc::new(CollectionFiles::in_data_directory(data)),
        })
    }

    /// Builds the web application and the API; `outbound` sends their requests to other servers.
    fn app(&self, outbound: GuardedOutbound, works: bool) -> App {
        let (store, config) = (&self.store, &self.config);
        let serve = Arc::new(config.serve.clone());
        let mut app = App::new(store.to_shared(), Arc::clone(&self.index), serve, Arc::new(outbound));
        app.engines = Arc::new(ConfiguredEngines { engines: config.engines.clone(), store: store.clone() });
        app.mail = config.mail.is_some();
        app.shelf = Some(Arc::clone(&self.shelf));
        app.vocabularies = self.resources.registry.custom_vocabularies();
        app.adopt = crate::telemetry::trace_adopter();
        if works {
            let counted = Arc::clone(&self.resources.leases);
            app.worker = Some(Arc::new(move || counted.worker_figures()));
        }
        app
    }

    fn monitor(&self, checks: &Arc<CheckCounter>) -> Result<MonitorService> {
        let _inside = self.resources.runtime().enter();
        let (client, lanes) = (self.resources.client.clone(), self.resources.lanes.clone());
        let registry = self.resources.registry.clone();
        MonitorService::new(self.store.to_shared(), client, lanes, &self.config, registry, Arc::clone(checks))
    }

    fn archivist(&self) -> ArchiveRunner {
        ArchiveRunner {
            store: self.store.to_shared(),
            client: self.resources.client.clone(),
            search: Some(self.search.clone()),
            shelf: CollectionFiles::clone(&self.shelf),
            documents: super::archive::document_reader(),
            clock: Arc::new(jiff::Timestamp::now),
        }
    }

    fn worker(&self) -> Worker {
        let resources = Arc::clone(&self.resources);
        let mut worker = Worker::new(self.store.to_shared(), resources, super::students());
        worker.defaults = self.config.crawl.clone();
        worker.max_running = self.config.serve.max_running;
        worker.search = Some(self.search.clone());
        worker
    }
}

/// Starts all roles; returns as soon as the server answers.
pub fn start(setup: ServerOptions<'_>) -> Result<RunningServer> {
    let ServerOptions { config, location, data, listen, works, monitors, table } = setup;
    let parts = ServerComponents::open(config, &location, data, table.as_deref())?;
    let web = WebRuntime::listen(listen)?;
    let mut app = parts.app(web.outbound(&parts.config)?, works);
    let monitor = if monitors { Some(parts.monitor(&app.checks)?) } else { None };
    app.monitor = monitor.as_ref().map(MonitorService::wake_signal);

    let mut running = RunningServer::new(&parts, web.address);
    running.follow_changes(&parts)?;
    if let Some(monitor) = monitor {
        let (io, stopped) = (parts.resources.runtime().clone(), running.stop.subscribe());
        running.spawn("monitor", move || {
            if let Err(error) = io.block_on(monitor.run(stopped)) {
                tracing::error!("the monitor stopped: {error}");
            }
        })?;
    }
    let stopped = running.stop.subscribe();
    running.spawn("web", move || web.serve(app, stopped))?;
    if works {
        let (archivist, io) = (parts.archivist(), parts.resources.runtime().clone());
        let ending = Arc::clone(&running.ending);
        running.spawn("archivist", move || run_archive_jobs(&archivist, &io, &ending))?;
        running.worker = Some(parts.worker().start()?);
    }
    Ok(running)
}

/// Listener of the web application and its runtime.
struct WebRuntime {
    address: SocketAddr,
    listener: TcpListener,
    runtime: Runtime,
}

impl WebRuntime {
    fn listen(listen: SocketAddr) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("serve")
            .enable_all()
            .build()?;
        let listener = runtime.block_on(TcpListener::bind(listen)).map_err(|error| {
            UsageError(format!("cannot listen on {listen}: {error}; choose another address with --listen"))
        })?;
        Ok(Self { address: listener.local_addr()?, listener, runtime })
    }

    fn outbound(&self, config: &Config) -> Result<GuardedOutbound> {
        let _inside = self.runtime.enter();
        let deliverer = crate::monitor_service::build_deliverer(config)?;
        Ok(GuardedOutbound::new(&config.fetch)?.with_deliverer(deliverer))
    }

    /// Serves requests until stopped.
    fn serve(self, app: App, mut stopped: watch::Receiver<bool>) {
        let shutdown = async move {
            let _ = stopped.wait_for(|stop| *stop).await;
        };
        self.runtime.block_on(server::serve(app, self.listener, shutdown));
        self.runtime.shutdown_timeout(Duration::from_secs(2));
    }
}

/// Handle of a running server.
pub struct RunningServer {
    pub address: SocketAddr,
    pub store: OpenStore,
    stop: watch::Sender<bool>,
    ending: Arc<AtomicBool>,
    worker: Option<WorkerHandle>,
    threads: Vec<JoinHandle<()>>,
    /// Dropped last, because its runtime must outlive everything that sends requests through it.
    resources: Arc<SharedResources>,
}

impl RunningServer {
    fn new(parts: &ServerComponents, address: SocketAddr) -> Self {
        Self {
            address,
            store: parts.store.clone(),
            stop: watch::channel(false).0,
            ending: Arc::default(),
            worker: None,
            threads: Vec::new(),
            resources: Arc::clone(&parts.resources),
        }
    }

    fn spawn(&mut self, name: &str, work: impl FnOnce() + Send + 'static) -> Result<()> {
        let thread = std::thread::Builder::new().name(name.into()).spawn(work);
        self.threads.push(thread.with_context(|| format!("cannot start the thread '{name}'"))?);
        Ok(())
    }

    /// Keeps the index up to date with the catalogue.
    fn follow_changes(&mut self, parts: &ServerComponents) -> Result<()> {
        let (store, index, ending) =
            (parts.store.clone(), Arc::clone(&parts.index), Arc::clone(&self.ending));
        // Start without a position: other processes may have written since the index was opened.
        let mut last = None;
        self.spawn("index", move || {
            let (mut heard, mut followed) = (0, Instant::now());
            while !ending.load(Ordering::Acquire) {
                heard = store
                    .wait_for_writes(heard, if store.is_notified() { FOLLOW_TOLD } else { FOLLOW_EVERY });
                match store.last_change() {
                    Ok(now) if last == Some(now) => {}
                    Ok(now) => {
                        // An update costs about the same for one change as for many, so a busy
                        // crawl must not trigger one per change.
                        std::thread::sleep(FOLLOW_EVERY.saturating_sub(followed.elapsed()));
                        followed = Instant::now();
                        match index.apply_changes(&*store) {
                            Ok(_) => last = Some(now),
                            Err(error) => tracing::error!("cannot update the search index: {error}"),
                        }
                    }
                    Err(error) => tracing::error!("cannot read the catalogue for the search index: {error}"),
                }
            }
        })
    }

    /// Stops all roles. Committed results are kept, and running tasks are queued for the next
    /// start.
    pub fn stop(mut self) {
        self.ending.store(true, Ordering::Release);
        if let Some(worker) = &self.worker {
            worker.stop();
        }
        let _ = self.stop.send(true);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
        if let Some(Err(error)) = self.worker.take().map(WorkerHandle::wait) {
            tracing::error!("the worker stopped: {error}");
        }
        drop(self.resources);
    }
}
