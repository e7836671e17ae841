//! One visit: fetches a frontier entry, lets the probe judge the answer, sends further requests if
//! the probe asks for them, and passes the result on.
//!
//! I/O happens on the runtime, judging on the CPU pool (or on a blocking thread, for documents too
//! large to hold). Every visit sends exactly one [`FinishedWork::Visit`] and one
//! [`SchedulerSignal::Free`]: the drop guard of [`ActiveVisit`] ensures that even if a parser
//! panics.

use crate::apps::{AppReader, PieceSource};
use crate::body::{self, BodyPool, ReceivedBody};
use crate::cpu::CpuPool;
use crate::fetch::{BodyReader, FailureClass, FetchError, FetchRequest, FetchResponse, GuardedClient};
use crate::frontier::{SchedulerSignal, VisitDispatch};
use crate::known::KnownPages;
use crate::leased::LeaseRegistry;
use crate::observe::CrawlObserver;
use crate::options::CrawlOptions;
use crate::outcome;
use crate::pipeline::FinishedWork;
use crate::registry::Registry;
use crate::traces::{self, TraceLabel};
use crossbeam_channel::Sender;
use geotrawl_kinds::extract::HtmlOptions;
use geotrawl_kinds::extract::app::AppDraft;
use geotrawl_kinds::probe::{
    Finding, Probe, ProbeRequest, ProbeResponse, ProbeStep, ResponseBody, ResponseHead,
};
use geotrawl_kinds::urls;
use geotrawl_model::{FinishedItem, FrontierEntry, PageOutcome};
use geotrawl_rank::FrontierRanking;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::Instant;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tracing::field::Empty;
use tracing::{Instrument as _, Span};
use url::Url;

/// Everything that visits need.
pub struct Visitor {
    pub client: GuardedClient,
    pub options: Arc<CrawlOptions>,
    pub ordering: Arc<dyn FrontierRanking>,
    pub cpu: CpuPool,
    pub lanes: BodyPool,
    pub runtime: Handle,
    pub finished: Sender<FinishedWork>,
    pub scheduler: Sender<SchedulerSignal>,
    pub known: Arc<KnownPages>,
    pub leases: Arc<LeaseRegistry>,
    pub registry: Registry,
    pub observer: Arc<dyn CrawlObserver>,
    pub label: Arc<TraceLabel>,
    pub apps: Arc<AppReader>,
    /// Becomes true when the crawl is over and visits are no longer needed.
    pub cancelled: watch::Receiver<bool>,
}

/// Cost of a visit so far, and details of its last answer.
#[derive(Debug, Default)]
pub struct VisitCost {
    pub requests: u32,
    pub bytes: u64,
    pub millis: u64,
    pub status: Option<u16>,
    pub ip: Option<std::net::IpAddr>,
    pub hash: Sha256,
    pub content_type: Option<String>,
    pub last_request: Option<ProbeRequest>,
    /// Why the last answer was cut short.
    pub cut: Option<FetchError>,
}

/// A visit in progress.
pub struct ActiveVisit {
    pub item: FrontierEntry,
    pub url: Url,
    pub first_of_host: bool,
    /// Sitemaps named in robots.txt, for the first visit of a host.
    pub sitemaps: Vec<String>,
    pub spent: VisitCost,
    visitor: Arc<Visitor>,
    /// Names the visit in logs and traces; disabled if neither needs it.
    span: Span,
    over: bool,
}

impl Visitor {
    /// Starts a visit.
    pub fn start_visit(self: &Arc<Self>, dispatch: VisitDispatch) {
        let VisitDispatch { item, first_of_host, since } = dispatch;
        let visitor = Arc::clone(self);
        match Url::parse(&item.url) {
            Ok(url) => {
                let intent = item.intent.clone();
                let connectors = self.registry.connectors();
                let (probe, ask) =
                    Probe::start_with_connectors(connectors, intent, url.clone(), since.as_deref());
                let (sitemaps, spent) = (Vec::new(), VisitCost::default());
                let span = self.label.visit_span(&item, &url);
                let visit = ActiveVisit {
                    item,
                    url,
                    first_of_host,
                    sitemaps,
                    spent,
                    visitor,
                    span: span.clone(),
                    over: false,
                };
                self.spawn(span, visit.request(probe, ask));
            }
            // Only a corrupt store can contain an invalid URL.
            Err(error) => {
                self.close_item(item, outcome::skipped_outcome("bad-url", format!("not a URL: {error}")));
            }
        }
    }

    /// Runs a part of a visit, unless the crawl ends before.
    fn spawn(&self, span: Span, work: impl Future<Output = ()> + Send + 'static) {
        let mut cancelled = self.cancelled.clone();
        let work = async move {
            tokio::select! {
                biased;
                () = work => {}
                _ = cancelled.wait_for(|cancelled| *cancelled) => {}
            }
        };
        self.runtime.spawn(work.instrument(span));
    }

    /// Closes an entry that was never requested.
    pub fn close_item(&self, item: FrontierEntry, outcome: PageOutcome) {
        let _ = self.finished.send(FinishedWork::Visit(Box::new(FinishedItem::new(item, outcome)), None));
    }
}

impl ActiveVisit {
    async fn request(mut self, probe: Probe, ask: ProbeRequest) {
        self.visitor.observer.on_fetch_start(ask.url.as_str());
        let started = Instant::now();
        let span = tracing::info_span!("fetch", url = %ask.url, status = Empty, failure = Empty);
        let fetched =
            self.visitor.client.fetch(FetchRequest::from(ask.clone())).instrument(span.clone()).await;
        let failure = fetched.outcome.as_ref().err().map(|failure| failure.class.as_str());
        span.record("status", fetched.head.status).record("failure", failure);
        drop(span);
        self.visitor.observer.on_fetch_end(ask.url.as_str(), started.elapsed(), fetched.head.status, failure);
        self.spent.requests += fetched.requests;
        self.spent.status = (fetched.head.status > 0).then_some(fetched.head.status);
        self.spent.ip = fetched.ip.or(self.spent.ip);
        self.spent.content_type.clone_from(&fetched.head.content_type);
        self.spent.millis += fetched.timing.total.as_millis() as u64;
        self.spent.last_request = Some(ask);
        if self.first_of_host {
            // The request above has already fetched robots.txt.
            if let Ok(robots) = self.visitor.client.load_robots(&self.url).await {
                self.sitemaps = robots.sitemaps().to_vec();
            }
        }
        let FetchResponse { head, location, outcome, .. } = fetched;
        match outcome {
            Err(failure) if failure.class == FailureClass::OffLoan => self.abandon(),
            Err(failure) => self.fail(failure),
            Ok(_) if location.is_some() || matches!(head.status, 301 | 302 | 303 | 307 | 308) => {
                let target = location;
                self.on_cpu(move |visit| outcome::conclude_redirect(visit, target));
            }
            Ok(_) if matches!(head.status, 429 | 503) => {
                self.on_cpu(move |visit| outcome::conclude_retry_later(visit, head.status));
            }
            Ok(body) => self.read(probe, head, body).await,
        }
    }

    /// Abandons the visit: the entry stays pending for the process that holds its host.
    fn abandon(mut self) {
        self.over = true;
        let (host, item) = (self.item.host, self.item.id);
        let _ = self.visitor.scheduler.send(SchedulerSignal::Abandoned { host, item });
    }

    fn fail(self, failure: FetchError) {
        self.on_cpu(move |visit| outcome::conclude_failure(visit, &failure));
    }

    /// Reads the body and lets the probe judge it.
    async fn read(mut self, mut probe: Probe, head: ResponseHead, body: BodyReader) {
        let lanes = self.visitor.lanes.clone();
        let started = Instant::now();
        let received = body::receive_body(body, head.total_length, &lanes).await;
        self.spent.millis += started.elapsed().as_millis() as u64;
        match received {
            ReceivedBody::Failed(failure) => self.fail(failure),
            ReceivedBody::Large { start, rest } => {
                let Some(judged) = body::probe_stream(probe, head, start, *rest, &lanes).await else {
                    return;
                };
                self.spent.hash = judged.hash;
                self.spent.bytes += judged.bytes;
                self.spent.millis = self.spent.millis.max(started.elapsed().as_millis() as u64);
                self.take_step(judged.probe, &judged.head, judged.step);
            }
            ReceivedBody::Whole { bytes, cut, permit } => {
                let truncated = cut.is_some();
                self.spent.cut = cut;
                self.spent.bytes += bytes.len() as u64;
                let cpu = self.visitor.cpu.clone();
                cpu.run(move || {
                    let visit = self.span.clone();
                    let _visit = visit.enter();
                    let identify = tracing::info_span!("identify", bytes = bytes.len()).entered();
                    let answer = ProbeResponse { head: &head, body: ResponseBody::Whole(&bytes), truncated };
                    let step = probe.handle_response_wanting(
                        answer,
                        HtmlOptions { known: Some(self.known_pages()), apps: self.options().scripts },
                    );
                    // Only evidence is hashed: most pages never become any.
                    if !matches!(&step, ProbeStep::Done(finding) if finding.resources.is_empty()) {
                        self.spent.hash.update(&bytes);
                    }
                    drop(identify);
                    drop(permit);
                    lanes.recycle_buffer(bytes);
                    self.take_step(probe, &head, step);
                });
            }
        }
    }

    /// Performs the next step of the probe.
    fn take_step(self, probe: Probe, head: &ResponseHead, step: ProbeStep) {
        match step {
            ProbeStep::Ask(ask) => {
                let (visitor, span) = (Arc::clone(&self.visitor), self.span.clone());
                visitor.spawn(span, self.request(probe, *ask));
            }
            ProbeStep::Done(mut finding) => match finding.app.take() {
                Some(draft) => {
                    let (visitor, span) = (Arc::clone(&self.visitor), self.span.clone());
                    visitor.spawn(span, self.read_app(head.clone(), finding, *draft));
                }
                None => self.finish(|visit| outcome::conclude_answer(visit, head, *finding)),
            },
        }
    }

    /// Reads the scripts of a map application.
    async fn read_app(mut self, head: ResponseHead, mut finding: Box<Finding>, draft: AppDraft) {
        let visitor = Arc::clone(&self.visitor);
        let read = visitor.apps.read_app(draft, PieceSource::Web(&visitor.client)).await;
        self.spent.requests += read.requests;
        if !visitor.leases.allows_request(&urls::host_key(&self.url)) {
            // The lease was lost, so some scripts may not have been read.
            self.abandon();
            return;
        }
        read.merge_into(&mut finding);
        self.on_cpu(move |visit| outcome::conclude_answer(visit, &head, *finding));
    }

    fn on_cpu(self, conclude: impl FnOnce(&ActiveVisit) -> outcome::VisitResult + Send + 'static) {
        let cpu = self.visitor.cpu.clone();
        cpu.run(move || {
            let span = self.span.clone();
            span.in_scope(|| self.finish(conclude));
        });
    }

    fn finish(mut self, conclude: impl FnOnce(&ActiveVisit) -> outcome::VisitResult) {
        let conclusion = conclude(&self);
        self.end(conclusion);
    }

    fn end(&mut self, conclusion: outcome::VisitResult) {
        self.over = true;
        let outcome::VisitResult { done, seen, note } = conclusion;
        traces::record_outcome(&self.span, &done.outcome);
        let host = self.item.host;
        let _ = self.visitor.finished.send(FinishedWork::Visit(Box::new(done), note));
        let url = Box::new(self.url.clone());
        let _ = self.visitor.scheduler.send(SchedulerSignal::Free { host, url, seen: Box::new(seen) });
    }

    /// Returns the pages that need not be reported again.
    pub fn known_pages(&self) -> &KnownPages {
        &self.visitor.known
    }

    /// Returns the ranking of pages.
    pub fn ordering(&self) -> &dyn FrontierRanking {
        &*self.visitor.ordering
    }

    /// Returns the connectors and vocabularies in use.
    pub fn registry(&self) -> &Registry {
        &self.visitor.registry
    }

    /// Returns the options of the crawl.
    pub fn options(&self) -> &CrawlOptions {
        &self.visitor.options
    }
}

impl Drop for ActiveVisit {
    fn drop(&mut self) {
        // Not at the end of the crawl: then the entry stays pending and is requested when the task
        // continues.
        if !self.over && !*self.visitor.cancelled.borrow() {
            let reason = "reading the answer failed inside geotrawl; please report this URL".to_owned();
            let conclusion =
                outcome::VisitResult::from_outcome(self, outcome::skipped_outcome("internal", reason));
            self.end(conclusion);
        }
    }
}
