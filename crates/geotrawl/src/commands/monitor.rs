//! `monitor`: checks the catalogue on its schedule, and tells people what changed.

use crate::cli::{Global, MonitorArgs};
use crate::config::Config;
use crate::exit::Exit;
use crate::output::{self, count};
use crate::watching::Watching;
use anyhow::Result;
use geotrawl_crawl::body::BodyPool;
use geotrawl_crawl::fetch::Client;
use geotrawl_serve::health;
use geotrawl_serve::metrics::CheckCounter;
use serde_json::json;
use std::sync::Arc;

/// Checks what is due, once or until interrupted.
pub fn run(global: &Global, args: &MonitorArgs) -> Result<Exit> {
    let mut config = Config::load(global)?;
    if args.once {
        // Whoever looks once wants to see what is new, too.
        config.monitor.first_minutes = 0;
    }
    let store = crate::stores::open(global)?;
    store.set_places(super::places(&config.serve)?);
    let runtime = geotrawl_crawl::resources::build_io_runtime()?;
    let checks: Arc<CheckCounter> = Arc::default();
    let watching = {
        let _inside = runtime.enter();
        let client = Client::new(config.fetch.clone())?;
        let registry = config.registry()?;
        Watching::new(store.shared(), client, BodyPool::default(), &config, registry, Arc::clone(&checks))?
    };
    if args.once {
        let (counts, messages) = runtime.block_on(watching.run_once())?;
        if global.json {
            output::json(&json!({"counts": counts, "messages": messages}));
        } else {
            let checks = count(counts.kept, "check", "checks");
            output::line(&format!(
                "{checks} made: {} died, {} reborn, {} changed; {} sent.",
                counts.died,
                counts.reborn,
                counts.changed,
                count(messages, "message", "messages")
            ));
        }
        return Ok(Exit::Done);
    }
    if !global.quiet {
        let overview = store.overview(jiff::Timestamp::now())?;
        let watched = count(overview.enrolled, "record is", "records are");
        output::remark(&format!("{watched} on the schedule, {} due now. Ctrl-C stops it.", overview.due));
    }
    let (stop, stopped) = tokio::sync::watch::channel(false);
    if let Some(address) = args.listen {
        let (readable, counted) = (store.shared(), store.shared());
        let probes = health::HealthState {
            ready: Arc::new(move || readable.last_event().map(|_| ())),
            figures: health::MetricsSource::Monitor(
                checks,
                Arc::new(move || counted.overview(jiff::Timestamp::now())),
            ),
        };
        super::listen(runtime.handle(), address, probes, stopped.clone(), global.quiet)?;
    }
    let work = std::thread::Builder::new()
        .name("monitor".into())
        .spawn(move || runtime.block_on(watching.run(stopped)))?;
    super::serve::wait_for_interrupt()?;
    let _ = stop.send(true);
    match work.join() {
        Ok(outcome) => outcome?,
        Err(_) => anyhow::bail!("the monitor stopped because of an internal error; the log says where"),
    }
    Ok(Exit::Interrupted)
}
