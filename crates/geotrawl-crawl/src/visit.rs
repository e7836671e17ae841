//! One frontier item from request to outcome: fetch, let the probe judge, ask again if it wants, and
//! hand everything to the writer.
//!
//! I/O happens on the runtime, judging on the CPU pool (or a blocking thread, for documents too large to
//! hold). Whatever happens to an item, exactly one [`Finished::Visit`] and one [`Signal::Free`] follow:
//! the drop guard of [`Visit`] sees to that even when a parser fails.

use crate::apps::{AppReader, Source};
use crate::body::{self, Lanes, Received};
use crate::cpu::CpuPool;
use crate::fetch::{BodyReader, Client, Failure, FailureClass, Fetched, Request};
use crate::frontier::{Dispatch, Signal};
use crate::known::KnownPages;
use crate::leased::LeaseRegistry;
use crate::observe::Observer;
use crate::options::CrawlOptions;
use crate::outcome;
use crate::pipeline::Finished;
use crate::registry::Registry;
use crate::traces::{self, Label};
use crossbeam_channel::Sender;
use geotrawl_kinds::extract::Wanted;
use geotrawl_kinds::extract::app::Draft;
use geotrawl_kinds::probe::{Answer, Ask, Body, Finding, Head, Probe, Step};
use geotrawl_kinds::urls;
use geotrawl_model::{Done, Item, PageOutcome};
use geotrawl_rank::Ordering;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::Instant;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tracing::field::Empty;
use tracing::{Instrument as _, Span};
use url::Url;

/// Everything a visit needs.
pub struct Visitor {
    pub client: Client,
    pub options: Arc<CrawlOptions>,
    pub ordering: Arc<dyn Ordering>,
    pub cpu: CpuPool,
    pub lanes: Lanes,
    pub runtime: Handle,
    pub finished: Sender<Finished>,
    pub scheduler: Sender<Signal>,
    pub known: Arc<KnownPages>,
    pub leases: Arc<LeaseRegistry>,
    pub registry: Registry,
    pub observer: Arc<dyn Observer>,
    pub label: Arc<Label>,
    pub apps: Arc<AppReader>,
    /// Becomes true when the crawl is over and nobody waits for visits any more.
    pub cancelled: watch::Receiver<bool>,
}

/// What a visit has cost and seen so far.
#[derive(Debug, Default)]
pub struct Spent {
    pub requests: u32,
    pub bytes: u64,
    pub millis: u64,
    pub status: Option<u16>,
    pub ip: Option<std::net::IpAddr>,
    pub hash: Sha256,
    pub content_type: Option<String>,
    pub last_request: Option<Ask>,
    /// Why the last answer ended early.
    pub cut: Option<Failure>,
}

/// A visit under way.
pub struct Visit {
    pub item: Item,
    pub url: Url,
    pub first_of_host: bool,
    /// What robots.txt names, for the first visit of a host.
    pub sitemaps: Vec<String>,
    pub spent: Spent,
    visitor: Arc<Visitor>,
    /// Names it in logs and traces; nothing where nobody wants that.
    span: Span,
    over: bool,
}

impl Visitor {
    /// Starts a visit.
    pub fn start(self: &Arc<Self>, dispatch: Dispatch) {
        let Dispatch { item, first_of_host, since } = dispatch;
        let visitor = Arc::clone(self);
        match Url::parse(&item.url) {
            Ok(url) => {
                let intent = item.intent.clone();
                let connectors = self.registry.connectors();
                let (probe, ask) = Probe::start_with(connectors, intent, url.clone(), since.as_deref());
                let (sitemaps, spent) = (Vec::new(), Spent::default());
                let span = self.label.visit(&item, &url);
                let visit = Visit {
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
            // Only damage to the store can bring us here.
            Err(error) => self.close(item, outcome::skipped("bad-url", format!("not a URL: {error}"))),
        }
    }

    /// Runs a piece of a visit, unless the crawl ends before it does.
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

    /// Closes an item that was never requested.
    pub fn close(&self, item: Item, outcome: PageOutcome) {
        let _ = self.finished.send(Finished::Visit(Box::new(Done::new(item, outcome)), None));
    }
}

impl Visit {
    async fn request(mut self, probe: Probe, ask: Ask) {
        self.visitor.observer.fetching(ask.url.as_str());
        let started = Instant::now();
        let span = tracing::info_span!("fetch", url = %ask.url, status = Empty, failure = Empty);
        let fetched = self.visitor.client.fetch(Request::from(ask.clone())).instrument(span.clone()).await;
        let failure = fetched.outcome.as_ref().err().map(|failure| failure.class.as_str());
        span.record("status", fetched.head.status).record("failure", failure);
        drop(span);
        self.visitor.observer.fetched(ask.url.as_str(), started.elapsed(), fetched.head.status, failure);
        self.spent.requests += fetched.requests;
        self.spent.status = (fetched.head.status > 0).then_some(fetched.head.status);
        self.spent.ip = fetched.ip.or(self.spent.ip);
        self.spent.content_type.clone_from(&fetched.head.content_type);
        self.spent.millis += fetched.timing.total.as_millis() as u64;
        self.spent.last_request = Some(ask);
        if self.first_of_host {
            // Known by now: the request above had to ask.
            if let Ok(robots) = self.visitor.client.robots(&self.url).await {
                self.sitemaps = robots.sitemaps().to_vec();
            }
        }
        let Fetched { head, location, outcome, .. } = fetched;
        match outcome {
            Err(failure) if failure.class == FailureClass::OffLoan => self.abandon(),
            Err(failure) => self.fail(failure),
            Ok(_) if location.is_some() || matches!(head.status, 301 | 302 | 303 | 307 | 308) => {
                let target = location;
                self.on_cpu(move |visit| outcome::redirected(visit, target));
            }
            Ok(_) if matches!(head.status, 429 | 503) => {
                self.on_cpu(move |visit| outcome::turned_away(visit, head.status));
            }
            Ok(body) => self.read(probe, head, body).await,
        }
    }

    /// Ends without a word about the item: it stays pending, for whoever has its host.
    fn abandon(mut self) {
        self.over = true;
        let (host, item) = (self.item.host, self.item.id);
        let _ = self.visitor.scheduler.send(Signal::Abandoned { host, item });
    }

    fn fail(self, failure: Failure) {
        self.on_cpu(move |visit| outcome::failed(visit, &failure));
    }

    /// Reads the body and lets the probe judge it.
    async fn read(mut self, mut probe: Probe, head: Head, body: BodyReader) {
        let lanes = self.visitor.lanes.clone();
        let started = Instant::now();
        let received = body::receive(body, head.total_length, &lanes).await;
        self.spent.millis += started.elapsed().as_millis() as u64;
        match received {
            Received::Failed(failure) => self.fail(failure),
            Received::Large { start, rest } => {
                let Some(judged) = body::judge_stream(probe, head, start, *rest, &lanes).await else {
                    return;
                };
                self.spent.hash = judged.hash;
                self.spent.bytes += judged.bytes;
                self.spent.millis = self.spent.millis.max(started.elapsed().as_millis() as u64);
                self.follow(judged.probe, &judged.head, judged.step);
            }
            Received::Whole { bytes, cut, permit } => {
                let truncated = cut.is_some();
                self.spent.cut = cut;
                self.spent.bytes += bytes.len() as u64;
                let cpu = self.visitor.cpu.clone();
                cpu.run(move || {
                    let visit = self.span.clone();
                    let _visit = visit.enter();
                    let identify = tracing::info_span!("identify", bytes = bytes.len()).entered();
                    let answer = Answer { head: &head, body: Body::Whole(&bytes), truncated };
                    let step = probe.answer_wanting(
                        answer,
                        Wanted { known: Some(self.known()), apps: self.options().scripts },
                    );
                    // Only what becomes evidence is hashed: most pages never do.
                    if !matches!(&step, Step::Done(finding) if finding.resources.is_empty()) {
                        self.spent.hash.update(&bytes);
                    }
                    drop(identify);
                    drop(permit);
                    lanes.give_back(bytes);
                    self.follow(probe, &head, step);
                });
            }
        }
    }

    /// Does what the probe wants next.
    fn follow(self, probe: Probe, head: &Head, step: Step) {
        match step {
            Step::Ask(ask) => {
                let (visitor, span) = (Arc::clone(&self.visitor), self.span.clone());
                visitor.spawn(span, self.request(probe, *ask));
            }
            Step::Done(mut finding) => match finding.app.take() {
                Some(draft) => {
                    let (visitor, span) = (Arc::clone(&self.visitor), self.span.clone());
                    visitor.spawn(span, self.read_app(head.clone(), finding, *draft));
                }
                None => self.finish(|visit| outcome::answered(visit, head, *finding)),
            },
        }
    }

    /// Reads the scripts of a map application.
    async fn read_app(mut self, head: Head, mut finding: Box<Finding>, draft: Draft) {
        let visitor = Arc::clone(&self.visitor);
        let read = visitor.apps.read(draft, Source::Web(&visitor.client)).await;
        self.spent.requests += read.requests;
        if !visitor.leases.allows(&urls::host_key(&self.url)) {
            // Some of it may not have been read.
            self.abandon();
            return;
        }
        read.merge(&mut finding);
        self.on_cpu(move |visit| outcome::answered(visit, &head, *finding));
    }

    fn on_cpu(self, conclude: impl FnOnce(&Visit) -> outcome::Conclusion + Send + 'static) {
        let cpu = self.visitor.cpu.clone();
        cpu.run(move || {
            let span = self.span.clone();
            span.in_scope(|| self.finish(conclude));
        });
    }

    fn finish(mut self, conclude: impl FnOnce(&Visit) -> outcome::Conclusion) {
        let conclusion = conclude(&self);
        self.end(conclusion);
    }

    fn end(&mut self, conclusion: outcome::Conclusion) {
        self.over = true;
        let outcome::Conclusion { done, seen, note } = conclusion;
        traces::ended(&self.span, &done.outcome);
        let host = self.item.host;
        let _ = self.visitor.finished.send(Finished::Visit(Box::new(done), note));
        let url = Box::new(self.url.clone());
        let _ = self.visitor.scheduler.send(Signal::Free { host, url, seen: Box::new(seen) });
    }

    /// Pages that need not be reported again.
    pub fn known(&self) -> &KnownPages {
        &self.visitor.known
    }

    /// In which order pages are read.
    pub fn ordering(&self) -> &dyn Ordering {
        &*self.visitor.ordering
    }

    /// Returns the connectors and vocabularies in force.
    pub fn registry(&self) -> &Registry {
        &self.visitor.registry
    }

    /// What the visit may use.
    pub fn options(&self) -> &CrawlOptions {
        &self.visitor.options
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        // Cut off by the end of the crawl: the item stays pending and is asked for when the task goes on.
        if !self.over && !*self.visitor.cancelled.borrow() {
            let reason = "reading the answer failed inside geotrawl; please report this URL".to_owned();
            let conclusion = outcome::Conclusion::only(self, outcome::skipped("internal", reason));
            self.end(conclusion);
        }
    }
}
