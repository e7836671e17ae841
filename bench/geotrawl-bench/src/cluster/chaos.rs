//! `cluster chaos`: workers are killed and started at random, the database falls and rises, the network is cut; then the
//! catalogue must be the one of a crawl that nobody disturbed.

use super::ClusterOptions;
use super::audit::{self, PolitenessAudit};
use super::catalogue::ComparableCatalogue;
use super::hand::{WorkerProcess, WorkerSettings};
use super::lab::{ClusterLab, CrawlStage, start_workers};
use super::plan::{ChaosEvent, ChaosPlan, ChaosRng};
use super::relay::TcpRelay;
use super::repeats::{ItemSet, KilledWorker, RepeatedRequests};
use anyhow::{Result, bail};
use geotrawl_simweb::{GroundTruth, LogEntry, SimWeb, SimWebConfig};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::time::{Duration, Instant};

/// A worker that found no database when it was started ends, and is started again after this, as systemd does.
const RESTART: Duration = Duration::from_secs(2);

/// What is done to them.
#[derive(Debug, Clone, clap::Args)]
pub struct ChaosOptions {
    #[command(flatten)]
    pub common: ClusterOptions,
    /// How long it lasts; afterwards the crawl goes to its end undisturbed
    #[arg(long, default_value_t = 600)]
    pub seconds: u64,
    /// Workers at work before the first is killed
    #[arg(long, default_value_t = 5)]
    pub workers: usize,
    /// Falls of the database
    #[arg(long, default_value_t = 3)]
    pub falls: usize,
    /// Cuts of the network: one between workers and database, the next of that and the web, and so on
    #[arg(long, default_value_t = 2)]
    pub cuts: usize,
    /// Seconds that a cut lasts
    #[arg(long, default_value_t = 20.0)]
    pub cut: f64,
    /// Seconds between two kills, on average
    #[arg(long, default_value_t = 35.0)]
    pub kill_every: f64,
    #[arg(long, default_value_t = 80)]
    pub hosts: usize,
    #[arg(long, default_value_t = 9_000)]
    pub pages: usize,
    /// Hosts that a worker holds at once
    #[arg(long, default_value_t = 24)]
    pub concurrency: usize,
    #[arg(long, default_value_t = 50)]
    pub latency: u64,
    #[arg(long, default_value_t = 1_000)]
    pub delay: u64,
    /// Number of the simulated web
    #[arg(long, default_value_t = 11)]
    pub web: u64,
    /// Number that all moments follow from; without it another every time
    #[arg(long)]
    pub seed: Option<u64>,
}

/// A crawl that is over.
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
    println!("seed {seed}: `cluster chaos --seed {seed}` does the same again");
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

/// The crawl with nothing in its way; with shorter pauses, because only what it finds is wanted.
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

/// A crawl, and what happened to it.
struct DisturbedCrawl {
    crawled: FinishedCrawl,
    killed: Vec<KilledWorker>,
    /// From when to when the wire to the web was cut.
    cuts: Vec<(f64, f64)>,
    /// Workers that ended by themselves after they had begun to work.
    broken: Vec<String>,
}

/// Everything that chaos is made of.
struct ChaosRun<'a> {
    lab: &'a ClusterLab,
    stage: &'a CrawlStage,
    settings: WorkerSettings,
    /// Between workers and database, and workers and web.
    wires: [TcpRelay; 2],
    hands: Vec<(WorkerProcess, bool)>,
    started: usize,
    /// When those are started again that found no database.
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
        bail!("the crawl was over before the chaos ({event} at {at:.0} s): give it more pages");
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
            // One is always left.
            ChaosEvent::Kill => {}
            ChaosEvent::Start => self.start()?,
            ChaosEvent::Fall => {
                if !self.lab.database.stop_immediately() {
                    bail!("the database did not fall");
                }
            }
            ChaosEvent::Rise => {
                if !self.lab.database.restart() {
                    bail!("the database did not rise again");
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
                // Answers come late, but they come: one that is lost on its way would have to be asked for again.
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

    /// Notes what was pending when workers died, as soon as the database can say it: their hosts are on loan for two
    /// minutes more, so nobody else can have closed anything of theirs. Starts those again that found no database.
    fn look(&mut self) -> Result<()> {
        if self.killed.iter().any(|killed| killed.pending.is_none())
            && let Ok(pending) = self.stage.pending_items()
        {
            let pending = std::sync::Arc::new(ItemSet::new(pending));
            for killed in self.killed.iter_mut().filter(|killed| killed.pending.is_none()) {
                let late = self.stage.elapsed_seconds() - killed.at;
                if late > 100.0 {
                    bail!(
                        "the database was away for {late:.0} s after a kill: too long to know what was in flight"
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
                self.broken.push(format!("worker {} ended by itself: {}", hand.number, hand.last_output()));
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
    faults.extend(repeats.unexplained.iter().map(|line| format!("asked again without need: {line}")));
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
    println!("| processes that asked something | | {} |", agents.len());
    println!("| kills | | {} |", killed.len());
    println!("| in flight at a kill: least, middle, most | | {:?} |", repeats.in_flight);
    println!("| asked again because of a kill | | {} |", repeats.by_kill);
    println!("| files of map applications, once by each process | | {} |", repeats.by_process);
    println!("| asked again without need | | {} |", repeats.unexplained.len());
    println!("| shortest pause, s (bar {}) | | {:.4} |", options.delay as f64 / 1e3, audit.shortest);
    println!("| impolite requests | | {} |", audit.impolite.len());
    println!("| after an answer given up behind a cut | | {} |", audit.untold);
    println!("| forbidden requests | | {} |", audit.forbidden.len());
    if faults.is_empty() {
        return Ok(());
    }
    println!("\n{} faults:", faults.len());
    for fault in faults.iter().take(40) {
        println!("  {fault}");
    }
    bail!("the chaos left traces")
}

/// What was closed by the undisturbed crawl and never by the other. Which part of a trap is seen depends on the order.
fn lost(truth: &GroundTruth, calm: &FinishedCrawl, wild: &FinishedCrawl) -> Vec<String> {
    let trapped = |item: &str| {
        let (host, path) = item.split_once(' ').unwrap_or((item, ""));
        truth.traps.iter().any(|trap| trap.host == host && path.starts_with(&trap.prefix))
    };
    calm.closed.difference(&wild.closed).filter(|item| !trapped(item)).map(str::to_owned).collect()
}
