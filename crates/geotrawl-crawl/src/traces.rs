//! Spans that name task, run, host and URL in logs and traces.
//!
//! A run may take days and visit millions of pages. Each visit is therefore a separate trace that
//! follows from the task, so that it can be sampled and exported when it ends. It carries the
//! task's number itself.

use crate::observe::CrawlObserver;
use geotrawl_model::{CrawlBatch, FrontierEntry, RunId};
use tracing::Span;
use tracing::field::{Empty, display};

/// Identity of a run in logs and traces.
pub struct TraceLabel {
    /// Number of the task in the web interface; for a crawl from the command line its name.
    task: String,
    run: RunId,
    /// Span of the whole run.
    pub span: Span,
}

impl TraceLabel {
    /// Creates the label of a run. Its span has the highest level, so that it is attached to every
    /// log line even if only warnings are logged; there is only one per task.
    pub fn new(observer: &dyn CrawlObserver, name: &str, run: RunId) -> Self {
        let task = observer.task_number().map_or_else(|| name.to_owned(), |task| task.to_string());
        let span = tracing::error_span!("task", %task, run);
        Self { task, run, span }
    }

    /// Returns the span of a visit, from request to outcome.
    pub fn visit_span(&self, item: &FrontierEntry, url: &url::Url) -> Span {
        let span = tracing::info_span!(
            parent: None, "visit",
            task = %self.task, run = self.run, host = url.host_str().unwrap_or_default(), %url, item = item.id,
            depth = item.depth, outcome = Empty, status = Empty
        );
        span.follows_from(&self.span);
        span
    }

    /// Returns the span of a commit.
    pub fn commit_span(&self, batch: &CrawlBatch, links: usize) -> Span {
        let pages = batch.done.len();
        let span = tracing::info_span!(
            parent: None, "commit", task = %self.task, run = self.run, pages, links, records = Empty
        );
        span.follows_from(&self.span);
        span
    }
}

/// Records the outcome of a visit in its span.
pub fn record_outcome(span: &Span, outcome: &geotrawl_model::PageOutcome) {
    if span.is_disabled() {
        return;
    }
    span.record("outcome", display(&outcome.class));
    if let Some(status) = outcome.status {
        span.record("status", status);
    }
    tracing::debug!(parent: span, millis = outcome.millis, bytes = outcome.bytes, "visited");
}
