//! The exact model: every request, every batch and every statement is an event. For small webs, to check the other one.

use super::costs::{Costs, Database};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Moments are whole microseconds, so that they have an order.
type Moment = u64;

/// Spacing of the looks for hosts of one worker, as `borrowed.rs` has it.
const NEXT_LOOK: f64 = 0.1;
/// Finished pages that may wait for the writer, in batches.
const BACKLOG: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A request to a host begins.
    Request { worker: usize, host: usize },
    /// Its answer is there.
    Answer { worker: usize, host: usize },
    /// The pause after the last answer of a host is over: only then its worker sees that nothing is left to ask.
    Rested { worker: usize, host: usize },
    /// A page is read.
    Read { worker: usize, host: usize },
    /// A batch may be old enough.
    Due { worker: usize },
    /// The database has done its part, and the last part of a commit may begin.
    Tail { worker: usize },
    /// A batch is safe.
    Committed { worker: usize },
    /// Look for hosts.
    Look { worker: usize },
    /// Hosts are lent.
    Lent { worker: usize },
    /// Loans are renewed.
    Renew { worker: usize },
}

/// Several servers with one line before them.
struct Station {
    free_at: BinaryHeap<Reverse<Moment>>,
}

impl Station {
    fn new(servers: usize) -> Self {
        Self { free_at: (0..servers.max(1)).map(|_| Reverse(0)).collect() }
    }

    /// When something that arrives now will be done.
    fn serve(&mut self, now: Moment, takes: f64) -> Moment {
        let free = self.free_at.pop().map_or(0, |Reverse(free)| free);
        let done = free.max(now) + micros(takes);
        self.free_at.push(Reverse(done));
        done
    }
}

struct Worker {
    cpu: Station,
    held: usize,
    /// Pages read and not yet in a commit, by host.
    waiting: VecDeque<usize>,
    opened: Option<Moment>,
    committing: Vec<usize>,
    stalled: Vec<usize>,
    looking: bool,
}

fn micros(seconds: f64) -> Moment {
    (seconds * 1e6).round().max(0.0) as Moment
}

/// A crawl of these hosts; how many seconds it takes.
pub fn run(costs: &Costs, database: &Database, sizes: &[u32], workers: usize) -> f64 {
    let mut model = Model {
        costs,
        database,
        cpu: Station::new(database.cores as usize),
        tail: Station::new(1),
        next_host: 0,
        // One request more than pages: robots.txt.
        requests_left: sizes.iter().map(|size| size + 1).collect(),
        // And its last pause.
        unfinished: sizes.iter().map(|size| size + 2).collect(),
        hosts_left: sizes.len(),
        events: BinaryHeap::new(),
        workers: (0..workers)
            .map(|_| Worker {
                cpu: Station::new(costs.worker_cores as usize),
                held: 0,
                waiting: VecDeque::new(),
                opened: None,
                committing: Vec::new(),
                stalled: Vec::new(),
                looking: true,
            })
            .collect(),
    };
    for worker in 0..workers {
        model.at(0, Event::Look { worker });
        model.at(micros(costs.renew_every), Event::Renew { worker });
    }
    model.go()
}

struct Model<'a> {
    costs: &'a Costs,
    database: &'a Database,
    cpu: Station,
    tail: Station,
    next_host: usize,
    requests_left: Vec<u32>,
    /// Requests of a host that no commit has taken yet, and its last pause.
    unfinished: Vec<u32>,
    hosts_left: usize,
    events: BinaryHeap<Reverse<(Moment, Event)>>,
    workers: Vec<Worker>,
}

impl Model<'_> {
    fn at(&mut self, moment: Moment, event: Event) {
        self.events.push(Reverse((moment, event)));
    }

    fn go(&mut self) -> f64 {
        while let Some(Reverse((now, event))) = self.events.pop() {
            self.happens(now, event);
            if self.hosts_left == 0 {
                return now as f64 / 1e6;
            }
        }
        f64::INFINITY
    }

    fn happens(&mut self, now: Moment, event: Event) {
        let costs = self.costs;
        match event {
            Event::Request { worker, host } => {
                let full = BACKLOG * costs.batch_pages as usize;
                if self.workers[worker].waiting.len() >= full {
                    return self.workers[worker].stalled.push(host);
                }
                self.requests_left[host] -= 1;
                self.at(now + micros(costs.latency), Event::Answer { worker, host });
            }
            Event::Answer { worker, host } => {
                let read = self.workers[worker].cpu.serve(now, costs.page_cpu);
                self.at(read, Event::Read { worker, host });
                let pause = costs.cycle() - costs.latency;
                let next = if self.requests_left[host] > 0 {
                    Event::Request { worker, host }
                } else {
                    Event::Rested { worker, host }
                };
                self.at(now + micros(pause), next);
            }
            Event::Rested { worker, host } => {
                let left = self.passed(host);
                self.give_back(now, worker, left);
            }
            Event::Read { worker, host } => {
                self.workers[worker].waiting.push_back(host);
                if self.workers[worker].opened.is_none() {
                    self.workers[worker].opened = Some(now);
                    self.at(now + micros(costs.batch_age), Event::Due { worker });
                }
                self.commit(now, worker);
            }
            Event::Due { worker } => self.commit(now, worker),
            Event::Tail { worker } => {
                let takes = self.database.tail(costs, self.workers[worker].committing.len() as f64);
                let done = self.tail.serve(now, takes);
                self.at(done, Event::Committed { worker });
            }
            Event::Committed { worker } => self.committed(now, worker),
            Event::Look { worker } => {
                let room = (costs.worker_hosts as usize).saturating_sub(self.workers[worker].held);
                let takes = costs.lease_cpu(room as f64);
                let done = self.cpu.serve(now, takes) + micros(costs.round_trip * 3.0);
                self.at(done, Event::Lent { worker });
            }
            Event::Lent { worker } => self.lent(now, worker),
            Event::Renew { worker } => {
                let takes = costs.driver_share * costs.renew * self.workers[worker].held as f64;
                self.cpu.serve(now, takes);
                self.at(now + micros(costs.renew_every), Event::Renew { worker });
            }
        }
    }

    /// Commits what waits, when it is time and the writer has nothing else to do.
    fn commit(&mut self, now: Moment, worker: usize) {
        let costs = self.costs;
        let own = &mut self.workers[worker];
        let most = costs.batch_pages as usize;
        let due =
            own.opened.is_some_and(|at| now >= at + micros(costs.batch_age)) || own.waiting.len() >= most;
        if !due || !own.committing.is_empty() || own.waiting.is_empty() {
            return;
        }
        let pages = own.waiting.len().min(most);
        own.committing = own.waiting.drain(..pages).collect();
        own.opened = (!own.waiting.is_empty()).then_some(now);
        let pages = pages as f64;
        let reads = costs.driver_share * pages * costs.read_pending / costs.items_a_read;
        let takes = (costs.commit_cpu(pages) + reads) * (1.0 + self.database.spreading);
        let done = self.cpu.serve(now, takes) + micros(costs.commit_trips * costs.round_trip);
        if !self.workers[worker].waiting.is_empty() {
            self.at(now + micros(costs.batch_age), Event::Due { worker });
        }
        self.at(done, Event::Tail { worker });
    }

    fn committed(&mut self, now: Moment, worker: usize) {
        let taken = std::mem::take(&mut self.workers[worker].committing);
        let left = taken.into_iter().map(|host| self.passed(host)).sum();
        self.give_back(now, worker, left);
        for host in std::mem::take(&mut self.workers[worker].stalled) {
            self.at(now, Event::Request { worker, host });
        }
        self.commit(now, worker);
    }

    /// One of the things is over that keep a host with its worker; 1 if it was the last.
    fn passed(&mut self, host: usize) -> usize {
        self.unfinished[host] -= 1;
        usize::from(self.unfinished[host] == 0)
    }

    /// So many hosts are given back; the worker looks for others.
    fn give_back(&mut self, now: Moment, worker: usize, hosts: usize) {
        self.hosts_left -= hosts;
        let own = &mut self.workers[worker];
        own.held -= hosts;
        if hosts > 0 && !own.looking && self.next_host < self.requests_left.len() {
            own.looking = true;
            self.at(now + micros(NEXT_LOOK / 2.0), Event::Look { worker });
        }
    }

    fn lent(&mut self, now: Moment, worker: usize) {
        let room = (self.costs.worker_hosts as usize).saturating_sub(self.workers[worker].held);
        let lent = room.min(self.requests_left.len() - self.next_host);
        for host in self.next_host..self.next_host + lent {
            self.at(now, Event::Request { worker, host });
        }
        self.next_host += lent;
        self.workers[worker].held += lent;
        self.workers[worker].looking = false;
    }
}
