//! `serve`: the web application, the API and the tasks in one process.

use crate::cli::{Global, ServeArgs};
use crate::config::Config;
use crate::exit::{Exit, UsageError};
use crate::outbound::GuardedOutbound;
use crate::output;
use crate::own_index::Catalogue;
use crate::stores::{Location, Opened};
use crate::watching::Watching;
use anyhow::{Context, Result};
use geotrawl_crawl::archive::shelf::Shelf;
use geotrawl_crawl::archive::{Archivist, attend};
use geotrawl_crawl::means::{Means, io_runtime};
use geotrawl_crawl::seeds::search::{self, EngineConfig, EngineState, MetaSearch, OwnIndex, SearchError};
use geotrawl_crawl::worker::{self, Worker, WorkerHandle};
use geotrawl_index::{Index, IndexOptions};
use geotrawl_serve::metrics::WorkerFigures;
use geotrawl_serve::{App, EngineInfo, Engines, server};
use geotrawl_store::places::Places;
use geotrawl_store::searches::Searches;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the index looks for changes of a catalogue that does not tell of them, and takes changes in at most.
const FOLLOW_EVERY: Duration = Duration::from_millis(300);
/// How often it looks besides where it is told.
const FOLLOW_TOLD: Duration = Duration::from_secs(1);

/// A server that runs until it is told to stop.
pub struct Running {
    pub address: SocketAddr,
    pub store: Opened,
    stop: tokio::sync::watch::Sender<bool>,
    worker: Option<WorkerHandle>,
    ending: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
    /// Outlives whoever asks through it.
    io: tokio::runtime::Runtime,
}

/// What a server is made of.
pub struct Setup<'a> {
    pub config: Config,
    /// Where the catalogue is.
    pub location: Location,
    /// Where files of archives are kept.
    pub data: &'a std::path::Path,
    pub listen: SocketAddr,
    /// Crawls the tasks too.
    pub works: bool,
    /// Checks the catalogue on its schedule too.
    pub monitors: bool,
    /// Places of networks that come before the operator's (see [`geotrawl_store::places`]).
    pub table: Option<String>,
}

/// Serves until interrupted.
pub fn run(global: &Global, args: &ServeArgs) -> Result<Exit> {
    let config = Config::load(global)?;
    if !args.listen.ip().is_loopback() && config.serve.public_url.is_empty() {
        output::remark(
            "geotrawl: listening beyond this machine without serve.public_url; set it (https) so that logins are safe.",
        );
    }
    let has = |role: &str| args.role.is_empty() || args.role.iter().any(|given| given == role);
    let (works, monitors) = (has("worker"), has("monitor"));
    for role in &args.role {
        if !["web", "worker", "monitor"].contains(&role.as_str()) {
            return Err(UsageError(format!("'{role}' is not one of web, worker, monitor")).into());
        }
    }
    let running = start(Setup {
        config,
        location: Location::of(global),
        data: &global.data,
        listen: args.listen,
        works,
        monitors,
        table: None,
    })?;
    if !global.quiet {
        output::remark(&format!("Geotrawl answers on http://{}", running.address));
        if running.store.admins()? == 0 {
            output::remark(
                "Nobody can log in yet: stop, run `geotrawl user add NAME --admin`, and start again.",
            );
        }
        output::remark("Ctrl-C stops it; tasks go on where they were at the next start.");
    }
    wait_for_interrupt()?;
    running.stop();
    Ok(Exit::Done)
}

/// The search engines of the configuration, for those who make tasks.
struct Configured {
    engines: BTreeMap<String, EngineConfig>,
    store: Opened,
}

impl Engines for Configured {
    fn engines(&self) -> geotrawl_store::Result<Vec<EngineInfo>> {
        let states =
            search::states(&self.engines, Some(&*self.store as &dyn Searches), jiff::Timestamp::now());
        let ready = match states {
            Ok(states) => states.into_iter().filter(|state| state.ready),
            Err(SearchError::Store(error)) => return Err(error),
            // The configuration was read when the program started.
            Err(SearchError::Setup(_)) => return Ok(Vec::new()),
        };
        let shown =
            |state: EngineState| EngineInfo { name: state.name, kind: state.kind, left_today: state.left };
        Ok(ready.map(shown).collect())
    }
}

/// Starts everything; returns when it answers.
pub fn start(setup: Setup<'_>) -> Result<Running> {
    let Setup { config, location, data, listen, works, monitors, table } = setup;
    let store = location.open()?;
    let mut places = super::places(&config.serve)?;
    if let Some(table) = table {
        places = places.after(Places::default().with_table("given", &table)?);
    }
    store.set_places(places);
    let options = IndexOptions { synonyms: config.serve.synonyms.clone(), ..IndexOptions::default() };
    let index = Arc::new(Index::open(&super::search::place(&location.derived()), &options)?);
    index.follow(&*store)?;
    let ending = Arc::new(AtomicBool::new(false));
    let mut threads = vec![follow(&store, &index, &ending)?];
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("serve")
        .enable_all()
        .build()?;
    let listener = runtime.block_on(tokio::net::TcpListener::bind(listen)).map_err(|error| {
        UsageError(format!("cannot listen on {listen}: {error}; choose another with --listen"))
    })?;
    let address = listener.local_addr()?;
    let outbound = {
        let _inside = runtime.enter();
        let deliverer = crate::watching::deliverer(&config)?;
        Arc::new(GuardedOutbound::new(&config.fetch)?.with_deliverer(deliverer))
    };
    // Tasks and checks share one client, so that its pauses hold for both together.
    let io = io_runtime()?;
    let means = {
        let _inside = io.enter();
        let means = Means::new(&config.fetch, 0, io.handle().clone())?;
        Arc::new(means.patience(worker::PATIENCE))
    };
    let own: Arc<dyn OwnIndex> = Arc::new(Catalogue::over(index.clone(), store.whole()));
    let search = MetaSearch::new(&config.fetch, &config.engines, store.whole(), Some(own))
        .map_err(|error| UsageError(error.to_string()))?;
    let mut app = App::new(store.backend(), index, Arc::new(config.serve.clone()), outbound);
    app.engines = Arc::new(Configured { engines: config.engines.clone(), store: store.clone() });
    let watching = if monitors {
        let _inside = io.enter();
        let (client, lanes) = (means.client.clone(), means.lanes.clone());
        Some(Watching::new(store.whole(), client, lanes, &config, app.checks.clone())?)
    } else {
        None
    };
    app.mail = config.mail.is_some();
    if works {
        let told = Arc::clone(&means);
        app.worker = Some(Arc::new(move || figures(&told)));
    }
    app.shelf = Some(Arc::new(Shelf::of(data)));
    app.vocabularies = geotrawl_crawl::about::vocabularies();
    app.adopt = crate::telemetry::adopting();
    app.monitor = watching.as_ref().map(Watching::wake);
    let (stop, mut stopped) = tokio::sync::watch::channel(false);
    if let Some(watching) = watching {
        let (io, stopped) = (io.handle().clone(), stopped.clone());
        threads.push(std::thread::Builder::new().name("monitor".into()).spawn(move || {
            if let Err(error) = io.block_on(watching.run(stopped)) {
                tracing::error!("the monitor ended: {error}");
            }
        })?);
    }
    threads.push(std::thread::Builder::new().name("web".into()).spawn(move || {
        let shutdown = async move {
            let _ = stopped.wait_for(|stop| *stop).await;
        };
        runtime.block_on(server::serve(app, listener, shutdown));
        runtime.shutdown_timeout(Duration::from_secs(2));
    })?);
    let mut worker_handle = None;
    if works {
        let archivist = Archivist {
            store: store.whole(),
            client: means.client.clone(),
            search: Some(search.clone()),
            shelf: Shelf::of(data),
            documents: super::archive::documents(),
            clock: Arc::new(jiff::Timestamp::now),
        };
        let (io, ending) = (io.handle().clone(), Arc::clone(&ending));
        threads.push(std::thread::Builder::new().name("archivist".into()).spawn(move || {
            attend(&archivist, &io, &ending);
        })?);
        let mut worker = Worker::new(store.worker(), config.fetch, super::students());
        worker.defaults = config.crawl;
        worker.max_running = config.serve.max_running;
        worker.search = Some(search);
        let (handle, calls) = WorkerHandle::new();
        worker_handle = Some(handle);
        threads.push(std::thread::Builder::new().name("worker".into()).spawn(move || {
            if let Err(error) = worker.run_with(calls, means) {
                tracing::error!("the worker ended: {error}");
            }
        })?);
    }
    Ok(Running { address, store, stop, worker: worker_handle, ending, threads, io })
}

/// What a worker tells of itself.
pub fn figures(means: &Means) -> WorkerFigures {
    let told = means.loans.figures();
    WorkerFigures {
        hosts_on_loan: told.hosts_on_loan,
        commits: told.commits,
        left_out: told.left_out,
        lost_loans: told.lost_loans,
        store_away_seconds: told.store_away_seconds,
        store_is_away: told.store_is_away,
    }
}

impl Running {
    /// Stops everything; what was committed stays, tasks that ran are queued for the next start.
    pub fn stop(self) {
        self.ending.store(true, Ordering::Release);
        if let Some(worker) = &self.worker {
            worker.end();
        }
        let _ = self.stop.send(true);
        for thread in self.threads {
            let _ = thread.join();
        }
        self.io.shutdown_timeout(Duration::from_secs(2));
    }
}

/// Keeps the index close behind the catalogue.
fn follow(store: &Opened, index: &Arc<Index>, ending: &Arc<AtomicBool>) -> Result<JoinHandle<()>> {
    let (store, index, ending) = (store.clone(), Arc::clone(index), Arc::clone(ending));
    let mut last = store.last_change()?;
    let thread = std::thread::Builder::new().name("index".into()).spawn(move || {
        let (mut heard, mut followed) = (0, Instant::now());
        while !ending.load(Ordering::Acquire) {
            heard = store.news(heard, if store.hears() { FOLLOW_TOLD } else { FOLLOW_EVERY });
            match store.last_change() {
                Ok(now) if now == last => {}
                Ok(now) => {
                    // Taking changes in costs about the same for one as for many: a busy crawl must not make it incessant.
                    std::thread::sleep(FOLLOW_EVERY.saturating_sub(followed.elapsed()));
                    followed = Instant::now();
                    match index.follow(&*store) {
                        Ok(_) => last = now,
                        Err(error) => tracing::error!("the search index does not follow: {error}"),
                    }
                }
                Err(error) => tracing::error!("the search index cannot read the catalogue: {error}"),
            }
        }
    });
    thread.context("cannot start a thread")
}

/// Waits for Ctrl-C or the system's word to end; a second one ends at once.
pub fn wait_for_interrupt() -> Result<()> {
    let (tell, told) = std::sync::mpsc::channel();
    let mut asked = false;
    ctrlc::set_handler(move || {
        if asked {
            std::process::exit(Exit::Interrupted as i32);
        }
        asked = true;
        let _ = tell.send(());
    })?;
    let _ = told.recv();
    Ok(())
}
