//! `worker`: crawls tasks beside other processes that share the store. No web, no monitor.

use crate::cli::{Global, WorkerArgs};
use crate::config::Config;
use crate::exit::{Exit, UsageError};
use crate::own_index::Catalogue;
use crate::{output, stores};
use anyhow::Result;
use geotrawl_crawl::means::{Means, io_runtime};
use geotrawl_crawl::seeds::search::{MetaSearch, OwnIndex};
use geotrawl_crawl::worker::{self, Worker, WorkerHandle};
use geotrawl_serve::health;
use std::sync::Arc;
use std::time::Duration;

/// Works until interrupted; what it has borrowed is given back.
pub fn run(global: &Global, args: &WorkerArgs) -> Result<Exit> {
    let config = Config::load(global)?;
    let store = stores::open(global)?;
    store.set_places(super::places(&config.serve)?);
    let io = io_runtime()?;
    let means = {
        let _inside = io.enter();
        Arc::new(Means::new(&config.fetch, 0, io.handle().clone())?.patience(worker::PATIENCE))
    };
    let own: Arc<dyn OwnIndex> = Arc::new(Catalogue::new(&stores::derived(global), &config, store.whole()));
    let search = MetaSearch::new(&config.fetch, &config.engines, store.whole(), Some(own))
        .map_err(|error| UsageError(error.to_string()))?;
    let mut worker = Worker::new(store.worker(), config.fetch, super::students());
    worker.defaults = config.crawl;
    worker.max_running = config.serve.max_running;
    worker.max_tasks = usize::from(args.tasks);
    worker.search = Some(search);
    let (stop, stopped) = tokio::sync::watch::channel(false);
    if let Some(address) = args.listen {
        let told = Arc::clone(&means);
        let readable = store.whole();
        let probes = health::Probes {
            ready: Arc::new(move || readable.last_event().map(|_| ())),
            figures: health::Told::Worker(Arc::new(move || super::serve::figures(&told))),
        };
        super::listen(&io, address, probes, stopped, global.quiet)?;
    }
    let (handle, calls) = WorkerHandle::new();
    let work =
        std::thread::Builder::new().name("worker".into()).spawn(move || worker.run_with(calls, means))?;
    if !global.quiet {
        output::remark("Waiting for tasks. Ctrl-C gives everything back and ends.");
    }
    super::serve::wait_for_interrupt()?;
    handle.end();
    let outcome = work.join();
    let _ = stop.send(true);
    io.shutdown_timeout(Duration::from_secs(2));
    match outcome {
        Ok(outcome) => outcome?,
        Err(_) => anyhow::bail!("the worker broke down"),
    }
    Ok(Exit::Done)
}
