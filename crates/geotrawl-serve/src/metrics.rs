//! Metrics in the Prometheus text format (0.0.4).
//!
//! Written by hand: the format is one page, and the values are read from the store and from
//! counters on each request, so a metrics registry would hold every value a second time. No label
//! names a record, host or user, so the number of series does not grow with the catalogue.

use geotrawl_model::host_report::Overview;
use geotrawl_model::live::WorkerFigures;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Content type of the response.
pub const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Upper bounds of the check duration buckets, in seconds.
pub const CHECK_SECONDS: &[f64] = &[0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

/// All metrics. Values that are `None` are not known here and left out.
#[derive(Debug, Clone, Default)]
pub struct MetricsSnapshot {
    pub version: String,
    /// Status, kind and number of records.
    pub records: Vec<(String, String, u64)>,
    /// Scheduled records, due records and overdue records.
    pub enrolled: u64,
    pub due: u64,
    pub overdue: u64,
    /// Checks made, by verdict.
    pub checks: BTreeMap<String, u64>,
    pub check_seconds: Option<DurationHistogram>,
    /// Crawl tasks by state.
    pub tasks: BTreeMap<String, u64>,
    /// Responses by status class (1xx to 5xx).
    pub served: [u64; 5],
    /// Open subscriptions to live events.
    pub event_subscribers: u64,
    /// Changes of the store that the index has not processed yet.
    pub index_lag: u64,
    /// Resident memory of this process.
    pub resident_bytes: Option<u64>,
    /// Figures of the worker in this process.
    pub worker: Option<WorkerFigures>,
}

/// A histogram of durations.
#[derive(Debug, Clone, PartialEq)]
pub struct DurationHistogram {
    /// Upper bounds (inclusive), ascending.
    bounds: &'static [f64],
    /// Count per bucket, not cumulative; the last bucket is for values above all bounds.
    counts: Vec<u64>,
    sum: f64,
}

impl DurationHistogram {
    /// Creates an empty histogram.
    pub fn new(bounds: &'static [f64]) -> Self {
        Self { bounds, counts: vec![0; bounds.len() + 1], sum: 0.0 }
    }

    /// Counts one value; ignores NaN and negative values.
    pub fn observe(&mut self, value: f64) {
        self.observe_many(value, 1);
    }

    /// Counts the same value `times` times, to import the buckets of an aggregate.
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

/// Counts the checks made by the monitor in this process.
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

    /// Returns the counts so far.
    pub fn snapshot(&self) -> (BTreeMap<String, u64>, DurationHistogram) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Counts responses by status class.
#[derive(Debug, Default)]
pub struct ResponseCounter([AtomicU64; 5]);

impl ResponseCounter {
    /// Counts one response.
    pub fn count_response(&self, status: u16) {
        if let Some(class) = (status / 100).checked_sub(1).and_then(|class| self.0.get(usize::from(class))) {
            class.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns the counts so far, for [`MetricsSnapshot::served`].
    pub fn snapshot(&self) -> [u64; 5] {
        std::array::from_fn(|class| self.0[class].load(Ordering::Relaxed))
    }
}

/// Returns the resident memory of this process, where the system reports it.
pub fn resident_bytes() -> Option<u64> {
    resident(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Renders all metrics.
pub fn render_metrics(metrics: &MetricsSnapshot) -> String {
    let mut page = MetricsWriter(String::with_capacity(8 * 1024));
    page.family("geotrawl_build_info", "gauge", "Version of the running program.");
    page.number("geotrawl_build_info", &[("version", &metrics.version)], 1);

    page.family("geotrawl_records", "gauge", "Records in the catalogue by status and kind.");
    for (status, kind, count) in &metrics.records {
        page.number("geotrawl_records", &[("status", status), ("kind", kind)], *count);
    }

    page.schedule([metrics.enrolled, metrics.due, metrics.overdue]);
    page.checks(&metrics.checks, metrics.check_seconds.as_ref());

    page.by_label("geotrawl_tasks", "gauge", "Crawl tasks by state.", "state", &metrics.tasks);

    page.family("geotrawl_http_responses_total", "counter", "HTTP responses by status class.");
    for (class, count) in ["1xx", "2xx", "3xx", "4xx", "5xx"].into_iter().zip(metrics.served) {
        page.number("geotrawl_http_responses_total", &[("class", class)], count);
    }
    let subscribers = Some(metrics.event_subscribers);
    page.gauge("geotrawl_event_subscribers", "Open subscriptions to live events.", subscribers);

    let lag = Some(metrics.index_lag);
    page.gauge("geotrawl_index_lag_changes", "Changes that the search index has not processed yet.", lag);
    page.gauge(
        "process_resident_memory_bytes",
        "Resident memory of this process in bytes.",
        metrics.resident_bytes,
    );
    if let Some(worker) = &metrics.worker {
        page.worker(worker);
    }
    page.0
}

/// Renders the metrics of a process that is only a worker.
pub fn render_worker_metrics(figures: &WorkerFigures) -> String {
    let mut page = MetricsWriter(String::with_capacity(2 * 1024));
    page.family("geotrawl_build_info", "gauge", "Version of the running program.");
    page.number("geotrawl_build_info", &[("version", env!("CARGO_PKG_VERSION"))], 1);
    page.gauge(
        "process_resident_memory_bytes",
        "Resident memory of this process in bytes.",
        resident_bytes(),
    );
    page.worker(figures);
    page.0
}

/// Renders the metrics of a process that is only a monitor, without the schedule if the store
/// cannot be read.
pub fn render_monitor_metrics(checks: &CheckCounter, schedule: Option<&Overview>) -> String {
    let mut page = MetricsWriter(String::with_capacity(4 * 1024));
    page.family("geotrawl_build_info", "gauge", "Version of the running program.");
    page.number("geotrawl_build_info", &[("version", env!("CARGO_PKG_VERSION"))], 1);
    page.gauge(
        "process_resident_memory_bytes",
        "Resident memory of this process in bytes.",
        resident_bytes(),
    );
    if let Some(schedule) = schedule {
        page.schedule([schedule.enrolled, schedule.due, schedule.overdue]);
    }
    let (made, seconds) = checks.snapshot();
    page.checks(&made, Some(&seconds));
    page.0
}

/// Writes the exposition format.
struct MetricsWriter(String);

impl MetricsWriter {
    fn schedule(&mut self, [enrolled, due, overdue]: [u64; 3]) {
        self.gauge("geotrawl_checks_enrolled", "Records in the check schedule.", Some(enrolled));
        self.gauge("geotrawl_checks_due", "Records whose next check is due.", Some(due));
        self.gauge("geotrawl_checks_overdue", "Records whose next check is overdue.", Some(overdue));
    }

    fn checks(&mut self, made: &BTreeMap<String, u64>, seconds: Option<&DurationHistogram>) {
        self.by_label("geotrawl_checks_total", "counter", "Checks made, by verdict.", "verdict", made);
        if let Some(histogram) = seconds {
            self.histogram("geotrawl_check_duration_seconds", "Duration of checks in seconds.", histogram);
        }
    }

    fn family(&mut self, name: &str, kind: &str, help: &str) {
        let help = help.replace('\\', "\\\\").replace('\n', "\\n");
        let _ = write!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    fn worker(&mut self, worker: &WorkerFigures) {
        let loans = Some(worker.hosts_on_loan);
        self.gauge("geotrawl_worker_hosts_on_loan", "Hosts leased by this worker.", loans);
        let counts = [
            ("geotrawl_worker_commits_total", "Batches committed by this worker.", worker.commits),
            (
                "geotrawl_worker_left_out_total",
                "Finished items discarded because the lease of their host had expired.",
                worker.left_out,
            ),
            ("geotrawl_worker_lost_loans_total", "Host leases that expired.", worker.lost_loans),
        ];
        for (name, help, count) in counts {
            self.family(name, "counter", help);
            self.number(name, &[], count);
        }
        let name = "geotrawl_worker_store_unavailable_seconds_total";
        self.family(name, "counter", "Seconds during which the store was unavailable.");
        self.sample(name, &[], &decimal(worker.store_away_seconds));
        let up = Some(u64::from(!worker.store_is_away));
        self.gauge("geotrawl_worker_store_up", "Whether the store was available at the last attempt.", up);
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

/// Formats a number, with the spelling of infinity that the format requires.
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
