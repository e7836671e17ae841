//! The scheduler: decides what to visit next, when a seed group is exhausted, and when the crawl is
//! over.

use super::seed_stage::SeedStage;
use super::{CrawlError, CrawlFlags, CrawlRun};
use crate::focus::queue::QueueRanker;
use crate::focus::stops::StopRules;
use crate::frontier::{Frontier, HostSource, NextAction, SchedulerSignal, VisitDispatch};
use crate::leased::RetryingStore;
use crate::options::CrawlOptions;
use crate::outcome;
use crate::resources::CrawlShare;
use crate::visit::Visitor;
use crossbeam_channel::Receiver;
use geotrawl_model::{FrontierEntry, Intent};
use std::sync::Arc;
use std::sync::atomic::Ordering as Memory;
use std::time::{Duration, Instant};

/// How often the scheduler checks its state when no signal arrives.
const LOOK: Duration = Duration::from_millis(500);

/// The thread that dispatches visits.
pub(crate) struct Scheduler<'a> {
    pub crawl: &'a CrawlRun,
    pub store: &'a RetryingStore,
    pub visitor: &'a Arc<Visitor>,
    pub flags: &'a CrawlFlags,
    pub signals: Receiver<SchedulerSignal>,
}

/// When a crawl has to end.
struct CrawlDeadlines {
    /// When the task's time limit is reached.
    deadline: Option<Instant>,
    /// Until when a stopped crawl waits for visits in flight.
    stop_by: Option<Instant>,
    grace: Duration,
}

impl CrawlDeadlines {
    fn stop(&mut self) {
        self.stop_by = self.stop_by.or(Some(Instant::now() + self.grace));
    }
}

/// Result of a round of dispatching.
struct DispatchRound {
    /// When there may be more to dispatch.
    wake: Instant,
    /// Whether nothing can be dispatched before a request comes back or is committed.
    idle: bool,
    /// Number of requests that the crawl may have in flight.
    allowed: usize,
}

impl Scheduler<'_> {
    /// Dispatches visits until none are left; returns `true` when the crawl was stopped before.
    pub fn run(self, seeds: &mut SeedStage<'_>, hosts: &mut dyn HostSource) -> Result<bool, CrawlError> {
        let mut frontier = self.frontier(hosts)?;
        let resources = &self.crawl.resources;
        let mut limits =
            CrawlDeadlines { deadline: self.deadline()?, stop_by: None, grace: resources.shutdown_grace };
        let share = resources.requests.add_crawl();
        loop {
            let now = Instant::now();
            let is_late = limits.deadline.is_some_and(|deadline| now >= deadline);
            if is_late || self.flags.stop.load(Memory::Acquire) {
                limits.stop();
            }
            let round = self.dispatch(&mut frontier, &share, &limits, now)?;
            if limits.stop_by.is_some_and(|by| frontier.unfinished_count() == 0 || now >= by) {
                if is_late && !self.flags.stop.load(Memory::Acquire) {
                    seeds.end_group("The time limit of the task was reached")?;
                    return Ok(false);
                }
                return Ok(true);
            }
            if limits.stop_by.is_none() && round.idle && frontier.is_exhausted(now)? {
                if !open_next_group(&frontier, seeds)? {
                    return Ok(false);
                }
                frontier.note_new_seeds();
                continue;
            }
            let has_room = frontier.in_flight() < round.allowed;
            let look = frontier.next_lookup().filter(|at| *at > now && has_room);
            let wake = look.map_or(round.wake, |at| round.wake.min(at));
            self.listen(&mut frontier, wake, &mut limits)?;
        }
    }

    /// Dispatches as many visits as this crawl's share of requests allows.
    fn dispatch(
        &self,
        frontier: &mut Frontier<'_>,
        share: &CrawlShare,
        limits: &CrawlDeadlines,
        now: Instant,
    ) -> Result<DispatchRound, CrawlError> {
        let allowed = share.allowance(frontier.in_flight());
        let mut round = DispatchRound { wake: now + LOOK, idle: false, allowed };
        if let Some(deadline) = limits.deadline.filter(|deadline| *deadline > now) {
            round.wake = round.wake.min(deadline);
        }
        frontier.set_demand(allowed);
        while limits.stop_by.is_none() && frontier.in_flight() < allowed {
            match frontier.next(Instant::now())? {
                NextAction::Visit(dispatch) => self.visit(frontier, *dispatch)?,
                NextAction::Skip(item, class, reason) => {
                    self.visitor.close_item(*item, outcome::skipped_outcome(class, reason));
                }
                NextAction::Wait(at) => {
                    round.wake = round.wake.min(at);
                    break;
                }
                NextAction::Idle => {
                    round.idle = true;
                    break;
                }
            }
        }
        share.report_in_flight(frontier.in_flight());
        // Tells the commit stage not to wait for a fuller batch.
        let hungry = (round.idle && frontier.in_flight() == 0) || limits.stop_by.is_some();
        self.flags.hungry.store(hungry, Memory::Release);
        self.visitor.observer.on_pulse(frontier.in_flight(), frontier.active_hosts());
        Ok(round)
    }

    fn visit(&self, frontier: &mut Frontier<'_>, mut dispatch: VisitDispatch) -> Result<(), CrawlError> {
        dispatch.since = self.since(&dispatch.item)?;
        if let Some(record) = frontier.take_robots(dispatch.item.host) {
            self.visitor.client.preload_robots(&record);
        }
        self.visitor.start_visit(dispatch);
        Ok(())
    }

    /// Handles signals until `wake`, and all that are waiting after the first one.
    fn listen(
        &self,
        frontier: &mut Frontier<'_>,
        wake: Instant,
        limits: &mut CrawlDeadlines,
    ) -> Result<(), CrawlError> {
        let timeout = wake.saturating_duration_since(Instant::now());
        let Ok(first) = self.signals.recv_timeout(timeout) else { return Ok(()) };
        for signal in std::iter::once(first).chain(self.signals.try_iter()) {
            match signal {
                SchedulerSignal::Free { host, url, seen } => frontier.note_visit_end(host, &url, &seen),
                SchedulerSignal::Committed { ids, gained, turned } => {
                    frontier.note_commit(&ids, &gained, Instant::now());
                    frontier.note_yields(turned)?;
                }
                SchedulerSignal::Abandoned { host, item } => {
                    frontier.note_abandoned(host, item, Instant::now());
                }
                SchedulerSignal::Lost(hosts) => frontier.drop_lost_hosts(&hosts),
                SchedulerSignal::Stop => limits.stop(),
            }
        }
        Ok(())
    }

    fn frontier<'s>(&'s self, hosts: &'s mut dyn HostSource) -> Result<Frontier<'s>, CrawlError> {
        let options = &self.crawl.spec.options;
        let run = self.crawl.task.run;
        let widths = self.store.retry(|store| store.list_seed_groups(run))?;
        let given_up = widths.iter().filter(|width| width.given_up).map(|width| width.width);
        let stops = StopRules::new(options.dry_page_limit(), given_up);
        let weigher = QueueRanker::new(&self.visitor.ordering);
        let per_host = self.crawl.resources.fetch.politeness.per_host;
        Ok(Frontier::new((self.store, run), hosts, options, per_host, weigher, stops))
    }

    /// Returns when the task's time limit is reached.
    fn deadline(&self) -> Result<Option<Instant>, CrawlError> {
        let Some(seconds) = self.crawl.spec.options.max_seconds else { return Ok(None) };
        let taken = self.store.retry(|store| store.time_taken(self.crawl.task.run))?;
        let taken = Duration::from_millis(taken);
        let left = Duration::from_secs(seconds).saturating_sub(taken);
        // Too far away for the clock: never.
        Ok(Instant::now().checked_add(left))
    }

    /// Returns the time since which changes are requested, for the first page of a catalogue.
    fn since(&self, item: &FrontierEntry) -> Result<Option<String>, CrawlError> {
        let CrawlOptions { incremental, since, .. } = &self.crawl.spec.options;
        let Intent::Harvest { connector, page: 0, .. } = &item.intent else { return Ok(None) };
        if since.is_some() || !incremental {
            return Ok(since.clone());
        }
        let at = self.store.retry(|store| store.last_harvest_start(&item.url, connector))?;
        Ok(at.map(|at| at.to_string()))
    }
}

/// Opens the next group of seeds when nothing is left of the open one; returns `false` when there is none.
fn open_next_group(frontier: &Frontier<'_>, seeds: &mut SeedStage<'_>) -> Result<bool, CrawlError> {
    if frontier.is_out_of_pages() {
        seeds.end_group("The page limit of the task was reached")?;
        return Ok(false);
    }
    seeds.open_next_group(if frontier.has_resting_hosts() {
        "The remaining hosts asked us to come back later"
    } else {
        "All reachable pages were read"
    })
}
