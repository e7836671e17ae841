//! Hands out work: which item is asked for next, when a group of seeds is exhausted, and when the crawl is over.

use crate::fetch::Client;
use crate::focus::groups::Groups;
use crate::focus::queue::Weigher;
use crate::focus::stops::StopRules;
use crate::frontier::{Bounds, Frontier, Held, Next, Pauses, Signal};
use crate::means::Means;
use crate::options::CrawlOptions;
use crate::outcome;
use crate::pipeline::{Crawl, CrawlError, Flags};
use crate::visit::Visitor;
use crossbeam_channel::Receiver;
use geotrawl_kinds::probe::Intent;
use geotrawl_kinds::urls;
use geotrawl_rank::Ordering;
use geotrawl_store::{Item, OpenTask, Store};
use std::sync::Arc;
use std::sync::atomic::Ordering as Memory;
use std::time::{Duration, Instant};

/// When nothing is left but hosts that asked us to stay away for longer than this, a group of seeds is over.
const LONGEST_REST: Duration = Duration::from_mins(1);

/// The thread that hands out work.
pub(crate) struct Scheduler<'a> {
    pub crawl: &'a Crawl,
    pub store: &'a dyn Store,
    pub task: &'a OpenTask,
    pub means: &'a Means,
    pub visitor: &'a Arc<Visitor>,
    pub flags: &'a Flags,
}

/// How a schedule ended.
#[derive(Default)]
pub(crate) struct Ended {
    /// Somebody stopped it.
    pub interrupted: bool,
    /// Hosts still on loan, to be given back when all is committed.
    pub held: Vec<Held>,
    /// Pages claimed of the budget and not read.
    pub claimed: u64,
}

/// Politeness as the client knows it.
pub(crate) struct ClientPauses<'a> {
    pub client: &'a Client,
    /// Whether hosts are borrowed: then what is left of a pause goes with them.
    pub shared: bool,
}

impl Pauses for ClientPauses<'_> {
    fn ready_at(&self, host: &str) -> Option<Instant> {
        let name = if self.shared { name_of(host) } else { host };
        self.client.ready_at(name).map(tokio::time::Instant::into_std)
    }

    fn rest(&self, host: &str, rest: Duration) {
        self.client.rest(name_of(host), rest);
    }
}

/// The name in scheme, name and port.
fn name_of(host: &str) -> &str {
    let rest = host.split_once("://").map_or(host, |(_, rest)| rest);
    let is_port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    rest.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(rest, |(name, _)| name)
}

impl Scheduler<'_> {
    /// Hands out work until there is none; what is on loan then is noted in `ended`, also when it fails.
    pub fn run(
        &self,
        signals: &Receiver<Signal>,
        ordering: &Arc<dyn Ordering>,
        groups: &mut Groups<'_>,
        ended: &mut Ended,
    ) -> Result<(), CrawlError> {
        let mut frontier = self.frontier(ordering)?;
        let outcome = self.hand_out(&mut frontier, signals, groups);
        (ended.held, ended.claimed) = frontier.give_up();
        ended.interrupted = outcome?;
        Ok(())
    }

    /// Hands out work until there is none; `true` when somebody stopped it.
    fn hand_out(
        &self,
        frontier: &mut Frontier<'_>,
        signals: &Receiver<Signal>,
        groups: &mut Groups<'_>,
    ) -> Result<bool, CrawlError> {
        let (means, visitor, flags) = (self.means, self.visitor, self.flags);
        let deadline = self.deadline()?;
        let shared = self.store.is_shared();
        let pauses = ClientPauses { client: &visitor.client, shared };
        let mut stop_by: Option<Instant> = None;
        let share = means.share.join();
        loop {
            let now = Instant::now();
            let late = deadline.is_some_and(|deadline| now >= deadline);
            if late || flags.stop.load(Memory::Acquire) {
                stop_by = stop_by.or(Some(now + means.patience));
            }
            let concurrency = share.allowance(frontier.in_flight());
            let mut wake = now + Duration::from_millis(500);
            wake = deadline.filter(|deadline| *deadline > now).map_or(wake, |deadline| wake.min(deadline));
            let mut idle = false;
            let mut resting = false;
            frontier.serve(concurrency);
            while stop_by.is_none() && frontier.in_flight() < concurrency && !means.loans.store_is_away() {
                match frontier.next(Instant::now(), &pauses)? {
                    Next::Visit(mut dispatch) => {
                        dispatch.since = self.since(&dispatch.item)?;
                        if let Some(record) = frontier.take_robots(dispatch.item.host) {
                            visitor.client.preload(&record);
                        }
                        visitor.start(*dispatch);
                    }
                    Next::Skip(item, class, reason) => visitor.close(*item, outcome::skipped(class, reason)),
                    Next::Wait(at) => {
                        resting = !shared && frontier.unfinished() == 0 && at > now + LONGEST_REST;
                        wake = wake.min(at);
                        break;
                    }
                    Next::Idle => {
                        idle = true;
                        break;
                    }
                }
            }
            share.report(frontier.in_flight());
            flags.hungry.store((idle && frontier.in_flight() == 0) || stop_by.is_some(), Memory::Release);
            self.crawl.observer.pulse(frontier.in_flight(), frontier.hosts());
            if stop_by.is_some_and(|by| frontier.unfinished() == 0 || now >= by) {
                if late && !flags.stop.load(Memory::Acquire) {
                    groups.end("The time of the task is used up")?;
                    return Ok(false);
                }
                return Ok(true);
            }
            if stop_by.is_none() && (resting || idle && frontier.exhausted(now, &pauses)?) {
                if !go_on(frontier, groups, resting || frontier.left_resting())? {
                    return Ok(false);
                }
                frontier.reopened();
                continue;
            }
            if let Some(at) = frontier.look_at().filter(|at| *at > now && frontier.in_flight() < concurrency)
            {
                wake = wake.min(at);
            }
            let timeout = wake.saturating_duration_since(Instant::now());
            let Ok(first) = signals.recv_timeout(timeout) else { continue };
            for signal in std::iter::once(first).chain(signals.try_iter()) {
                match signal {
                    Signal::Free { host, url, seen } => {
                        let at = pauses.ready_at(&urls::host_key(&url)).unwrap_or_else(Instant::now);
                        frontier.free(host, &url, &seen, at);
                    }
                    Signal::Committed { ids, gained, turned } => {
                        frontier.committed(&ids, &gained, Instant::now());
                        frontier.turned(turned)?;
                    }
                    Signal::Abandoned { host, item } => frontier.abandoned(host, item, Instant::now()),
                    Signal::Lost(hosts) => frontier.lost(&hosts),
                    Signal::Stop => stop_by = stop_by.or(Some(Instant::now() + means.patience)),
                }
            }
        }
    }

    fn frontier(&self, ordering: &Arc<dyn Ordering>) -> Result<Frontier<'_>, CrawlError> {
        let Crawl { fetch, options, .. } = self.crawl;
        let concurrency = fetch.concurrency.max(1);
        let shared = self.store.is_shared();
        let bounds = Bounds {
            per_host: fetch.politeness.per_host,
            // What is shared is left to others where it cannot be served at once.
            most_active: if shared { concurrency } else { (concurrency * 4).max(1_024) },
            pages_done: self.task.counters.pages,
        };
        let widths = self.store.widths(self.task.run)?;
        let given_up = widths.iter().filter(|width| width.given_up).map(|width| width.width);
        let stops = StopRules::new(options.patience(), given_up);
        let weigher = Weigher::new(ordering);
        let frontier = Frontier::new(self.store, self.task.run, options, bounds, weigher, stops);
        Ok(if shared { frontier.borrowing(Arc::clone(&self.means.loans)) } else { frontier })
    }

    /// When the time of the task is used up.
    fn deadline(&self) -> Result<Option<Instant>, CrawlError> {
        let Some(seconds) = self.crawl.options.max_seconds else { return Ok(None) };
        let taken = Duration::from_millis(self.store.time_taken(self.task.run)?);
        let left = Duration::from_secs(seconds).saturating_sub(taken);
        // So far away that the clock cannot say it: never.
        Ok(Instant::now().checked_add(left))
    }

    /// Since when changes are wanted, for the first page of a catalogue.
    fn since(&self, item: &Item) -> Result<Option<String>, CrawlError> {
        let CrawlOptions { incremental, since, .. } = &self.crawl.options;
        if !item.intent.starts_with("harvest:") || !(*incremental || since.is_some()) {
            return Ok(None);
        }
        match Intent::parse(&item.intent) {
            Intent::Harvest { connector, page: 0, .. } => match since {
                Some(moment) => Ok(Some(moment.clone())),
                None => Ok(self.store.harvested_at(&item.url, &connector)?.map(|at| at.to_string())),
            },
            _ => Ok(None),
        }
    }
}

/// Nothing is left of the open group of seeds: whether there is another.
fn go_on(frontier: &Frontier<'_>, groups: &mut Groups<'_>, resting: bool) -> Result<bool, CrawlError> {
    if frontier.out_of_pages() {
        groups.end("The pages of the task are used up")?;
        return Ok(false);
    }
    groups.next(if resting {
        "What is left asked us to come back later"
    } else {
        "Everything within reach was read"
    })
}
