//! `cluster chaos`: workers are killed and started at random, the database is stopped and
//! restarted, the network is cut; afterwards the catalogue must be the same as that of an
//! undisturbed crawl.

use super::ClusterOptions;
use super::audit::{self, PolitenessAudit};
use super::catalogue::ComparableCatalogue;
use super::lab::{ClusterLab, CrawlStage, start_workers};
use super::plan::{ChaosEvent, ChaosPlan, ChaosRng};
use super::relay::TcpRelay;
use super::repeats::{ItemSet, KilledWorker, RepeatedRequests};
use super::worker_process::{WorkerProcess, WorkerSettings};
use anyhow::{Result, bail};
use geotrawl_simweb::{GroundTruth, LogEntry, SimWeb, SimWebConfig};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::time::{Duration, Instant};

/// Delay before restarting a worker that exited because it could not reach the database, as with
/// systemd.
const RESTART: Duration = Duration::from_secs(2);

/// Options of `cluster chaos`.
#[derive(Debug, Clone, clap::Args)]
pub struct ChaosOptions {
    #[command(flatten)]
    pub common: ClusterOptions,
    /// Duration in seconds; afterwards the crawl finishes undisturbed
    #[arg(long, default_value_t = 600)]
    pub seconds: u64,
    /// Number of workers before the first is killed
    #[arg(long, default_value_t = 5)]
    pub workers: usize,
    /// Number of database failures
    #[arg(long, default_value_t = 3)]
    pub falls: usize,
    /// Number of network cuts: between workers and database, then also between workers and web,
    /// alternating
    #[arg(long, default_value_t = 2)]
    pub cuts: usize,
    /// Duration of a cut in seconds
    #[arg(long, default_value_t = 20.0)]
    pub cut: f64,
    /// Average time between two kills in seconds
    #[arg(long, default_value_t = 35.0)]
    pub kill_every: f64,
    #[arg(long, default_value_t = 80)]
    pub hosts: usize,
    #[arg(long, default_value_t = 9_000)]
    pub pages: usize,
    /// Number of hosts that a worker leases at once
    #[arg(long, default_value_t = 24)]
    pub concurrency: usize,
    #[arg(long, default_value_t = 50)]
    pub latency: u64,
    #[arg(long, default_value_t = 1_000)]
    pub delay: u64,
    /// Seed of the simulated web
    #[arg(long, default_value_t = 11)]
    pub web: u64,
    /// Seed of all events [default: random]
    #[arg(long)]
    pub seed: Option<u64>,
}

/// A finished crawl.
struct FinishedCrawl {
    log: Vec<LogEntry>,
    catalogue: ComparableCatalogue,
    closed: ItemSet,
    pending: ItemSet,
    seconds: f64,
}

pub fn run(root: &Path, options: &ChaosOptions) -> Result<()> {
    let program = options.common.program(root)?;
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
    let seed = options.seed.unwrap_or(u64::from(clock.subsec_nanos()));
    println!("seed {seed}: repeat this run with `cluster chaos --seed {seed}`");
    let sim = SimWeb::generate(SimWebConfig {
        seed: options.web,
        hosts: options.hosts,
        pages: Some(options.pages),
        latency: Duration::from_millis(options.latency),
        ..SimWebConfig::default()
    });
    let lab = ClusterLab::start(options.common.keep.as_deref())?;
    let calm = undisturbed(&lab, &program, options, &sim)?;
    println!(
        "undisturbed: {:.0} s, {} requests, {} records",
        calm.seconds,
        calm.log.len(),
        calm.catalogue.len()
    );
    let disturbed = disturbed(&lab, &program, options, &sim, seed)?;
    judge(options, sim.truth(), &calm, &disturbed)
}

/// Runs the undisturbed crawl, with shorter delays because only its results matter.
fn undisturbed(
    lab: &ClusterLab,
    program: &Path,
    options: &ChaosOptions,
    sim: &SimWeb,
) -> Result<FinishedCrawl> {
    let stage = lab.create_stage("undisturbed", sim)?;
    let settings = stage.worker_settings(program, options.concurrency, options.delay.min(100));
    let hands = start_workers(&settings, 1_000..1_002)?;
    let since = Instant::now();
    let task = stage.start_task(sim.seeds())?;
    stage.wait_for_end(task, Duration::from_hours(1), || Ok(()))?;
    hands.into_iter().try_for_each(WorkerProcess::stop)?;
    crawled(&stage, since)
}

fn crawled(stage: &CrawlStage, since: Instant) -> Result<FinishedCrawl> {
    Ok(FinishedCrawl {
        seconds: since.elapsed().as_secs_f64(),
        log: stage.request_log(),
        catalogue: stage.read_catalogue()?,
        closed: ItemSet::new(stage.closed_items()?),
        pending: ItemSet::new(stage.pending_items()?),
    })
}

/// A crawl and what happened to it.
struct DisturbedCrawl {
    crawled: FinishedCrawl,
    killed: Vec<KilledWorker>,
    /// Start and end times of the cuts between workers and web.
    cuts: Vec<(f64, f64)>,
    /// Workers that exited by themselves after they had started work.
    broken: Vec<String>,
}

/// State of a chaos run.
struct ChaosRun<'a> {
    lab: &'a ClusterLab,
    stage: &'a CrawlStage,
    settings: WorkerSettings,
    /// Relays between workers and database, and between workers and web.
    wires: [TcpRelay; 2],
    hands: Vec<(WorkerProcess, bool)>,
    started: usize,
    /// When to restart workers that could not reach the database.
    again: Vec<Instant>,
    killed: Vec<KilledWorker>,
    cuts: Vec<(f64, f64)>,
    broken: Vec<String>,
    rng: ChaosRng,
}

fn disturbed(
    lab: &ClusterLab,
    program: &Path,
    options: &ChaosOptions,
    sim: &SimWeb,
    seed: u64,
) -> Result<DisturbedCrawl> {
    let stage = lab.create_stage("disturbed", sim)?;
    let mut rng = ChaosRng::new(seed);
    let plan = ChaosPlan::draw_events(options, &mut rng);
    let database = ([127, 0, 0, 1], lab.database.port).into();
    let wires =
        [TcpRelay::start(lab.runtime(), database)?, TcpRelay::start(lab.runtime(), stage.web_address())?];
    let mut settings = stage.worker_settings(program, options.concurrency, options.delay);
    settings.store = stage.store_behind(wires[0].address);
    settings.web = wires[1].address.to_string();
    let first = start_workers(&settings, 0..options.workers)?;
    let mut world = ChaosRun {
        lab,
        stage: &stage,
        settings,
        wires,
        started: first.len(),
        hands: first.into_iter().map(|hand| (hand, true)).collect(),
        again: Vec::new(),
        killed: Vec::new(),
        cuts: Vec::new(),
        broken: Vec::new(),
        rng,
    };
    let since = Instant::now();
    let task = stage.start_task(sim.seeds())?;
    let mut events = plan.events.into_iter().peekable();
    stage.wait_for_end(task, Duration::from_hours(2), || {
        while let Some((_, event)) = events.next_if(|(at, _)| since.elapsed().as_secs_f64() >= *at) {
            let alive = world.hands.len();
            println!(
                "  {:6.1} s, {alive} workers, {} requests: {event}",
                since.elapsed().as_secs_f64(),
                stage.request_count()
            );
            world.happens(event)?;
        }
        world.look()
    })?;
    if let Some((at, event)) = events.next() {
        bail!("the crawl ended before the chaos ({event} at {at:.0} s): use more pages");
    }
    world.look()?;
    let ChaosRun { hands, killed, cuts, broken, .. } = world;
    hands.into_iter().try_for_each(|(hand, _)| hand.stop())?;
    Ok(DisturbedCrawl { crawled: crawled(&stage, since)?, killed, cuts, broken })
}

impl ChaosRun<'_> {
    fn happens(&mut self, event: ChaosEvent) -> Result<()> {
        match event {
            ChaosEvent::Kill if self.hands.len() > 1 => {
                let (hand, _) = self.hands.swap_remove(self.rng.below(self.hands.len()));
                let agent = hand.agent.clone();
                hand.kill()?;
                self.killed.push(KilledWorker { agent, at: self.stage.elapsed_seconds(), pending: None });
            }
            // One worker always remains.
            ChaosEvent::Kill => {}
            ChaosEvent::Start => self.start()?,
            ChaosEvent::Fall => {
                if !self.lab.database.stop_immediately() {
                    bail!("cannot stop the database");
                }
            }
            ChaosEvent::Rise => {
                if !self.lab.database.restart() {
                    bail!("cannot restart the database");
                }
            }
            ChaosEvent::Cut { web } => {
                let [database, other] = &self.wires;
                database.pause();
                if web {
                    other.pause();
                    self.cuts.push((self.stage.elapsed_seconds(), f64::INFINITY));
                }
            }
            ChaosEvent::Mend { lossy } => {
                let [database, web] = &self.wires;
                database.resume(lossy);
                // Answers are delayed but not lost, since a lost answer would have to be requested
                // again.
                web.resume(false);
                if let Some((_, to)) = self.cuts.last_mut().filter(|(_, to)| to.is_infinite()) {
                    *to = self.stage.elapsed_seconds();
                }
            }
        }
        Ok(())
    }

    fn start(&mut self) -> Result<()> {
        self.hands.push((WorkerProcess::start(&self.settings, self.started)?, false));
        self.started += 1;
        Ok(())
    }

    /// Records what was pending when workers died, as soon as the database is available: their
    /// hosts remain leased for two more minutes, so no other worker can have finished their items.
    /// Restarts workers that could not reach the database.
    fn look(&mut self) -> Result<()> {
        if self.killed.iter().any(|killed| killed.pending.is_none())
            && let Ok(pending) = self.stage.pending_items()
        {
            let pending = std::sync::Arc::new(ItemSet::new(pending));
            for killed in self.killed.iter_mut().filter(|killed| killed.pending.is_none()) {
                let late = self.stage.elapsed_seconds() - killed.at;
                if late > 100.0 {
                    bail!(
                        "the database was unavailable for {late:.0} s after a kill: too long to know what was in flight"
                    );
                }
                killed.pending = Some(pending.clone());
            }
        }
        let mut at = 0;
        while at < self.hands.len() {
            let (hand, ready) = &mut self.hands[at];
            *ready = *ready || hand.is_ready();
            if !hand.has_exited() {
                at += 1;
                continue;
            }
            if *ready {
                self.broken.push(format!("worker {} exited by itself: {}", hand.number, hand.last_output()));
            }
            self.again.push(Instant::now() + RESTART);
            self.hands.swap_remove(at);
        }
        let due = |at: &mut Instant| *at <= Instant::now();
        for _ in 0..self.again.extract_if(.., due).count() {
            self.start()?;
        }
        Ok(())
    }
}

fn judge(
    options: &ChaosOptions,
    truth: &GroundTruth,
    calm: &FinishedCrawl,
    disturbed: &DisturbedCrawl,
) -> Result<()> {
    let DisturbedCrawl { crawled: wild, killed, cuts, broken } = disturbed;
    let audit = PolitenessAudit::from_log(&wild.log, truth, options.delay as f64 / 1e3, cuts);
    let usual: HashMap<String, usize> = audit::count_requests(&calm.log);
    let repeats = RepeatedRequests::from_log(&wild.log, &usual, killed, &wild.closed);
    let mut faults = broken.clone();
    faults.extend(calm.catalogue.list_differences(&wild.catalogue));
    faults.extend(audit.impolite.iter().map(|line| format!("impolite: {line}")));
    faults.extend(audit.forbidden.iter().map(|line| format!("forbidden: {line}")));
    faults.extend(repeats.unexplained.iter().map(|line| format!("requested again without need: {line}")));
    let lost = lost(truth, calm, wild);
    faults.extend(lost.iter().map(|item| format!("lost: {item}")));
    let agents: BTreeSet<&str> = wild.log.iter().map(|entry| entry.agent.as_str()).collect();
    println!("\n| | undisturbed | disturbed |\n|---|---|---|");
    println!("| seconds | {:.0} | {:.0} |", calm.seconds, wild.seconds);
    println!("| requests | {} | {} |", calm.log.len(), wild.log.len());
    println!("| records | {} | {} |", calm.catalogue.len(), wild.catalogue.len());
    println!("| records that differ | | {} |", calm.catalogue.list_differences(&wild.catalogue).len());
    println!("| items closed | {} | {} |", calm.closed.len(), wild.closed.len());
    println!("| left pending | {} | {} |", calm.pending.len(), wild.pending.len());
    println!("| lost | | {} |", lost.len());
    println!("| processes with requests | | {} |", agents.len());
    println!("| kills | | {} |", killed.len());
    println!("| in flight at a kill: minimum, median, maximum | | {:?} |", repeats.in_flight);
    println!("| requested again because of a kill | | {} |", repeats.by_kill);
    println!("| files of map applications, requested once by each process | | {} |", repeats.by_process);
    println!("| requested again without need | | {} |", repeats.unexplained.len());
    println!("| shortest delay, s (target {}) | | {:.4} |", options.delay as f64 / 1e3, audit.shortest);
    println!("| impolite requests | | {} |", audit.impolite.len());
    println!("| after an answer abandoned during a cut | | {} |", audit.untold);
    println!("| forbidden requests | | {} |", audit.forbidden.len());
    if faults.is_empty() {
        return Ok(());
    }
    println!("\n{} faults:", faults.len());
    for fault in faults.iter().take(40) {
        println!("  {fault}");
    }
    bail!("the disturbed crawl differs")
}

/// Returns the items that only the undisturbed crawl finished. Which part of a trap is seen depends
/// on the order.
fn lost(truth: &GroundTruth, calm: &FinishedCrawl, wild: &FinishedCrawl) -> Vec<String> {
    let trapped = |item: &str| {
        let (host, path) = item.split_once(' ').unwrap_or((item, ""));
        truth.traps.iter().any(|trap| trap.host == host && path.starts_with(&trap.prefix))
    };
    calm.closed.difference(&wild.closed).filter(|item| !trapped(item)).map(str::to_owned).collect()
}
