//! Numbers for a monitoring system, in the text format of Prometheus (0.0.4).
//!
//! Written by hand: the format is a page long, and the numbers are read from the store and counters when they are
//! asked for, so a registry of live metrics would hold every one of them a second time. No label names a single
//! record, host or person: the number of series does not grow with the catalogue.

use geotrawl_model::host_report::Overview;
use geotrawl_model::live::WorkerFigures;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Content type of the answer.
pub const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Upper bounds, in seconds, for how long checks take.
pub const CHECK_SECONDS: &[f64] = &[0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

/// All that is told. `None`: not known here, and left out.
#[derive(Debug, Clone, Default)]
pub struct MetricsSnapshot {
    pub version: String,
    /// Status, kind, how many.
    pub records: Vec<(String, String, u64)>,
    /// Records in the schedule, those whose time has come, and those that wait too long.
    pub enrolled: u64,
    pub due: u64,
    pub overdue: u64,
    /// Checks made, by verdict.
    pub checks: BTreeMap<String, u64>,
    pub check_seconds: Option<DurationHistogram>,
    /// Crawl tasks by state.
    pub tasks: BTreeMap<String, u64>,
    /// Requests answered, by the first digit of the status (1 to 5).
    pub served: [u64; 5],
    /// Who listens to live events.
    pub event_subscribers: u64,
    /// How many changes of the store the index has not taken in yet.
    pub index_lag: u64,
    /// Memory of this process.
    pub resident_bytes: Option<u64>,
    /// Of the worker in this process.
    pub worker: Option<WorkerFigures>,
}

/// How often what took how long.
#[derive(Debug, Clone, PartialEq)]
pub struct DurationHistogram {
    /// Upper bounds (inclusive), rising.
    bounds: &'static [f64],
    /// Each bucket by itself; the last is for what is above all bounds.
    counts: Vec<u64>,
    sum: f64,
}

impl DurationHistogram {
    /// An empty one.
    pub fn new(bounds: &'static [f64]) -> Self {
        Self { bounds, counts: vec![0; bounds.len() + 1], sum: 0.0 }
    }

    /// Counts one value; what is no number or negative is not counted.
    pub fn observe(&mut self, value: f64) {
        self.observe_many(value, 1);
    }

    /// Counts the same value many times: what an aggregate says of its bucket.
    pub fn observe_many(&mut self, value: f64, times: u64) {
        if !value.is_finite() || value < 0.0 {
            return;
        }
        let bucket = self.bounds.partition_point(|bound| *bound < value);
        if let Some(count) = self.counts.get_mut(bucket) {
            *count = count.saturating_add(times);
            self.sum += value * times as f64;
        }
    }
}

/// Counts checks that the monitor beside this server has made.
#[derive(Debug)]
pub struct CheckCounter(Mutex<(BTreeMap<String, u64>, DurationHistogram)>);

impl Default for CheckCounter {
    fn default() -> Self {
        Self(Mutex::new((BTreeMap::new(), DurationHistogram::new(CHECK_SECONDS))))
    }
}

impl CheckCounter {
    /// Counts one check.
    pub fn count_check(&self, verdict: &str, seconds: f64) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.0.entry(verdict.to_owned()).or_default() += 1;
        counts.1.observe(seconds);
    }

    /// All so far.
    pub fn snapshot(&self) -> (BTreeMap<String, u64>, DurationHistogram) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Counts answers by the first digit of their status.
#[derive(Debug, Default)]
pub struct ResponseCounter([AtomicU64; 5]);

impl ResponseCounter {
    /// Counts one answer.
    pub fn count_response(&self, status: u16) {
        if let Some(class) = (status / 100).checked_sub(1).and_then(|class| self.0.get(usize::from(class))) {
            class.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// All so far, for [`Metrics::served`].
    pub fn snapshot(&self) -> [u64; 5] {
        std::array::from_fn(|class| self.0[class].load(Ordering::Relaxed))
    }
}

/// Memory that this process holds, where the system says so.
pub fn resident_bytes() -> Option<u64> {
    resident(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// The whole answer.
pub fn render_metrics(metrics: &MetricsSnapshot) -> String {
    let mut page = MetricsWriter(String::with_capacity(8 * 1024));
    page.family("geotrawl_build_info", "gauge", "The program that answers.");
    page.number("geotrawl_build_info", &[("version", &metrics.version)], 1);

    page.family("geotrawl_records", "gauge", "Records in the catalogue by status and kind.");
    for (status, kind, count) in &metrics.records {
        page.number("geotrawl_records", &[("status", status), ("kind", kind)], *count);
    }

    page.schedule([metrics.enrolled, metrics.due, metrics.overdue]);
    page.checks(&metrics.checks, metrics.check_seconds.as_ref());

    page.by_label("geotrawl_tasks", "gauge", "Crawl tasks by state.", "state", &metrics.tasks);

    page.family("geotrawl_http_responses_total", "counter", "Requests answered, by class of status.");
    for (class, count) in ["1xx", "2xx", "3xx", "4xx", "5xx"].into_iter().zip(metrics.served) {
        page.number("geotrawl_http_responses_total", &[("class", class)], count);
    }
    let subscribers = Some(metrics.event_subscribers);
    page.gauge("geotrawl_event_subscribers", "Connections that listen to live events.", subscribers);

    let lag = Some(metrics.index_lag);
    page.gauge("geotrawl_index_lag_changes", "Changes that the search index has not taken in yet.", lag);
    page.gauge("process_resident_memory_bytes", "Memory of this process.", metrics.resident_bytes);
    if let Some(worker) = &metrics.worker {
        page.worker(worker);
    }
    page.0
}

/// The answer of a process that is only a worker.
pub fn render_worker_metrics(figures: &WorkerFigures) -> String {
    let mut page = MetricsWriter(String::with_capacity(2 * 1024));
    page.family("geotrawl_build_info", "gauge", "The program that answers.");
    page.number("geotrawl_build_info", &[("version", env!("CARGO_PKG_VERSION"))], 1);
    page.gauge("process_resident_memory_bytes", "Memory of this process.", resident_bytes());
    page.worker(figures);
    page.0
}

/// The answer of a process that is only a monitor; without the schedule where the store cannot be read.
pub fn render_monitor_metrics(checks: &CheckCounter, schedule: Option<&Overview>) -> String {
    let mut page = MetricsWriter(String::with_capacity(4 * 1024));
    page.family("geotrawl_build_info", "gauge", "The program that answers.");
    page.number("geotrawl_build_info", &[("version", env!("CARGO_PKG_VERSION"))], 1);
    page.gauge("process_resident_memory_bytes", "Memory of this process.", resident_bytes());
    if let Some(schedule) = schedule {
        page.schedule([schedule.enrolled, schedule.due, schedule.overdue]);
    }
    let (made, seconds) = checks.snapshot();
    page.checks(&made, Some(&seconds));
    page.0
}

/// The answer as it grows.
struct MetricsWriter(String);

impl MetricsWriter {
    fn schedule(&mut self, [enrolled, due, overdue]: [u64; 3]) {
        self.gauge("geotrawl_checks_enrolled", "Records that are checked by schedule.", Some(enrolled));
        self.gauge("geotrawl_checks_due", "Records whose next check is due.", Some(due));
        self.gauge("geotrawl_checks_overdue", "Records whose next check waits too long.", Some(overdue));
    }

    fn checks(&mut self, made: &BTreeMap<String, u64>, seconds: Option<&DurationHistogram>) {
        self.by_label("geotrawl_checks_total", "counter", "Checks made, by verdict.", "verdict", made);
        if let Some(histogram) = seconds {
            self.histogram("geotrawl_check_duration_seconds", "How long checks took.", histogram);
        }
    }

    fn family(&mut self, name: &str, kind: &str, help: &str) {
        let help = help.replace('\\', "\\\\").replace('\n', "\\n");
        let _ = write!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    fn worker(&mut self, worker: &WorkerFigures) {
        let loans = Some(worker.hosts_on_loan);
        self.gauge("geotrawl_worker_hosts_on_loan", "Hosts that this worker holds.", loans);
        let counts = [
            ("geotrawl_worker_commits_total", "Batches that this worker has committed.", worker.commits),
            (
                "geotrawl_worker_left_out_total",
                "Finished items not taken: their host was lost.",
                worker.left_out,
            ),
            ("geotrawl_worker_lost_loans_total", "Loans of hosts that ran out.", worker.lost_loans),
        ];
        for (name, help, count) in counts {
            self.family(name, "counter", help);
            self.number(name, &[], count);
        }
        let name = "geotrawl_worker_store_unavailable_seconds_total";
        self.family(name, "counter", "Seconds during which the store could not be reached.");
        self.sample(name, &[], &decimal(worker.store_away_seconds));
        let up = Some(u64::from(!worker.store_is_away));
        self.gauge("geotrawl_worker_store_up", "Whether the store was reached when last asked.", up);
    }

    fn gauge(&mut self, name: &str, help: &str, value: Option<u64>) {
        if let Some(value) = value {
            self.family(name, "gauge", help);
            self.number(name, &[], value);
        }
    }

    fn by_label(&mut self, name: &str, kind: &str, help: &str, label: &str, values: &BTreeMap<String, u64>) {
        self.family(name, kind, help);
        for (of, value) in values {
            self.number(name, &[(label, of)], *value);
        }
    }

    fn histogram(&mut self, name: &str, help: &str, histogram: &DurationHistogram) {
        self.family(name, "histogram", help);
        let bucket = format!("{name}_bucket");
        let bounds = histogram.bounds.iter().map(|bound| decimal(*bound)).chain(["+Inf".to_owned()]);
        let mut below = 0_u64;
        for (bound, count) in bounds.zip(&histogram.counts) {
            below = below.saturating_add(*count);
            self.number(&bucket, &[("le", &bound)], below);
        }
        self.sample(&format!("{name}_sum"), &[], &decimal(histogram.sum));
        self.number(&format!("{name}_count"), &[], below);
    }

    fn number(&mut self, name: &str, labels: &[(&str, &str)], value: u64) {
        self.sample(name, labels, &value.to_string());
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: &str) {
        self.0.push_str(name);
        for (place, (label, text)) in labels.iter().enumerate() {
            let _ = write!(self.0, "{}{label}=\"", if place == 0 { '{' } else { ',' });
            for c in text.chars() {
                match c {
                    '\\' => self.0.push_str("\\\\"),
                    '"' => self.0.push_str("\\\""),
                    '\n' => self.0.push_str("\\n"),
                    c => self.0.push(c),
                }
            }
            self.0.push('"');
        }
        let _ = writeln!(self.0, "{} {value}", if labels.is_empty() { "" } else { "}" });
    }
}

/// A number as the format wants it.
fn decimal(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned()
    } else {
        value.to_string()
    }
}

#[cfg(test)]
mod tests;
