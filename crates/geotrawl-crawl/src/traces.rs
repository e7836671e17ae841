//! What lines of the log and traces say of a crawl: which task, which run, which host and address.
//!
//! A run may take days and visit millions of pages. So a visit is a trace of its own that follows from the task, not a part of
//! one trace without end: it can be sampled, and sent when it is over. It carries the task's numbers itself.

use crate::observe::CrawlObserver;
use geotrawl_model::{CrawlBatch, FrontierEntry, RunId};
use tracing::Span;
use tracing::field::{Empty, display};

/// Names of a run.
pub struct TraceLabel {
    /// The task's number in the web; of a crawl from the command line its name.
    task: String,
    run: RunId,
    /// The whole of it.
    pub span: Span,
}

impl TraceLabel {
    /// Of a run that begins here. Its span is of the highest level, so that every line has it, also those of warnings only: there is one
    /// for each task.
    pub fn new(observer: &dyn CrawlObserver, name: &str, run: RunId) -> Self {
        let task = observer.task_number().map_or_else(|| name.to_owned(), |task| task.to_string());
        let span = tracing::error_span!("task", %task, run);
        Self { task, run, span }
    }

    /// One item, from request to outcome.
    pub fn visit_span(&self, item: &FrontierEntry, url: &url::Url) -> Span {
        let span = tracing::info_span!(
            parent: None, "visit",
            task = %self.task, run = self.run, host = url.host_str().unwrap_or_default(), %url, item = item.id,
            depth = item.depth, outcome = Empty, status = Empty
        );
        span.follows_from(&self.span);
        span
    }

    /// A batch on its way into the store.
    pub fn commit_span(&self, batch: &CrawlBatch, links: usize) -> Span {
        let pages = batch.done.len();
        let span = tracing::info_span!(
            parent: None, "commit", task = %self.task, run = self.run, pages, links, records = Empty
        );
        span.follows_from(&self.span);
        span
    }
}

/// Notes how an item ended.
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
