//! `cluster chaos`: workers are killed and started at random, the database falls and rises, the network is cut; then the
//! catalogue must be the one of a crawl that nobody disturbed.

use super::Common;
use super::audit::{self, Audit};
use super::catalogue::Catalogue;
use super::hand::{Hand, Settings};
use super::lab::{Lab, Stage, hands};
use super::plan::{Event, Plan, Rng};
use super::relay::Relay;
use super::repeats::{Items, Killed, Repeats};
use anyhow::{Result, bail};
use geotrawl_simweb::{GroundTruth, LogEntry, SimWeb, SimWebConfig};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::time::{Duration, Instant};

/// A worker that found no database when it was started ends, and is started again after this, as systemd does.
const RESTART: Duration = Duration::from_secs(2);

/// What is done to them.
#[derive(Debug, Clone, clap::Args)]
pub struct Chaos {
    #[command(flatten)]
    pub common: Common,
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
struct Crawled {
    log: Vec<LogEntry>,
    catalogue: Catalogue,
    closed: Items,
    pending: Items,
    seconds: f64,
}

pub fn run(root: &Path, options: &Chaos) -> Result<()> {
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
    let lab = Lab::start(options.common.keep.as_deref())?;
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
fn undisturbed(lab: &Lab, program: &Path, options: &Chaos, sim: &SimWeb) -> Result<Crawled> {
    let stage = lab.stage("undisturbed", sim)?;
    let settings = stage.settings(program, options.concurrency, options.delay.min(100));
    let hands = hands(&settings, 1_000..1_002)?;
    let since = Instant::now();
    let task = stage.start_task(sim.seeds())?;
    stage.wait_for_end(task, Duration::from_hours(1), || Ok(()))?;
    hands.into_iter().try_for_each(Hand::end)?;
    crawled(&stage, since)
}

fn crawled(stage: &Stage, since: Instant) -> Result<Crawled> {
    Ok(Crawled {
        seconds: since.elapsed().as_secs_f64(),
        log: stage.log(),
        catalogue: stage.catalogue()?,
        closed: Items::new(stage.closed()?),
        pending: Items::new(stage.pending()?),
    })
}

/// A crawl, and what happened to it.
struct Disturbed {
    crawled: Crawled,
    killed: Vec<Killed>,
    /// From when to when the wire to the web was cut.
    cuts: Vec<(f64, f64)>,
    /// Workers that ended by themselves after they had begun to work.
    broken: Vec<String>,
}

/// Everything that chaos is made of.
struct World<'a> {
    lab: &'a Lab,
    stage: &'a Stage,
    settings: Settings,
    /// Between workers and database, and workers and web.
    wires: [Relay; 2],
    hands: Vec<(Hand, bool)>,
    started: usize,
    /// When those are started again that found no database.
    again: Vec<Instant>,
    killed: Vec<Killed>,
    cuts: Vec<(f64, f64)>,
    broken: Vec<String>,
    rng: Rng,
}

fn disturbed(lab: &Lab, program: &Path, options: &Chaos, sim: &SimWeb, seed: u64) -> Result<Disturbed> {
    let stage = lab.stage("disturbed", sim)?;
    let mut rng = Rng::new(seed);
    let plan = Plan::draw(options, &mut rng);
    let database = ([127, 0, 0, 1], lab.database.port).into();
    let wires = [Relay::start(lab.runtime(), database)?, Relay::start(lab.runtime(), stage.web())?];
    let mut settings = stage.settings(program, options.concurrency, options.delay);
    settings.store = stage.store_behind(wires[0].address);
    settings.web = wires[1].address.to_string();
    let first = hands(&settings, 0..options.workers)?;
    let mut world = World {
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
                stage.served()
            );
            world.happens(event)?;
        }
        world.look()
    })?;
    if let Some((at, event)) = events.next() {
        bail!("the crawl was over before the chaos ({event} at {at:.0} s): give it more pages");
    }
    world.look()?;
    let World { hands, killed, cuts, broken, .. } = world;
    hands.into_iter().try_for_each(|(hand, _)| hand.end())?;
    Ok(Disturbed { crawled: crawled(&stage, since)?, killed, cuts, broken })
}

impl World<'_> {
    fn happens(&mut self, event: Event) -> Result<()> {
        match event {
            Event::Kill if self.hands.len() > 1 => {
                let (hand, _) = self.hands.swap_remove(self.rng.below(self.hands.len()));
                let agent = hand.agent.clone();
                hand.kill()?;
                self.killed.push(Killed { agent, at: self.stage.now(), pending: None });
            }
            // One is always left.
            Event::Kill => {}
            Event::Start => self.start()?,
            Event::Fall => {
                if !self.lab.database.stop_immediately() {
                    bail!("the database did not fall");
                }
            }
            Event::Rise => {
                if !self.lab.database.start_again() {
                    bail!("the database did not rise again");
                }
            }
            Event::Cut { web } => {
                let [database, other] = &self.wires;
                database.cut();
                if web {
                    other.cut();
                    self.cuts.push((self.stage.now(), f64::INFINITY));
                }
            }
            Event::Mend { lossy } => {
                let [database, web] = &self.wires;
                database.mend(lossy);
                // Answers come late, but they come: one that is lost on its way would have to be asked for again.
                web.mend(false);
                if let Some((_, to)) = self.cuts.last_mut().filter(|(_, to)| to.is_infinite()) {
                    *to = self.stage.now();
                }
            }
        }
        Ok(())
    }

    fn start(&mut self) -> Result<()> {
        self.hands.push((Hand::start(&self.settings, self.started)?, false));
        self.started += 1;
        Ok(())
    }

    /// Notes what was pending when workers died, as soon as the database can say it: their hosts are on loan for two
    /// minutes more, so nobody else can have closed anything of theirs. Starts those again that found no database.
    fn look(&mut self) -> Result<()> {
        if self.killed.iter().any(|killed| killed.pending.is_none())
            && let Ok(pending) = self.stage.pending()
        {
            let pending = std::sync::Arc::new(Items::new(pending));
            for killed in self.killed.iter_mut().filter(|killed| killed.pending.is_none()) {
                let late = self.stage.now() - killed.at;
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
            if !hand.is_over() {
                at += 1;
                continue;
            }
            if *ready {
                self.broken.push(format!("worker {} ended by itself: {}", hand.number, hand.words()));
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

fn judge(options: &Chaos, truth: &GroundTruth, calm: &Crawled, disturbed: &Disturbed) -> Result<()> {
    let Disturbed { crawled: wild, killed, cuts, broken } = disturbed;
    let audit = Audit::of(&wild.log, truth, options.delay as f64 / 1e3, cuts);
    let usual: HashMap<String, usize> = audit::counts(&calm.log);
    let repeats = Repeats::of(&wild.log, &usual, killed, &wild.closed);
    let mut faults = broken.clone();
    faults.extend(calm.catalogue.differences(&wild.catalogue));
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
    println!("| records that differ | | {} |", calm.catalogue.differences(&wild.catalogue).len());
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
fn lost(truth: &GroundTruth, calm: &Crawled, wild: &Crawled) -> Vec<String> {
    let trapped = |item: &str| {
        let (host, path) = item.split_once(' ').unwrap_or((item, ""));
        truth.traps.iter().any(|trap| trap.host == host && path.starts_with(&trap.prefix))
    };
    calm.closed.missing_in(&wild.closed).filter(|item| !trapped(item)).map(str::to_owned).collect()
}
