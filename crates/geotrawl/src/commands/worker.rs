//! `worker`: runs crawl tasks on a shared store, without the web application and the monitor.

use crate::cli::{GlobalArgs, WorkerArgs};
use crate::config::Config;
use crate::exit::{ExitStatus, UsageError};
use crate::interrupt;
use crate::own_index::CatalogueSearchEngine;
use crate::{output, stores};
use anyhow::Result;
use geotrawl_crawl::resources::{ResourceOptions, SharedResources};
use geotrawl_crawl::seeds::search::{CatalogueLookup, MetaSearch};
use geotrawl_crawl::worker::{SHUTDOWN_GRACE, Worker};
use geotrawl_serve::health;
use std::sync::Arc;

/// Runs tasks until interrupted, then releases all leases.
pub fn run(global: &GlobalArgs, args: &WorkerArgs) -> Result<ExitStatus> {
    let config = Config::load(global)?;
    let store = stores::open(global)?;
    store.set_geoip(super::places(&config.serve)?);
    let options = ResourceOptions { shutdown_grace: SHUTDOWN_GRACE, ..config.resource_options()? };
    let resources = SharedResources::start(&config.fetch, options)?;
    let own: Arc<dyn CatalogueLookup> =
        Arc::new(CatalogueSearchEngine::new(&stores::derived_dir(global), &config, store.to_shared()));
    let search = MetaSearch::new(&config.fetch, &config.engines, store.to_shared(), Some(own))
        .map_err(|error| UsageError(error.to_string()))?;
    let mut worker = Worker::new(store.to_shared(), Arc::clone(&resources), super::students());
    worker.defaults = config.crawl;
    worker.max_running = config.serve.max_running;
    worker.max_tasks = usize::from(args.tasks);
    worker.search = Some(search);
    let (stop, stopped) = tokio::sync::watch::channel(false);
    if let Some(address) = args.listen {
        let (readable, counted) = (store.to_shared(), Arc::clone(&resources.leases));
        let probes = health::HealthState {
            ready: Arc::new(move || readable.last_event().map(|_| ())),
            figures: health::MetricsSource::Worker(Arc::new(move || counted.worker_figures())),
        };
        super::listen(resources.runtime(), address, probes, stopped, global.quiet)?;
    }
    let worker = worker.start()?;
    if !global.quiet {
        output::print_message("Waiting for tasks. Press Ctrl-C to release all leases and stop.");
    }
    interrupt::wait_for_interrupt("releasing all leases; other workers continue the tasks.")?;
    worker.stop();
    let outcome = worker.wait();
    let _ = stop.send(true);
    outcome?;
    Ok(ExitStatus::Done)
}
