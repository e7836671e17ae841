//! The model for large webs. The pages of a host become a flow: only the beginning and the end of each host are events.
//!
//! A host that is on loan is read at the pace that politeness allows, unless something that all share is used up:
//! then all flows are slowed by the same factor. So the plan (which host is read when) is made in a time of its own, in
//! which nothing is short, by a heap of the moments when places become free; real time passes the slower against it, the
//! more of the shared things is wanted. What is short is found by asking every one of them how many pages a second it
//! bears.

use super::costs::{Costs, Database};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Looks for hosts of one worker in a second, at most: while there are fewer than it wants.
const LOOKS: f64 = 10.0;

/// No pace is higher than this, in pages a second.
pub const MOST: f64 = 1e9;

/// When hosts end, in the time of the plan.
pub struct Plan {
    /// Moments at which one host ended and no other took its place, rising.
    ends: Vec<f64>,
    /// Until here all places are taken.
    full_until: f64,
    places: usize,
    pages: f64,
    hosts: usize,
}

/// What came out.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Pages a second while there is work for everybody.
    pub rate: f64,
    /// What keeps it from being faster then.
    pub bottleneck: &'static str,
    /// Seconds until half, nine tenths, 99 % and all of the pages are read.
    pub half: f64,
    pub most: f64,
    pub nearly: f64,
    pub all: f64,
}

/// Plans who reads which host when.
pub fn plan(costs: &Costs, sizes: &[u32], workers: usize) -> Plan {
    let places = (workers * costs.worker_hosts as usize).min(sizes.len()).max(1);
    let cycle = costs.cycle();
    // A host is left when its last pause is over and its last batch is safe; the next one is taken when the worker looks.
    let safe = costs.batch_age / 2.0 + costs.commit_time(1.0);
    let between = costs.latency + safe.max(cycle - costs.latency) + costs.lease_cpu(1.0) + 0.05;
    // Whole microseconds have an order.
    let takes = |size: u32| ((f64::from(size) * cycle + between) * 1e6) as u64;
    let mut free: BinaryHeap<Reverse<u64>> = BinaryHeap::with_capacity(places);
    let mut full_until = 0;
    for (nth, size) in sizes.iter().enumerate() {
        let start = if nth < places { 0 } else { free.pop().map_or(0, |Reverse(at)| at) };
        full_until = start;
        free.push(Reverse(start + takes(*size)));
    }
    let mut ends: Vec<f64> = free.into_iter().map(|Reverse(at)| at as f64 / 1e6).collect();
    ends.sort_unstable_by(f64::total_cmp);
    let pages = sizes.iter().map(|size| f64::from(*size)).sum();
    Plan { ends, full_until: full_until as f64 / 1e6, places, pages, hosts: sizes.len() }
}

/// Runs a plan against a database.
pub fn run(costs: &Costs, database: &Database, plan: &Plan, workers: usize) -> Outcome {
    let limits = limits(costs, database, plan, workers);
    let least = limits.into_iter().min_by(|one, other| one.1.total_cmp(&other.1));
    let (short, limit) = least.unwrap_or(("", MOST));
    let pace = 1.0 / costs.cycle();
    let wanted = plan.places as f64 * pace;
    let slowed = |active: f64| (limit / (active * pace)).min(1.0);
    // The area under the number of active hosts is the work; requests that are no pages are part of it.
    let tail: f64 = plan.ends.iter().map(|end| (end - plan.full_until).max(0.0)).sum();
    let area = plan.full_until * plan.places as f64 + tail;
    let marks = [0.5, 0.9, 0.99].map(|share| share * area);
    let mut reached = [0.0; 3];
    let (mut done, mut clock, mut at) = (0.0, 0.0, 0.0);
    let mut step = |until: f64, active: f64| {
        let length: f64 = until - at;
        if length <= 0.0 {
            return;
        }
        let slower = slowed(active);
        for (mark, moment) in marks.iter().zip(&mut reached) {
            if done < *mark && *mark <= done + length * active {
                *moment = clock + (mark - done) / active / slower;
            }
        }
        done += length * active;
        clock += length / slower;
        at = until;
    };
    step(plan.full_until, plan.places as f64);
    for (nth, end) in plan.ends.iter().enumerate() {
        step(*end, (plan.places - nth) as f64);
    }
    let bottleneck = if limit < wanted {
        short
    } else if plan.places < workers * costs.worker_hosts as usize {
        "politeness (all hosts are on loan)"
    } else {
        "hosts that a worker holds"
    };
    let [half, most, nearly] = reached;
    Outcome { rate: wanted.min(limit), bottleneck, half, most, nearly, all: clock }
}

/// Who asks for what.
struct Load<'a> {
    costs: &'a Costs,
    database: &'a Database,
    workers: f64,
    /// Pages in all, and hosts that are lent when another has ended.
    pages: f64,
    lent_later: f64,
}

/// What each of the shared things bears, in pages a second, when so many workers ask.
pub fn limits(costs: &Costs, database: &Database, plan: &Plan, workers: usize) -> Vec<(&'static str, f64)> {
    let lent_later = (plan.hosts - plan.places) as f64;
    let load = Load { costs, database, workers: workers as f64, pages: plan.pages, lent_later };
    let bears = |used: &Use| {
        // The share that is used grows with the pace: the pace at which it is all.
        let (mut low, mut high) = (0.0, MOST);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if used(&load, middle) < 1.0 { low = middle } else { high = middle }
        }
        low
    };
    USES.iter().map(|(name, used)| (*name, bears(used))).collect()
}

/// The share of a thing that is in use at a pace.
type Use = fn(&Load<'_>, f64) -> f64;

const USES: &[(&str, Use)] = &[
    ("CPU of the workers", |load, pace| {
        pace * load.costs.page_cpu / (load.workers * load.costs.worker_cores)
    }),
    // One writer a worker, one commit at a time.
    ("writers of the workers", |load, pace| {
        let batch = load.costs.batch_pages;
        let extra = load.database.phases * (load.costs.flush + load.costs.round_trip);
        pace / (load.workers * batch) * (load.costs.commit_time(batch) + extra)
    }),
    ("CPU of the database", |load, pace| load.database_cpu(pace) / load.database.cores),
    // Batches grow while they wait for each other: it is short only when they can grow no more.
    ("the end of a commit (catalogue and run)", |load, pace| {
        let batch = load.costs.batch_pages;
        pace / batch * load.database.tail(load.costs, batch)
    }),
    ("random reads of the database", |load, pace| {
        let missing = (1.0 - load.database.cache / (load.pages * load.costs.seen_row)).max(0.0);
        pace * load.costs.cold_reads * missing / load.database.reads
    }),
    ("writes of the database", |load, pace| {
        // After a checkpoint the first change of a page logs it whole, and the page itself is written, too.
        let page_bytes = 8192.0;
        let all = load.pages * load.costs.seen_row / page_bytes / load.costs.checkpoint;
        let whole = (pace * load.costs.dirty_pages).min(all);
        (pace * load.costs.wal_page + whole * page_bytes * 2.0) / load.database.writes
    }),
];

impl Load<'_> {
    /// Pages of a batch at a pace: what gathers while a batch ages, or while those of all others are at their end.
    fn batch(&self, pace: f64) -> f64 {
        let mut pages = 1.0;
        for _ in 0..20 {
            let waits = self.costs.batch_age.max(self.workers * self.database.tail(self.costs, pages));
            pages = (pace / self.workers * waits).clamp(1.0, self.costs.batch_pages);
        }
        pages
    }

    /// Cores of the database that are at work at a pace.
    fn database_cpu(&self, pace: f64) -> f64 {
        let (costs, batch) = (self.costs, self.batch(pace));
        let commits = pace / batch * costs.commit_cpu(batch);
        let reads = pace * costs.driver_share * costs.read_pending / costs.items_a_read;
        let hosts_ended = pace * self.lent_later / self.pages;
        // Workers look at most ten times a second, for as many hosts as have ended meanwhile.
        let looks = hosts_ended.min(self.workers * LOOKS) * costs.driver_share * costs.look;
        let lending = hosts_ended * costs.driver_share * costs.lend * 2.0;
        let renewing =
            self.workers * costs.worker_hosts * costs.driver_share * costs.renew / costs.renew_every;
        (commits + reads) * (1.0 + self.database.spreading) + looks + lending + renewing
    }
}
