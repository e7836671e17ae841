//! A day of monitoring: 40,000 services checked daily by a checker that answers at once, so that
//! only scheduling and storing are measured; or, with `--real`, real checks of simulated services
//! in another process.

mod real;

use crate::usage::{own_cpu, peak_memory};
use anyhow::{Context, Result, ensure};
use geotrawl_crawl::monitor::{Monitor, MonitorClock, MonitorSettings, RecordChecker};
use geotrawl_model::monitoring::{CheckResult, DueCheck, DueCheckQuery};
use geotrawl_model::schedule::ScheduleLimits;
use geotrawl_model::store::{CrawlStore, MonitoringStore};
use geotrawl_model::{
    Bbox, Check, CheckRequest, CheckResponse, Contact, CrawlBatch, Dataset, Evidence, Facts, FinishedItem,
    FoundResource, NewLink, Observation, Outcome, PageOutcome, Phases, Purpose, Resource, Status, TaskSpec,
};
use geotrawl_simweb::ServiceFleet;
use geotrawl_store::EmbeddedStore;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

/// Options of `monitor`.
#[derive(Debug, clap::Args)]
pub struct MonitorOptions {
    /// Number of services
    #[arg(long, value_name = "N", default_value_t = 40_000)]
    services: usize,
    /// Number of their hosts
    #[arg(long, value_name = "N", default_value_t = 4_000)]
    hosts: usize,
    /// Number of days
    #[arg(long, value_name = "N", default_value_t = 2)]
    days: i64,
    /// Number of rows in the schedule when measuring how long it takes to fetch due records
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    enrolled: i64,
    /// Run real checks of services in another process, then pause for a day and work off the
    /// backlog
    #[arg(long)]
    real: bool,
    /// With --real, the number of additional services on a single host
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    crowded: usize,
    /// With --real, the maximum number of checks per host and day
    #[arg(long, value_name = "N", default_value_t = 500)]
    per_host_day: u32,
    /// Serve the simulated services until stdin ends
    #[arg(long, hide = true)]
    serve_fleet: bool,
}

impl MonitorOptions {
    fn fleet(&self) -> ServiceFleet {
        ServiceFleet { services: self.services, hosts: self.hosts, crowded: self.crowded }
    }
}

/// CPU seconds of one core per day, and the maximum memory.
const ONE_CORE: f64 = 86_400.0;
const MOST_MEMORY: u64 = 500 * 1024 * 1024;
/// Seconds between two polls of the schedule in the simulated day.
const STEP: i64 = 300;

/// Measures.
pub fn run(options: &MonitorOptions) -> Result<()> {
    if options.serve_fleet {
        return real::serve_fleet(options.fleet());
    }
    if options.real {
        return real::run(options);
    }
    let place = tempfile::tempdir()?;
    println!("bench: {} services on {} hosts ...", options.services, options.hosts);
    let begun = Instant::now();
    let store = Arc::new(EmbeddedStore::open(place.path())?);
    fill_store(&store, options.services, &|n| {
        service(n, format!("https://h{}.example/geo/{n}/wms", n % options.hosts))
    })?;
    println!("stored in {:.1} s", begun.elapsed().as_secs_f64());
    // Exclude the peak of filling the store.
    let _not_everywhere = std::fs::write("/proc/self/clear_refs", "5");
    let before = file_bytes(place.path());
    let second = Arc::new(AtomicI64::new(start().as_second()));
    let clock: Arc<MonitorClock> = {
        let second = second.clone();
        Arc::new(move || Timestamp::from_second(second.load(Ordering::Relaxed)).unwrap_or_default())
    };
    let limits = ScheduleLimits { longest: SignedDuration::from_hours(24), ..ScheduleLimits::default() };
    let settings = MonitorSettings { limits, ..MonitorSettings::default() };
    let checker = Arc::new(InstantChecker { clock: clock.clone() });
    let monitor = Monitor::new(store.clone(), checker, settings, clock);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let mut kept = 0;
    for day in 1..=options.days {
        let (cpu, wall) = (own_cpu(), Instant::now());
        for _ in 0..86_400 / STEP {
            runtime.block_on(monitor.run_once()).context("monitoring")?;
            second.fetch_add(STEP, Ordering::Relaxed);
        }
        let counts = monitor.progress().counts();
        let (cpu, wall) = (own_cpu() - cpu, wall.elapsed().as_secs_f64());
        let made = counts.kept - kept;
        kept = counts.kept;
        println!(
            "day {day}: {made} checks in {} batches so far, {cpu:.1} CPU s ({:.0} us a check, {:.4} of a core over a day), {wall:.1} s, peak {} MB, file +{} MB",
            counts.commits,
            cpu * 1e6 / made.max(1) as f64,
            cpu / ONE_CORE,
            peak_memory(std::process::id()) >> 20,
            file_bytes(place.path()).saturating_sub(before) >> 20,
        );
        ensure!(counts.broken == 0 && counts.troubles == 0, "{counts:?}");
    }
    ensure!(peak_memory(std::process::id()) < MOST_MEMORY, "more than 500 MB");
    drop(monitor);
    drop(store);
    many(place.path(), options.enrolled)
}

/// Measures how long it takes to fetch due records among many that are not due, half of them on one
/// host.
fn many(place: &Path, rows: i64) -> Result<()> {
    let file = rusqlite::Connection::open(place.join("geotrawl.db"))?;
    let now = start() + SignedDuration::from_hours(24 * 400);
    file.execute_batch(&format!(
        "BEGIN; WITH RECURSIVE n(i) AS (SELECT 10000000 UNION ALL SELECT i + 1 FROM n WHERE i < 10000000 + {rows}) \
         INSERT INTO watch (resource, host, next, due) SELECT i, CASE i % 2 WHEN 0 THEN 1 ELSE 1 + i % 3000 END, \
         {0} + 86400000000 + i, {0} + 86400000000 + i FROM n; \
         UPDATE watch_host SET held = 0, next = (SELECT min(next) FROM watch w WHERE w.host = watch_host.id); COMMIT;",
        now.as_microsecond()
    ))?;
    drop(file);
    let store = EmbeddedStore::open(place)?;
    let (mut worst, begun) = (0.0_f64, Instant::now());
    for nth in 0..50_i64 {
        let one = Instant::now();
        let now = now + SignedDuration::from_secs(nth);
        let until = now + SignedDuration::from_mins(15);
        let take = DueCheckQuery { now, limit: 128, hosts: 32, per_host: 4, per_host_day: 500, until };
        store.take_due_checks(&take, &|host| host == "h1.example")?;
        worst = worst.max(one.elapsed().as_secs_f64());
    }
    println!(
        "due of {rows} more: {:.1} ms a time, {:.1} ms at worst",
        begun.elapsed().as_secs_f64() * 1e3 / 50.0,
        worst * 1e3
    );
    Ok(())
}

fn start() -> Timestamp {
    Timestamp::from_second(1_794_787_200).unwrap_or_default()
}

fn file_bytes(place: &Path) -> u64 {
    std::fs::metadata(place.join("geotrawl.db")).map_or(0, |meta| meta.len())
}

fn service(n: usize, url: String) -> Resource {
    let datasets = (0..20)
        .map(|layer| Dataset {
            name: format!("ns{n}:layer_{layer}"),
            title: Some(format!("Layer {layer} of service {n}")),
            abstract_: Some(
                "What this layer shows, in a sentence of the usual length for such a thing.".into(),
            ),
            bbox: Some(Bbox::from([-10.0, 35.5, 4.25, 44.0])),
            ..Dataset::default()
        })
        .collect();
    Resource {
        kind: "wms".into(),
        url,
        title: Some(format!("Service {n}")),
        abstract_: Some("Maps of an administration, with roads, rivers, parcels and the like. ".repeat(4)),
        keywords: ["roads", "rivers", "parcels"].map(str::to_owned).to_vec(),
        contact: Contact {
            organisation: Some("An office".into()),
            email: Some("geo@h.example".into()),
            ..Contact::default()
        },
        datasets,
        dataset_count: 20,
        ..Resource::default()
    }
}

pub(super) fn fill_store(
    store: &EmbeddedStore,
    services: usize,
    service: &dyn Fn(usize) -> Resource,
) -> Result<()> {
    let spec = TaskSpec { name: "bench".into(), seeds: vec![], options: serde_json::json!({}) };
    let run = store.open_task(&spec, start())?.run;
    for from in (0..services).step_by(500) {
        let link = NewLink {
            key: format!("page {from}"),
            url: format!("http://a.example/{from}"),
            host: "http://a.example".into(),
            priority: 1,
            depth: 0,
            parent: None,
            way: "seed".into(),
            words: String::new(),
            ..NewLink::default()
        };
        store.add_links(run, &[link])?;
        let host = store.hosts_with_work(run, 1, &|_| false)?.pop().context("no host")?.host;
        let item = store.pending_entries(run, host, 1, &|_| false)?.pop().context("no item")?;
        let found = (from..services.min(from + 500))
            .map(|n| {
                let resource = service(n);
                let evidence = Evidence {
                    request: format!("{}?REQUEST=GetCapabilities", resource.url),
                    ..Evidence::default()
                };
                FoundResource {
                    resource,
                    status: Status::Alive,
                    reason: String::new(),
                    evidence,
                    ip: None,
                    themes: vec![],
                }
            })
            .collect();
        let outcome = PageOutcome { class: "ok".into(), ..PageOutcome::default() };
        let done = vec![FinishedItem { item, outcome, links: vec![], found, harvest: None }];
        store.commit(&CrawlBatch { run, done, robots: vec![], now: start() })?;
    }
    Ok(())
}

/// Answers at once, with as much evidence as a real check.
struct InstantChecker {
    clock: Arc<MonitorClock>,
}

impl RecordChecker for InstantChecker {
    fn check_due<'a>(&'a self, due: &'a DueCheck) -> Pin<Box<dyn Future<Output = CheckResult> + Send + 'a>> {
        Box::pin(async move {
            let at = (self.clock)();
            let resource = &due.record.resource;
            // One in a hundred fails, so that all code paths are used.
            let fails = (due.pace.seed ^ u64::from(due.pace.checks)).is_multiple_of(100);
            let seen =
                |purpose, dataset: Option<&Dataset>, nth: u64| observation(due, purpose, dataset, nth, fails);
            let mut observations = vec![seen(Purpose::Description, None, 0)];
            if !fails {
                observations.extend(
                    resource
                        .datasets
                        .iter()
                        .take(3)
                        .zip(1..)
                        .map(|(one, nth)| seen(Purpose::Operation, Some(one), nth)),
                );
                observations.push(seen(Purpose::Refusal, None, 4));
            }
            let check = Check {
                kind: resource.kind.clone(),
                url: resource.url.clone(),
                at,
                observations,
                facts: (!fails).then(|| Facts {
                    well_formed: true,
                    right_root: true,
                    datasets: 20,
                    unique_names: true,
                    bytes: 43_210,
                    title: resource.title.clone(),
                    abstract_length: 280,
                    keywords: 3,
                    ..Facts::default()
                }),
                verdict: if fails { Status::Dead } else { Status::Alive },
                cause: if fails { "server-error" } else { "answers" }.into(),
                reason: if fails { "The server answered with 502" } else { "It answers as it should" }.into(),
            };
            CheckResult {
                id: due.id.clone(),
                check,
                resource: (!fails).then(|| resource.clone()),
                themes: None,
            }
        })
    }
}

fn observation(
    due: &DueCheck,
    purpose: Purpose,
    dataset: Option<&Dataset>,
    nth: u64,
    fails: bool,
) -> Observation {
    let url = &due.record.resource.url;
    let mix = due.pace.seed.wrapping_mul(nth + 7).wrapping_add(u64::from(due.pace.checks));
    let millis = 40 + (mix % 400) as u32;
    let name = dataset.map(|one| one.name.clone());
    let request = match &name {
        Some(name) => format!(
            "{url}?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS={name}&STYLES=&CRS=EPSG:4326&BBOX=35.5,-10,44,4.25&WIDTH=64&HEIGHT=64&FORMAT=image/png"
        ),
        None => format!("{url}?SERVICE=WMS&REQUEST=GetCapabilities"),
    };
    let headers: BTreeMap<String, String> = [
        ("content-type", "text/xml; charset=utf-8"),
        ("server", "nginx"),
        ("date", "Mon, 16 Nov 2026 09:00:00 GMT"),
        ("content-length", "43210"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    Observation {
        purpose,
        dataset: name,
        request: CheckRequest {
            method: "GET".into(),
            url: request.clone(),
            limit: 1 << 20,
            ..CheckRequest::default()
        },
        answer: Some(CheckResponse {
            url: request,
            ip: Some("192.0.2.7".into()),
            status: if fails { 502 } else { 200 },
            headers,
            bytes: 43_210,
            hash: format!("{:064x}", u128::from(mix).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)),
            ..CheckResponse::default()
        }),
        failure: None,
        phases: Phases {
            dns: 3,
            connect: 12,
            tls: 20,
            first_byte: millis,
            transfer: millis / 8,
            total: millis + 60,
        },
        outcome: if fails { Outcome::ServerError } else { Outcome::Valid },
        seen: "A map of 64 x 64 pixels".into(),
    }
}
