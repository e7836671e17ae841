//! Real checks with the guarded client, the examiner and the store. The services answer from
//! another process, whose CPU is not counted. The clock of the schedule is simulated: a day passes
//! as soon as its checks are done.

use super::{MOST_MEMORY, MonitorOptions, ONE_CORE, STEP, file_bytes, fill_store, service, start};
use crate::usage::{own_cpu, peak_memory};
use anyhow::{Context, Result, ensure};
use geotrawl_crawl::body::BodyPool;
use geotrawl_crawl::check::ResourceChecker;
use geotrawl_crawl::fetch::{FetchConfig, GuardedClient};
use geotrawl_crawl::monitor::{Monitor, MonitorClock, MonitorSettings, RecordChecker};
use geotrawl_model::Status;
use geotrawl_model::monitoring::{CheckResult, DueCheck};
use geotrawl_model::schedule::ScheduleLimits;
use geotrawl_model::store::MonitoringStore;
use geotrawl_simweb::ServiceFleet;
use geotrawl_store::EmbeddedStore;
use jiff::{SignedDuration, Timestamp};
use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::pin::Pin;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Serves the simulated services until stdin ends; prints the address to stdout.
pub fn serve_fleet(fleet: ServiceFleet) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = fleet.serve(geotrawl_simweb::listen(([127, 0, 0, 1], 0).into())?, None)?;
        println!("{}", server.address());
        tokio::task::spawn_blocking(|| std::io::copy(&mut std::io::stdin(), &mut std::io::sink())).await??;
        Ok(())
    })
}

/// Process of the simulated services; stops when dropped.
struct FleetProcess {
    child: Child,
    address: SocketAddr,
}

impl FleetProcess {
    fn start(fleet: ServiceFleet) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["monitor", "--serve-fleet"]);
        for (name, value) in
            [("--services", fleet.services), ("--hosts", fleet.hosts), ("--crowded", fleet.crowded)]
        {
            command.args([name, &value.to_string()]);
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("it has no stdout")?).read_line(&mut line)?;
        let address = line
            .trim()
            .parse()
            .with_context(|| format!("unexpected output of the simulated services: {line:?}"))?;
        Ok(Self { child, address })
    }
}

impl Drop for FleetProcess {
    fn drop(&mut self) {
        self.child.stdin = None;
        let _ = self.child.wait();
    }
}

/// Requests that were made.
#[derive(Default)]
struct CheckLog {
    /// Number of checks by host and day.
    days: HashMap<(String, i64), u32>,
    busy: HashSet<String>,
    /// How often a host was requested during another request.
    crossed: u64,
    not_alive: u64,
    requests: u64,
}

/// Counts the checks of the examiner.
struct RecordingChecker {
    examiner: ResourceChecker,
    clock: Arc<MonitorClock>,
    seen: Mutex<CheckLog>,
}

impl RecordingChecker {
    fn seen(&self) -> std::sync::MutexGuard<'_, CheckLog> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the largest number of checks of a host on one day, and of the crowded host.
    fn most(&self) -> (u32, u32) {
        let seen = self.seen();
        let of = |crowded: bool| {
            let days = seen.days.iter().filter(|((host, _), _)| host.starts_with("crowded.") == crowded);
            days.map(|(_, checks)| *checks).max().unwrap_or(0)
        };
        (of(false), of(true))
    }
}

impl RecordChecker for RecordingChecker {
    fn check_due<'a>(&'a self, due: &'a DueCheck) -> Pin<Box<dyn Future<Output = CheckResult> + Send + 'a>> {
        Box::pin(async move {
            let host = due.record.host.name.clone();
            let day = (self.clock)().as_second().div_euclid(86_400);
            {
                let mut seen = self.seen();
                *seen.days.entry((host.clone(), day)).or_default() += 1;
                seen.crossed += u64::from(!seen.busy.insert(host.clone()));
            }
            let result = RecordChecker::check_due(&self.examiner, due).await;
            let mut seen = self.seen();
            seen.busy.remove(&host);
            seen.not_alive += u64::from(result.check.verdict != Status::Alive);
            seen.requests += result.check.observations.len() as u64;
            drop(seen);
            result
        })
    }
}

/// Measures.
pub fn run(options: &MonitorOptions) -> Result<()> {
    let fleet = options.fleet();
    let process = FleetProcess::start(fleet)?;
    let place = tempfile::tempdir()?;
    println!(
        "bench: {} services on {} hosts and {} more on one, checked over HTTP ...",
        options.services, options.hosts, options.crowded
    );
    let store = Arc::new(EmbeddedStore::open(place.path())?);
    fill_store(&store, fleet.service_count(), &|n| service(n, fleet.service_url(n)))?;
    geotrawl_crawl::registry::Registry::default().warm_up();
    // Exclude the peak of filling the store.
    let _not_everywhere = std::fs::write("/proc/self/clear_refs", "5");
    let second = Arc::new(AtomicI64::new(start().as_second()));
    let clock: Arc<MonitorClock> = {
        let second = second.clone();
        Arc::new(move || Timestamp::from_second(second.load(Ordering::Relaxed)).unwrap_or_default())
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let examiner = {
        let _inside = runtime.enter();
        let resolve = vec![format!("*.fleet.test={}", process.address).parse()?];
        let mut config = FetchConfig { resolve, ..FetchConfig::default() };
        // Delays between requests would only make the day longer.
        config.set_delay(Duration::ZERO);
        ResourceChecker::new(GuardedClient::new(config)?, BodyPool::default()).with_clock(clock.clone())
    };
    let checker = Arc::new(RecordingChecker { examiner, clock: clock.clone(), seen: Mutex::default() });
    let limits = ScheduleLimits { longest: SignedDuration::from_hours(24), ..ScheduleLimits::default() };
    let settings = MonitorSettings {
        limits,
        per_host_day: options.per_host_day,
        concurrency: 64,
        ..MonitorSettings::default()
    };
    let monitor = Monitor::new(store.clone(), checker.clone(), settings, clock.clone());
    let mut measured = RealMonitor { options, monitor, checker, runtime, second, kept: 0 };
    for day in 1..=options.days {
        measured.day(&format!("day {day}"), place.path())?;
    }
    // A day without the monitor: the clock advances, but nothing is checked.
    measured.second.fetch_add(86_400, Ordering::Relaxed);
    let overview = store.overview(clock())?;
    println!(
        "after a day's stop: {} are due, {} of them for more than an hour",
        overview.due, overview.overdue
    );
    let (cpu, wall) = (own_cpu(), Instant::now());
    measured.runtime.block_on(measured.monitor.run_once()).context("draining")?;
    let kept = measured.monitor.progress().counts().kept;
    let drained = kept - measured.kept;
    measured.kept = kept;
    let left = store.overview(clock())?.due;
    println!(
        "drained at once: {drained} checks in {:.1} s, {:.1} CPU s; {left} wait for their host's next day",
        wall.elapsed().as_secs_f64(),
        own_cpu() - cpu
    );
    measured.day("the rest of that day", place.path())?;
    measured.day("the day after", place.path())?;
    ensure!(peak_memory(std::process::id()) < MOST_MEMORY, "more than 500 MB");
    Ok(())
}

struct RealMonitor<'a> {
    options: &'a MonitorOptions,
    monitor: Monitor,
    checker: Arc<RecordingChecker>,
    runtime: tokio::runtime::Runtime,
    second: Arc<AtomicI64>,
    kept: u64,
}

impl RealMonitor<'_> {
    /// Simulates a day in steps.
    fn day(&mut self, name: &str, place: &std::path::Path) -> Result<()> {
        let (cpu, wall) = (own_cpu(), Instant::now());
        for _ in 0..86_400 / STEP {
            self.runtime.block_on(self.monitor.run_once()).context("monitoring")?;
            self.second.fetch_add(STEP, Ordering::Relaxed);
        }
        let (cpu, wall) = (own_cpu() - cpu, wall.elapsed().as_secs_f64());
        let counts = self.monitor.progress().counts();
        let made = counts.kept - self.kept;
        self.kept = counts.kept;
        let (most, crowded) = self.checker.most();
        let seen = self.checker.seen();
        println!(
            "{name}: {made} checks, {cpu:.1} CPU s ({:.2} ms a check, {:.4} of a core over a day), {wall:.1} s, peak {} MB, file {} MB; at most {most} of a host in a day, {crowded} of the crowded one; {} requests, {} not alive, {} changed so far",
            cpu * 1e3 / made.max(1) as f64,
            cpu / ONE_CORE,
            peak_memory(std::process::id()) >> 20,
            file_bytes(place) >> 20,
            seen.requests,
            seen.not_alive,
            counts.changed,
        );
        ensure!(counts.broken == 0 && counts.troubles == 0, "{counts:?}");
        ensure!(seen.crossed == 0, "hosts received {} requests during another request", seen.crossed);
        ensure!(most.max(crowded) <= self.options.per_host_day, "more checks per host and day than allowed");
        ensure!(cpu < ONE_CORE, "more than one core");
        Ok(())
    }
}
