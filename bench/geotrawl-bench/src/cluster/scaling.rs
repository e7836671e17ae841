//! `cluster scaling`: the same crawl with 1, 2, 4 and 8 worker processes on a web that answers
//! after 100 ms.

use super::ClusterOptions;
use super::audit::{self, PolitenessAudit};
use super::catalogue::ComparableCatalogue;
use super::lab::{ClusterLab, CrawlStage, start_workers};
use super::worker_process::WorkerProcess;
use crate::usage::{load_average, own_cpu};
use anyhow::{Result, bail};
use geotrawl_simweb::{LogEntry, SimWeb, SimWebConfig};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::{Duration, Instant};

/// Options of `cluster scaling`.
#[derive(Debug, clap::Args)]
pub struct ScalingOptions {
    #[command(flatten)]
    common: ClusterOptions,
    /// Number of workers of each run
    #[arg(long, value_delimiter = ',', default_value = "1,2,4,8")]
    workers: Vec<usize>,
    #[arg(long, default_value_t = 400)]
    hosts: usize,
    /// Number of pages of all hosts
    #[arg(long, default_value_t = 3_200)]
    pages: usize,
    /// Number of hosts that a worker leases at once (`fetch.concurrency`)
    #[arg(long, default_value_t = 10)]
    concurrency: usize,
    /// Response time of the web in milliseconds
    #[arg(long, default_value_t = 100)]
    latency: u64,
    /// Crawl delay in milliseconds
    #[arg(long, default_value_t = 1_000)]
    delay: u64,
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Minimum speed-up with the largest number of workers
    #[arg(long, default_value_t = 7.0)]
    bar: f64,
}

/// Results of one run.
struct ScalingOutcome {
    workers: usize,
    seconds: f64,
    /// Time from the start to the first request of the last worker, and the number of requests of
    /// each.
    begun: f64,
    shares: Vec<usize>,
    log: Vec<LogEntry>,
    audit: PolitenessAudit,
    catalogue: ComparableCatalogue,
    worker_cpu: f64,
    database_cpu: f64,
    web_cpu: f64,
    load: String,
}

pub fn run(root: &Path, options: &ScalingOptions) -> Result<()> {
    let program = options.common.program(root)?;
    let sim = SimWeb::generate(SimWebConfig {
        seed: options.seed,
        hosts: options.hosts,
        pages: Some(options.pages),
        latency: Duration::from_millis(options.latency),
        even: true,
        ..SimWebConfig::default()
    });
    let lab = ClusterLab::start(options.common.keep.as_deref())?;
    let mut outcomes = Vec::new();
    for workers in &options.workers {
        let outcome = crawl(&lab, &program, options, &sim, *workers)?;
        println!(
            "{workers} workers: {:.1} s, {} requests, {} records (load {})",
            outcome.seconds,
            outcome.audit.requests,
            outcome.catalogue.len(),
            outcome.load
        );
        outcomes.push(outcome);
    }
    outcomes.sort_by_key(|outcome| outcome.workers);
    tell(options, &outcomes);
    judge(options, &outcomes)
}

fn crawl(
    lab: &ClusterLab,
    program: &Path,
    options: &ScalingOptions,
    sim: &SimWeb,
    workers: usize,
) -> Result<ScalingOutcome> {
    let stage = lab.create_stage(&format!("scaling_{workers}"), sim)?;
    let settings = stage.worker_settings(program, options.concurrency, options.delay);
    let hands = start_workers(&settings, 0..workers)?;
    let idle: Vec<f64> = hands.iter().map(WorkerProcess::cpu_seconds).collect();
    let (database, web) = (lab.database_cpu(), own_cpu());
    let seeds = sim.host_names().map(|name| format!("http://{name}/")).collect();
    let (from, since) = (stage.elapsed_seconds(), Instant::now());
    let task = stage.start_task(seeds)?;
    stage.wait_for_end(task, Duration::from_hours(2), || Ok(()))?;
    let seconds = since.elapsed().as_secs_f64();
    let worker_cpu = hands.iter().zip(idle).map(|(hand, idle)| hand.cpu_seconds() - idle).sum();
    let (database_cpu, web_cpu) = (lab.database_cpu() - database, own_cpu() - web);
    let load = load_average();
    let agents: Vec<String> = hands.iter().map(|hand| hand.agent.clone()).collect();
    hands.into_iter().try_for_each(WorkerProcess::stop)?;
    let log = stage.request_log();
    let (begun, shares) = shares(&log, &agents, from);
    let audit = PolitenessAudit::from_log(&log, sim.truth(), options.delay as f64 / 1e3, &[]);
    let catalogue = catalogue(&stage)?;
    Ok(ScalingOutcome {
        workers,
        seconds,
        begun,
        shares,
        log,
        audit,
        catalogue,
        worker_cpu,
        database_cpu,
        web_cpu,
        load,
    })
}

fn catalogue(stage: &CrawlStage) -> Result<ComparableCatalogue> {
    let catalogue = stage.read_catalogue()?;
    if catalogue.len() == 0 {
        bail!("nothing was found");
    }
    Ok(catalogue)
}

/// Returns when the last worker started, and the number of requests of each worker.
fn shares(log: &[LogEntry], agents: &[String], from: f64) -> (f64, Vec<usize>) {
    let of = |agent: &String| log.iter().filter(|entry| entry.agent == *agent).collect::<Vec<_>>();
    let firsts = agents.iter().map(|agent| of(agent).first().map_or(f64::INFINITY, |entry| entry.t - from));
    (firsts.fold(0.0, f64::max), agents.iter().map(|agent| of(agent).len()).collect())
}

fn tell(options: &ScalingOptions, outcomes: &[ScalingOutcome]) {
    let Some(first) = outcomes.first() else { return };
    let sizes: Vec<usize> = audit::by_host(&first.log).values().map(Vec::len).collect();
    let (least, middle, most) = audit::min_median_max(sizes.iter().copied());
    println!(
        "\n{} requests to {} hosts, {least} to {most} per host (median {middle}); answers after {} ms, crawl delay {} ms, {} \
         hosts per worker.\n",
        first.audit.requests, first.audit.hosts, options.latency, options.delay, options.concurrency
    );
    println!(
        "| workers | s | times as fast | requests/s | all working after, s | requests per worker | \
         CPU of workers, s | of the database, s | of the web, s | CPUs used | load |\n{}",
        "|---".repeat(11) + "|"
    );
    for outcome in outcomes {
        let (least, _, most) = audit::min_median_max(outcome.shares.iter().copied());
        let cpu = outcome.worker_cpu + outcome.database_cpu + outcome.web_cpu;
        println!(
            "| {} | {:.1} | {:.2} | {:.1} | {:.1} | {least} to {most} | {:.1} | {:.1} | {:.1} | {:.2} | {} |",
            outcome.workers,
            outcome.seconds,
            first.seconds / outcome.seconds,
            outcome.audit.requests as f64 / outcome.seconds,
            outcome.begun,
            outcome.worker_cpu,
            outcome.database_cpu,
            outcome.web_cpu,
            cpu / outcome.seconds,
            outcome.load
        );
    }
    println!(
        "\n| workers | records | other records | repeated requests | shortest delay, s | impolite | forbidden |\n|---|---|---|---|---|---|---|"
    );
    let usual = audit::count_requests(&first.log);
    for outcome in outcomes {
        println!(
            "| {} | {} | {} | {} | {:.4} | {} | {} |",
            outcome.workers,
            outcome.catalogue.len(),
            first.catalogue.list_differences(&outcome.catalogue).len(),
            total(&audit::repeated_requests(&outcome.log, &usual)),
            outcome.audit.shortest,
            outcome.audit.impolite.len(),
            outcome.audit.forbidden.len()
        );
    }
}

fn total(repeated: &[(String, usize)]) -> usize {
    repeated.iter().map(|(_, times)| times).sum()
}

/// Checks the targets and prints what failed.
fn judge(options: &ScalingOptions, outcomes: &[ScalingOutcome]) -> Result<()> {
    let mut wrong: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let Some(first) = outcomes.first() else { bail!("nothing was run") };
    let usual: HashMap<String, usize> = audit::count_requests(&first.log);
    for outcome in outcomes {
        let faults = wrong.entry(outcome.workers).or_default();
        faults.extend(first.catalogue.list_differences(&outcome.catalogue));
        faults.extend(outcome.audit.impolite.iter().map(|line| format!("impolite: {line}")));
        faults.extend(outcome.audit.forbidden.iter().map(|line| format!("forbidden: {line}")));
        let again = audit::repeated_requests(&outcome.log, &usual);
        faults
            .extend(again.iter().map(|(address, times)| format!("requested {times} more times: {address}")));
        let times = first.seconds / outcome.seconds;
        if outcome.workers == 8 && first.workers == 1 && times < options.bar {
            faults.push(format!("{times:.2} times as fast instead of {}", options.bar));
        }
    }
    wrong.retain(|_, faults| !faults.is_empty());
    for (workers, faults) in &wrong {
        println!("\n{workers} workers, {} faults:", faults.len());
        for fault in faults.iter().take(20) {
            println!("  {fault}");
        }
    }
    if wrong.is_empty() { Ok(()) } else { bail!("targets were missed") }
}
