//! Collects the live figures of a running task from the crawl's threads; read twice a second.

use crate::observe::CrawlObserver;
use geotrawl_model::live::{Fetch, LiveFigures, Tallies};
use geotrawl_model::task::JobId;
use geotrawl_model::{CommitSummary, CrawlBatch, OutcomeTally, RunCounters, RunId};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of recent requests to show.
const SHOWN: usize = 30;
/// Periods over which the rates of pages and finds are averaged.
const PAGES_OVER: Duration = Duration::from_secs(10);
const FINDS_OVER: Duration = Duration::from_mins(1);
/// Maximum length of a URL that is shown.
const LONGEST: usize = 500;

/// Observes one task.
#[derive(Default)]
pub struct TaskWatch {
    name: String,
    task: Option<JobId>,
    in_flight: AtomicUsize,
    hosts: AtomicUsize,
    // Separate locks, because requests and commits come from different threads.
    fetches: Mutex<VecDeque<Fetch>>,
    sums: Mutex<WatchSums>,
}

#[derive(Default)]
struct WatchSums {
    tallies: Tallies,
    /// URL and reason of the first failed request.
    first_failure: Option<(String, String)>,
    past: VecDeque<(Instant, u64, u64)>,
}

impl TaskWatch {
    /// Creates a watch for the task of this name.
    pub fn with_name(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Sets the number of the task.
    #[must_use]
    pub fn with_task(self, task: JobId) -> Self {
        Self { task: Some(task), ..self }
    }

    /// Continues the totals of an earlier part of the run.
    pub fn restore_tallies(&self, tallies: Tallies) {
        self.sums().tallies = tallies;
    }

    /// Subtracts totals that were written, so that they are not added twice.
    pub fn subtract_written(&self, tallies: &Tallies) {
        fn take<K: Ord>(sums: &mut BTreeMap<K, u64>, told: &BTreeMap<K, u64>) {
            sums.retain(|key, sum| {
                *sum = sum.saturating_sub(told.get(key).copied().unwrap_or_default());
                *sum > 0
            });
        }
        let mut sums = self.sums();
        take(&mut sums.tallies.pages_by_depth, &tallies.pages_by_depth);
        take(&mut sums.tallies.finds_by_depth, &tallies.finds_by_depth);
        take(&mut sums.tallies.kinds, &tallies.kinds);
        take(&mut sums.tallies.outcomes, &tallies.outcomes);
    }

    /// Returns URL and reason of the first failed request.
    pub fn first_failure(&self) -> Option<(String, String)> {
        self.sums().first_failure.clone()
    }

    /// Returns the current figures.
    pub fn live_figures(&self, run: RunId, counters: RunCounters) -> LiveFigures {
        let now = Instant::now();
        let mut sums = self.sums();
        sums.past.push_back((now, counters.pages + counters.probes, counters.resources));
        while sums.past.front().is_some_and(|(at, ..)| now.duration_since(*at) > FINDS_OVER) {
            sums.past.pop_front();
        }
        let rate = |over: Duration, of: fn(&(Instant, u64, u64)) -> u64| {
            let first = sums.past.iter().find(|(at, ..)| now.duration_since(*at) <= over)?;
            let last = sums.past.back()?;
            let seconds = last.0.duration_since(first.0).as_secs_f32();
            (seconds > 0.0).then(|| of(last).saturating_sub(of(first)) as f32 / seconds)
        };
        LiveFigures {
            run,
            at: jiff::Timestamp::now(),
            in_flight: self.in_flight.load(Ordering::Relaxed) as u32,
            active_hosts: self.hosts.load(Ordering::Relaxed) as u32,
            pages_per_second: rate(PAGES_OVER, |past| past.1).unwrap_or_default(),
            finds_per_minute: rate(FINDS_OVER, |past| past.2).unwrap_or_default() * 60.0,
            tallies: sums.tallies.clone(),
            fetches: self.fetches().iter().cloned().collect(),
            counters,
        }
    }

    /// Returns the final figures of a run, without requests in progress.
    pub fn final_figures(&self, run: RunId, counters: RunCounters) -> LiveFigures {
        let mut live = self.live_figures(run, counters);
        live.fetches.retain(|fetch| fetch.millis.is_some());
        LiveFigures { in_flight: 0, active_hosts: 0, pages_per_second: 0.0, finds_per_minute: 0.0, ..live }
    }

    fn sums(&self) -> MutexGuard<'_, WatchSums> {
        self.sums.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fetches(&self) -> MutexGuard<'_, VecDeque<Fetch>> {
        self.fetches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn shown(url: &str) -> &str {
    url.get(..url.floor_char_boundary(LONGEST)).unwrap_or_default()
}

fn push(fetches: &mut VecDeque<Fetch>, fetch: Fetch) {
    if fetches.len() >= SHOWN {
        // Half the list is for requests in progress, so that one that hangs stays visible, half for
        // finished ones.
        let over = fetches.iter().filter(|fetch| fetch.millis.is_some()).count();
        let gives_way = over > SHOWN / 2;
        let oldest = fetches.iter().position(|fetch| fetch.millis.is_some() == gives_way);
        fetches.remove(oldest.unwrap_or_default());
    }
    fetches.push_back(fetch);
}

impl CrawlObserver for TaskWatch {
    fn task_number(&self) -> Option<i64> {
        self.task
    }

    fn on_fetch_start(&self, url: &str) {
        push(&mut self.fetches(), Fetch { url: shown(url).to_owned(), millis: None, class: None });
    }

    fn on_fetch_end(&self, url: &str, took: Duration, status: u16, failure: Option<&'static str>) {
        let millis = Some(u32::try_from(took.as_millis()).unwrap_or(u32::MAX));
        let class = Some(match (failure, status) {
            (Some(class), _) => class.to_owned(),
            (None, 200..300) => "ok".to_owned(),
            (None, 300..400) => "redirect".to_owned(),
            (None, status) => format!("http-{status}"),
        });
        let url = shown(url);
        let mut fetches = self.fetches();
        match fetches.iter_mut().rev().find(|fetch| fetch.millis.is_none() && fetch.url == url) {
            Some(fetch) => {
                fetch.millis = millis;
                fetch.class = class;
            }
            // Faster requests have already pushed it out of the list.
            None => push(&mut fetches, Fetch { url: url.to_owned(), millis, class }),
        }
    }

    fn on_commit(&self, batch: &CrawlBatch, committed: &CommitSummary) {
        let mut sums = self.sums();
        for done in batch.done.iter().filter(|done| !done.outcome.retry) {
            let outcome = &done.outcome;
            match sums.tallies.outcomes.get_mut(&outcome.class) {
                Some(count) => *count += 1,
                None => {
                    sums.tallies.outcomes.insert(outcome.class.clone(), 1);
                }
            }
            let tally = outcome.tally();
            if tally != OutcomeTally::Skipped && !done.item.intent.is_probe() {
                *sums.tallies.pages_by_depth.entry(done.item.depth).or_default() += 1;
            }
            if tally != OutcomeTally::Answered && sums.first_failure.is_none() {
                sums.first_failure = Some((done.item.url.clone(), outcome.reason.clone()));
            }
        }
        for stored in committed.resources.iter().filter(|stored| stored.first_in_run) {
            let ways = stored.record.provenance.iter().filter(|way| way.task == self.name);
            let depth = ways.map(|way| way.depth).min().unwrap_or_default();
            *sums.tallies.finds_by_depth.entry(depth).or_default() += 1;
            *sums.tallies.kinds.entry(stored.record.resource.kind.clone()).or_default() += 1;
        }
    }

    fn on_pulse(&self, in_flight: usize, hosts: usize) {
        self.in_flight.store(in_flight, Ordering::Relaxed);
        self.hosts.store(hosts, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_requests_are_shown_with_what_became_of_them() {
        let watch = TaskWatch::with_name("a");
        for n in 0..40 {
            watch.on_fetch_start(&format!("http://a.example/{n}"));
        }
        watch.on_fetch_end("http://a.example/39", Duration::from_millis(7), 200, None);
        watch.on_fetch_end("http://a.example/38", Duration::from_millis(8), 0, Some("timeout"));
        watch.on_fetch_end("http://a.example/0", Duration::from_millis(9), 404, None);
        let live = watch.live_figures(1, RunCounters::default());
        assert_eq!(live.fetches.len(), SHOWN);
        let of = |n: usize| {
            let fetch =
                live.fetches.iter().find(|fetch| fetch.url == format!("http://a.example/{n}")).unwrap();
            (fetch.millis, fetch.class.clone().unwrap_or_default())
        };
        assert_eq!(of(39), (Some(7), "ok".into()));
        assert_eq!(of(38), (Some(8), "timeout".into()));
        assert_eq!(of(0), (Some(9), "http-404".into()));
        assert_eq!(of(37), (None, String::new()));
        assert_eq!(watch.final_figures(1, RunCounters::default()).fetches.len(), 3);
    }

    #[test]
    fn a_request_that_hangs_stays_in_sight() {
        let watch = TaskWatch::with_name("a");
        watch.on_fetch_start("http://slow.example/");
        for n in 0..100 {
            let url = format!("http://quick.example/{n}");
            watch.on_fetch_start(&url);
            watch.on_fetch_end(&url, Duration::from_millis(1), 200, None);
        }
        let live = watch.live_figures(1, RunCounters::default());
        assert_eq!(live.fetches.len(), SHOWN);
        assert!(live.fetches.iter().any(|fetch| fetch.url == "http://slow.example/"));
    }
}
