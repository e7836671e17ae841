//! Progress of a crawl: live counters on a terminal, plain lines elsewhere, JSON for machines.

use crate::commands::harvest::record_object;
use crate::output::{self, format_count, format_thousands, sanitize_line};
use console::{Term, measure_text_width, truncate_str};
use geotrawl_crawl::observe::CrawlObserver;
use geotrawl_crawl::pipeline::CrawlSummary;
use geotrawl_model::{CommitSummary, CrawlBatch, OutcomeTally, Record};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::{BTreeMap, HashMap};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Width of a terminal that does not tell its own.
const USUAL_WIDTH: usize = 80;
/// A request that takes longer than this is named as what the crawl waits for.
const SLOW: Duration = Duration::from_secs(3);

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
    /// Requests in flight with their start, if they are shown.
    requests: Mutex<HashMap<String, Instant>>,
}

/// Counters of this process.
#[derive(Debug)]
struct ProgressState {
    started: Instant,
    last_line: Instant,
    pages: u64,
    probes: u64,
    failures: u64,
    fetching: String,
    stopping: bool,
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
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        let now = Instant::now();
        let state = ProgressState {
            started: now,
            last_line: now,
            pages: 0,
            probes: 0,
            failures: 0,
            fetching: String::new(),
            stopping: false,
            in_flight: 0,
            hosts: 0,
            kinds: BTreeMap::new(),
            harvested: (0, 0),
            failed_seeds: Vec::new(),
        };
        Self { show, quiet, records: false, bar, state: Mutex::new(state), requests: Mutex::default() }
    }

    /// Prints harvested catalogue records as well.
    pub fn with_records(self) -> Self {
        Self { records: true, ..self }
    }

    /// Returns the number of catalogue pages read so far, and of the records on them.
    pub fn harvest_counts(&self) -> (u64, u64) {
        self.with(|state| state.harvested)
    }

    /// Says that the crawl is stopping, above the live counters.
    pub fn announce_stop(&self) {
        let in_flight = self.with(|state| {
            state.stopping = true;
            state.in_flight as u64
        });
        let finishing = match in_flight {
            0 => "saving what was found".to_owned(),
            n => format!("finishing {} in flight", format_count(n, "request", "requests")),
        };
        // The terminal has shown `^C` behind the last line of this program.
        let start = if self.bar.is_hidden() && std::io::stderr().is_terminal() { "\n" } else { "" };
        self.bar.suspend(|| {
            output::print_message(&format!("{start}Stopping: {finishing}. Nothing is lost."));
            output::print_message("Press Ctrl-C again to stop immediately.");
        });
        self.with(|state| self.refresh(state));
    }

    /// Summarizes what this process did in one sentence, and the whole task if it was resumed.
    pub fn summarize(&self, summary: &CrawlSummary, task: &str) -> String {
        let (pages, kinds, seconds) =
            self.with(|state| (state.pages, state.kinds.clone(), state.started.elapsed().as_secs_f64()));
        let counters = &summary.counters;
        if !summary.resumed {
            return format_summary(pages, Some(counters.hosts), seconds, &kinds);
        }
        format!(
            "{}\nResumed task '{task}': {} on {} of {} in total.",
            format_summary(pages, None, seconds, &kinds),
            format_count(counters.resources, "resource", "resources"),
            format_count(counters.pages, "page", "pages"),
            format_count(counters.hosts, "host", "hosts")
        )
    }

    /// Removes the live counters from the terminal.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Returns the seeds that could not be read, with the reason.
    pub fn failed_seeds(&self) -> Vec<(String, String)> {
        self.with(|state| state.failed_seeds.clone())
    }

    fn with<T>(&self, look: impl FnOnce(&mut ProgressState) -> T) -> T {
        look(&mut self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    fn refresh(&self, state: &mut ProgressState) {
        let elapsed = state.started.elapsed();
        if self.bar.is_hidden() {
            if !self.quiet && state.last_line.elapsed() >= Duration::from_secs(10) {
                state.last_line = Instant::now();
                let waiting = self.slowest_request().map(|slow| format!("  {slow}")).unwrap_or_default();
                let counters = state.format_counters(usize::MAX);
                output::print_message(&format!("{} s  {counters}{waiting}", elapsed.as_secs()));
            }
            return;
        }
        // The spinner and a space take two columns; the last column stays free, because some
        // terminals wrap after it.
        let width = terminal_width(&Term::stderr()).saturating_sub(3);
        let time = format!("{}:{:02}", elapsed.as_secs() / 60, elapsed.as_secs() % 60);
        let counters = state.format_counters(width.saturating_sub(time.len() + 2));
        let mut doing = self.slowest_request().unwrap_or_else(|| state.fetching.clone());
        if state.stopping {
            doing = format!("stopping; {doing}");
        }
        let doing = sanitize_line(&doing, 500);
        self.bar.set_message(format!(
            "{}\n  {}",
            truncate_str(&format!("{time}  {counters}"), width, "…"),
            truncate_str(&doing, width, "…")
        ));
        self.bar.tick();
    }

    /// Names the request that has been in flight for longest, if it is slow.
    fn slowest_request(&self) -> Option<String> {
        let requests = self.requests.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (url, started) = requests.iter().min_by_key(|(_, started)| **started)?;
        let waited = started.elapsed();
        (waited >= SLOW).then(|| format!("waiting {} s for {url}", waited.as_secs()))
    }

    fn print(&self, record: &Record) {
        match self.show {
            ProgressFormat::Json => self.bar.suspend(|| output::print_json(record)),
            ProgressFormat::Text => {
                let stdout = Term::stdout();
                let width = if stdout.is_term() { terminal_width(&stdout) } else { usize::MAX };
                self.bar.suspend(|| output::print_line(&format_record(record, width)));
            }
        }
    }
}

impl ProgressState {
    /// Formats the counters in at most `width` columns; leaves out the least important ones if
    /// there is no room.
    fn format_counters(&self, width: usize) -> String {
        let found: u64 = self.kinds.values().sum();
        let seconds = self.started.elapsed().as_secs_f64().max(0.001);
        let mut parts = vec![
            (0, format!("{} found", format_thousands(found))),
            (1, format_count(self.pages, "page", "pages")),
            (6, format!("{:.0} pages/s", self.pages as f64 / seconds)),
            (5, format_count(self.probes, "probe", "probes")),
            (3, format!("{} failed", format_thousands(self.failures))),
            (4, format_count(self.hosts as u64, "active host", "active hosts")),
            (2, format!("{} in flight", format_thousands(self.in_flight as u64))),
        ];
        loop {
            let texts: Vec<&str> = parts.iter().map(|(_, text)| text.as_str()).collect();
            let line = texts.join("  ");
            let least = parts.iter().enumerate().max_by_key(|(_, (place, _))| *place);
            let Some((least, _)) = least.filter(|_| parts.len() > 1 && line.chars().count() > width) else {
                return line;
            };
            parts.remove(least);
        }
    }
}

/// Returns the number of columns of a terminal.
fn terminal_width(terminal: &Term) -> usize {
    terminal.size_checked().map_or(USUAL_WIDTH, |(_, columns)| usize::from(columns)).max(20)
}

/// Formats a record as one line. Shortens the title to `width` columns, but never the address,
/// which people copy.
pub fn format_record(record: &Record, width: usize) -> String {
    let resource = &record.resource;
    let datasets = match resource.dataset_count {
        0 => String::from("-"),
        n => format_thousands(n),
    };
    let title = sanitize_line(resource.title.as_deref().unwrap_or(""), 60);
    let line = format!("{:<10} {:>6}  {}", resource.kind, datasets, resource.url);
    let room = width.saturating_sub(measure_text_width(&line) + 2);
    if title.is_empty() || room < 10 {
        return line;
    }
    format!("{line}  {}", truncate_str(&title, room, "…"))
}

/// Formats counts by kind: `3 wms, 2 kml`.
pub fn format_kinds(kinds: &BTreeMap<String, u64>) -> String {
    kinds.iter().map(|(kind, n)| format!("{} {kind}", format_thousands(*n))).collect::<Vec<_>>().join(", ")
}

/// Summarizes a crawl in one sentence.
fn format_summary(pages: u64, hosts: Option<u64>, seconds: f64, kinds: &BTreeMap<String, u64>) -> String {
    let found: u64 = kinds.values().sum();
    let what = if found == 0 {
        "nothing geospatial".to_owned()
    } else {
        format_count(found, "resource", "resources")
    };
    let which = if found == 0 { String::new() } else { format!(" ({})", format_kinds(kinds)) };
    let hosts =
        hosts.map(|hosts| format!(" of {}", format_count(hosts, "host", "hosts"))).unwrap_or_default();
    format!("Found {what}{which} on {}{hosts} in {seconds:.1} s.", format_count(pages, "page", "pages"))
}

impl CrawlObserver for CrawlProgress {
    fn on_fetch_start(&self, url: &str) {
        if !self.quiet {
            let mut requests = self.requests.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            requests.insert(url.to_owned(), Instant::now());
            drop(requests);
            self.with(|state| url.clone_into(&mut state.fetching));
        }
    }

    fn on_fetch_end(&self, url: &str, _took: Duration, _status: u16, _failure: Option<&'static str>) {
        self.requests.lock().unwrap_or_else(std::sync::PoisonError::into_inner).remove(url);
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
                // Counts as the store does, so that the live counters agree with the summary.
                match outcome.tally() {
                    OutcomeTally::Skipped => {}
                    _ if done.item.intent.is_probe() => state.probes += 1,
                    _ => state.pages += 1,
                }
                state.failures += u64::from(outcome.tally() == OutcomeTally::Failed);
                // The server answered in all these cases, even if nothing was found.
                let failed =
                    !matches!(outcome.class.as_str(), "ok" | "redirect" | "trap" | "exception" | "nothing");
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
    use geotrawl_model::Resource;

    #[test]
    fn the_summary_reads_as_a_sentence() {
        let kinds = BTreeMap::from([("wms".to_owned(), 2), ("kml".to_owned(), 1)]);
        assert_eq!(
            format_summary(1, Some(1), 0.25, &kinds),
            "Found 3 resources (1 kml, 2 wms) on 1 page of 1 host in 0.2 s."
        );
        assert_eq!(
            format_summary(1_200, None, 61.0, &BTreeMap::new()),
            "Found nothing geospatial on 1,200 pages in 61.0 s."
        );
    }

    #[test]
    fn counters_fit_the_terminal() {
        let progress = CrawlProgress::new(ProgressFormat::Text, true);
        progress.with(|state| {
            (state.pages, state.probes, state.failures) = (1_234_567, 123_456, 12_345);
            (state.hosts, state.in_flight) = (1, 1_024);
            state.kinds.insert("wms".to_owned(), 4_607);
            let wide = state.format_counters(usize::MAX);
            assert!(wide.contains("123,456 probes") && wide.contains("1 active host "), "{wide}");
            for width in [20, 40, 60, 72] {
                let line = state.format_counters(width);
                assert!(line.chars().count() <= width && line.starts_with("4,607 found"), "{line}");
            }
            assert!(state.format_counters(72).contains("1,024 in flight"));
        });
    }

    #[test]
    fn a_slow_request_is_named() {
        let progress = CrawlProgress::new(ProgressFormat::Text, false);
        progress.on_fetch_start("http://slow.example/");
        assert_eq!(progress.slowest_request(), None);
        let long_ago = Instant::now().checked_sub(Duration::from_secs(9)).unwrap();
        progress.requests.lock().unwrap().insert("http://slow.example/".to_owned(), long_ago);
        let said = progress.slowest_request().unwrap();
        assert!(said.starts_with("waiting ") && said.ends_with(" s for http://slow.example/"), "{said}");
        progress.on_fetch_end("http://slow.example/", Duration::ZERO, 200, None);
        assert_eq!(progress.slowest_request(), None);
    }

    #[test]
    fn a_record_loses_its_title_before_its_address() {
        let record = Record {
            resource: Resource {
                kind: "wms".into(),
                url: "http://maps.example/geoserver/ows".into(),
                title: Some("Rivers, lakes and canals of Nowhere".into()),
                dataset_count: 1_200,
                ..Resource::default()
            },
            ..Record::default()
        };
        let whole = format_record(&record, usize::MAX);
        assert_eq!(
            whole,
            "wms         1,200  http://maps.example/geoserver/ows  Rivers, lakes and canals of Nowhere"
        );
        assert_eq!(format_record(&record, 80).chars().count(), 80);
        assert!(format_record(&record, 40).ends_with("/geoserver/ows"));
    }
}
