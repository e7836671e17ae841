//! Progress of a crawl: live counters on a terminal, plain lines elsewhere, JSON for machines.

use crate::commands::harvest::record_object;
use crate::output::{self, format_count, format_thousands, sanitize_line};
use geotrawl_crawl::observe::CrawlObserver;
use geotrawl_model::{CommitSummary, CrawlBatch, Record};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Output format of a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressFormat {
    /// Lines for people.
    Text,
    /// One JSON object per line.
    Json,
}

/// Observes a crawl and reports its progress.
pub struct CrawlProgress {
    show: ProgressFormat,
    quiet: bool,
    /// Whether harvested catalogue records are printed as well.
    records: bool,
    bar: ProgressBar,
    state: Mutex<ProgressState>,
}

/// Counters of this process.
#[derive(Debug)]
struct ProgressState {
    started: Instant,
    last_line: Instant,
    pages: u64,
    probes: u64,
    failures: u64,
    links: u64,
    fetching: String,
    in_flight: usize,
    hosts: usize,
    kinds: BTreeMap<String, u64>,
    /// Number of catalogue pages, and of the records on them.
    harvested: (u64, u64),
    /// Seeds that could not be read, with the reason.
    failed_seeds: Vec<(String, String)>,
}

impl CrawlProgress {
    /// Creates a progress display; live counters are shown only if stderr is a terminal.
    pub fn new(show: ProgressFormat, quiet: bool) -> Self {
        let live = !quiet && std::io::stderr().is_terminal();
        let target = if live { ProgressDrawTarget::stderr_with_hz(8) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        let now = Instant::now();
        let state = ProgressState {
            started: now,
            last_line: now,
            pages: 0,
            probes: 0,
            failures: 0,
            links: 0,
            fetching: String::new(),
            in_flight: 0,
            hosts: 0,
            kinds: BTreeMap::new(),
            harvested: (0, 0),
            failed_seeds: Vec::new(),
        };
        Self { show, quiet, records: false, bar, state: Mutex::new(state) }
    }

    /// Prints harvested catalogue records as well.
    pub fn with_records(self) -> Self {
        Self { records: true, ..self }
    }

    /// Returns the number of catalogue pages read so far, and of the records on them.
    pub fn harvest_counts(&self) -> (u64, u64) {
        self.with(|state| state.harvested)
    }

    /// Removes the live counters from the terminal.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Returns the number of resources found in this process, by kind.
    pub fn kind_counts(&self) -> BTreeMap<String, u64> {
        self.with(|state| state.kinds.clone())
    }

    /// Returns the seeds that could not be read, with the reason.
    pub fn failed_seeds(&self) -> Vec<(String, String)> {
        self.with(|state| state.failed_seeds.clone())
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.with(|state| state.started.elapsed())
    }

    fn with<T>(&self, look: impl FnOnce(&mut ProgressState) -> T) -> T {
        look(&mut self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    fn refresh(&self, state: &mut ProgressState) {
        let found: u64 = state.kinds.values().sum();
        let seconds = state.started.elapsed().as_secs_f64().max(0.001);
        let line = format!(
            "{} found  {} pages ({:.0}/s)  {} probes  {} failed  {} hosts  {} in flight",
            format_thousands(found),
            format_thousands(state.pages),
            state.pages as f64 / seconds,
            format_thousands(state.probes),
            format_thousands(state.failures),
            format_thousands(state.hosts as u64),
            state.in_flight,
        );
        if self.bar.is_hidden() {
            if !self.quiet && state.last_line.elapsed() >= Duration::from_secs(10) {
                state.last_line = Instant::now();
                output::print_message(&format!("{seconds:.0} s  {line}"));
            }
        } else {
            self.bar.set_message(format!("{line}\n  {}", sanitize_line(&state.fetching, 100)));
            self.bar.tick();
        }
    }

    fn print(&self, record: &Record) {
        match self.show {
            ProgressFormat::Json => self.bar.suspend(|| output::print_json(record)),
            ProgressFormat::Text => self.bar.suspend(|| output::print_line(&format_record(record))),
        }
    }
}

/// Formats a record as one line.
pub fn format_record(record: &Record) -> String {
    let resource = &record.resource;
    let datasets = match resource.dataset_count {
        0 => String::from("-"),
        n => format_thousands(n),
    };
    let title = resource.title.as_deref().unwrap_or("");
    format!("{:<10} {:>6}  {}  {}", resource.kind, datasets, resource.url, sanitize_line(title, 60))
}

/// Formats counts by kind: `3 wms, 2 kml`.
pub fn format_kinds(kinds: &BTreeMap<String, u64>) -> String {
    kinds.iter().map(|(kind, n)| format!("{} {kind}", format_thousands(*n))).collect::<Vec<_>>().join(", ")
}

/// Summarizes a crawl in one sentence.
pub fn format_summary(pages: u64, hosts: u64, seconds: f64, kinds: &BTreeMap<String, u64>) -> String {
    let found: u64 = kinds.values().sum();
    let what = if found == 0 {
        "nothing geospatial".to_owned()
    } else {
        format_count(found, "resource", "resources")
    };
    let which = if found == 0 { String::new() } else { format!(" ({})", format_kinds(kinds)) };
    format!(
        "Found {what}{which} on {} of {} in {seconds:.1} s.",
        format_count(pages, "page", "pages"),
        format_count(hosts, "host", "hosts")
    )
}

impl CrawlObserver for CrawlProgress {
    fn on_fetch_start(&self, url: &str) {
        if !self.bar.is_hidden() {
            self.with(|state| url.clone_into(&mut state.fetching));
        }
    }

    fn on_commit(&self, batch: &CrawlBatch, committed: &CommitSummary) {
        for stored in committed.resources.iter().filter(|stored| stored.first_in_run) {
            self.with(|state| *state.kinds.entry(stored.record.resource.kind.clone()).or_default() += 1);
            self.print(&stored.record);
        }
        for page in batch.done.iter().filter_map(|done| done.harvest.as_deref()) {
            let read = page.records.len() as u64;
            self.with(|state| state.harvested = (state.harvested.0 + 1, state.harvested.1 + read));
            if self.records && self.show == ProgressFormat::Json {
                let objects = page.records.iter();
                let objects = objects.map(|record| record_object(&page.catalogue, &page.connector, record));
                self.bar.suspend(|| objects.for_each(|object| output::print_json(&object)));
            }
        }
        self.with(|state| {
            for done in &batch.done {
                let outcome = &done.outcome;
                if outcome.retry {
                    continue;
                }
                if done.item.intent.is_probe() {
                    state.probes += 1;
                } else {
                    state.pages += 1;
                }
                // The server answered in all these cases, even if nothing was found.
                let failed =
                    !matches!(outcome.class.as_str(), "ok" | "redirect" | "trap" | "exception" | "nothing");
                state.failures += u64::from(failed);
                state.links += done.links.len() as u64;
                // Items of depth 0 are seeds, except for the robots.txt files of their hosts.
                if failed && done.item.depth == 0 && done.item.way != "robots" {
                    state.failed_seeds.push((done.item.url.clone(), outcome.reason.clone()));
                }
            }
            self.refresh(state);
        });
    }

    fn on_pulse(&self, in_flight: usize, hosts: usize) {
        self.with(|state| {
            state.in_flight = in_flight;
            state.hosts = hosts;
            self.refresh(state);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_reads_as_a_sentence() {
        let kinds = BTreeMap::from([("wms".to_owned(), 2), ("kml".to_owned(), 1)]);
        assert_eq!(
            format_summary(1, 1, 0.25, &kinds),
            "Found 3 resources (1 kml, 2 wms) on 1 page of 1 host in 0.2 s."
        );
        assert_eq!(
            format_summary(1_200, 30, 61.0, &BTreeMap::new()),
            "Found nothing geospatial on 1,200 pages of 30 hosts in 61.0 s."
        );
    }
}
