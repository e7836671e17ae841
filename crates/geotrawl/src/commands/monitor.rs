//! `monitor`: checks the catalogue on its schedule and sends notifications.

use crate::cli::{GlobalArgs, MonitorArgs};
use crate::config::Config;
use crate::exit::ExitStatus;
use crate::interrupt;
use crate::monitor_service::MonitorService;
use crate::output::{self, format_count};
use anyhow::Result;
use geotrawl_crawl::body::BodyPool;
use geotrawl_crawl::fetch::GuardedClient;
use geotrawl_serve::health;
use geotrawl_serve::metrics::CheckCounter;
use serde_json::json;
use std::sync::Arc;

/// Runs due checks, once or until interrupted.
pub fn run(global: &GlobalArgs, args: &MonitorArgs) -> Result<ExitStatus> {
    let mut config = Config::load(global)?;
    if args.once {
        // A single run includes records that were never checked.
        config.monitor.first_minutes = 0;
    }
    let store = crate::stores::open(global)?;
    store.set_geoip(super::places(&config.serve)?);
    let runtime = geotrawl_crawl::resources::build_io_runtime()?;
    let checks: Arc<CheckCounter> = Arc::default();
    let watching = {
        let _inside = runtime.enter();
        let client = GuardedClient::new(config.fetch.clone())?;
        let registry = config.registry()?;
        MonitorService::new(
            store.to_shared(),
            client,
            BodyPool::default(),
            &config,
            registry,
            Arc::clone(&checks),
        )?
    };
    if args.once {
        let (counts, messages) = runtime.block_on(watching.run_once())?;
        if global.json {
            output::print_json(&json!({"counts": counts, "messages": messages}));
        } else {
            let checks = format_count(counts.kept, "check", "checks");
            output::print_line(&format!(
                "{checks} run: {} died, {} recovered, {} changed; {} sent.",
                counts.died,
                counts.reborn,
                counts.changed,
                format_count(messages, "notification", "notifications")
            ));
        }
        return Ok(ExitStatus::Done);
    }
    if !global.quiet {
        let overview = store.overview(jiff::Timestamp::now())?;
        let watched = format_count(overview.enrolled, "record is", "records are");
        output::print_message(&format!(
            "{watched} on the schedule, {} due now. Press Ctrl-C to stop.",
            overview.due
        ));
    }
    let (stop, stopped) = tokio::sync::watch::channel(false);
    if let Some(address) = args.listen {
        let (readable, counted) = (store.to_shared(), store.to_shared());
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
    interrupt::wait_for_interrupt("finishing the checks in progress.")?;
    let _ = stop.send(true);
    match work.join() {
        Ok(outcome) => outcome?,
        Err(_) => anyhow::bail!("the monitor stopped because of an internal error; see the log for details"),
    }
    Ok(ExitStatus::Interrupted)
}
