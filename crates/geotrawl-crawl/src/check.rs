//! Runs the checks of [`geotrawl_trust::check`] through the guarded client.

use crate::body::{self, BodyPool, ChunkReader, ReceivedBody};
use crate::fetch::{FailureClass, FetchError, FetchRequest, FetchResponse, GuardedClient, RedirectPolicy};
use crate::monitor::RecordChecker;
use crate::registry::Registry;
use geotrawl_kinds::probe::{ProbeResponse, ResponseBody};
use geotrawl_model::monitoring::{CheckResult, DueCheck};
use geotrawl_model::{Check, CheckFailure, CheckRequest, Observation, Outcome, Phases, Resource};
use geotrawl_trust::check::{
    CheckOptions, CheckOutcome, CheckSession, CheckVerdict, FetchedResponse, PendingRequest, SessionStep,
    derive_verdict,
};
use http::HeaderMap;
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tracing::Instrument as _;
use tracing::field::Empty;
use url::Url;

/// Maximum number of redirects to follow in a check.
const MOST_REDIRECTS: usize = 5;

/// Headers that are stored as evidence.
const TELLING: &[&str] = &[
    "accept-ranges",
    "access-control-allow-origin",
    "cf-mitigated",
    "content-encoding",
    "content-length",
    "content-range",
    "content-type",
    "date",
    "etag",
    "last-modified",
    "retry-after",
    "server",
    "strict-transport-security",
    "via",
    "www-authenticate",
    "x-amzn-waf-action",
    "x-datadome",
    "x-iinfo",
    "x-powered-by",
    "x-sucuri-block",
];
/// Maximum number of characters stored per header.
const HEADER_LENGTH: usize = 300;

/// Returns the current time.
pub type CheckClock = dyn Fn() -> jiff::Timestamp + Send + Sync;

/// Checks whether resources work.
#[derive(Clone)]
pub struct ResourceChecker {
    client: GuardedClient,
    lanes: BodyPool,
    clock: Arc<CheckClock>,
    /// Whether robots.txt is obeyed: always for scheduled checks, not for addresses that a person
    /// named.
    obey_robots: bool,
    /// Options of scheduled checks.
    options: CheckOptions,
    registry: Registry,
}

impl ResourceChecker {
    /// Creates a checker that obeys robots.txt, for scheduled checks.
    pub fn new(client: GuardedClient, lanes: BodyPool) -> Self {
        Self {
            client,
            lanes,
            clock: Arc::new(jiff::Timestamp::now),
            obey_robots: true,
            options: CheckOptions::default(),
            registry: Registry::default(),
        }
    }

    /// Ignores robots.txt, for an address that a person named.
    #[must_use]
    pub fn without_robots(mut self) -> Self {
        self.obey_robots = false;
        self
    }

    /// Sets the options of scheduled checks.
    #[must_use]
    pub fn with_options(mut self, options: CheckOptions) -> Self {
        self.options = options;
        self
    }

    /// Sets the vocabularies for labelling checked resources.
    #[must_use]
    pub fn with_registry(mut self, registry: Registry) -> Self {
        self.registry = registry;
        self
    }

    /// Replaces the clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<CheckClock>) -> Self {
        self.clock = clock;
        self
    }

    /// Checks a resource.
    pub async fn check_resource(&self, known: &Resource, options: &CheckOptions) -> CheckOutcome {
        self.check_record(known, options, None).await
    }

    /// Checks a resource and names the record with this id in logs and traces.
    async fn check_record(
        &self,
        known: &Resource,
        options: &CheckOptions,
        record: Option<&str>,
    ) -> CheckOutcome {
        let url = Url::parse(&known.url).ok();
        let host = url.as_ref().and_then(Url::host_str);
        let span = tracing::info_span!(
            parent: None, "check", record, host, url = known.url, kind = known.kind, verdict = Empty
        );
        let checked = self.examine(known, options).instrument(span.clone()).await;
        span.record("verdict", checked.check.verdict.as_str());
        tracing::debug!(parent: &span, cause = checked.check.cause, "checked");
        checked
    }

    async fn examine(&self, known: &Resource, options: &CheckOptions) -> CheckOutcome {
        let (mut session, mut wanted) = CheckSession::start(known, options);
        loop {
            let Some((back, next)) = self.ask(session, &wanted).await else {
                return self.internal_failure(known, &wanted);
            };
            match next {
                SessionStep::Done(checked) => return *checked,
                SessionStep::Ask(more) => (session, wanted) = (back, *more),
            }
        }
    }

    /// Returns the result for an internal failure, after which nothing is known about the resource.
    fn internal_failure(&self, known: &Resource, wanted: &PendingRequest) -> CheckOutcome {
        let message = "reading the answer failed inside geotrawl; please report this address".to_owned();
        let observations = vec![Observation {
            purpose: wanted.purpose,
            dataset: wanted.dataset.clone(),
            request: CheckRequest {
                method: "GET".into(),
                url: wanted.ask.url.to_string(),
                limit: wanted.ask.max_bytes,
                ..CheckRequest::default()
            },
            answer: None,
            seen: message.clone(),
            failure: Some(CheckFailure { class: FailureClass::Local.as_str().to_owned(), message }),
            phases: Phases::default(),
            outcome: Outcome::Refused,
        }];
        let CheckVerdict { status, cause, reason } = derive_verdict(&known.kind, &observations);
        let check = Check {
            kind: known.kind.clone(),
            url: known.url.clone(),
            at: (self.clock)(),
            observations,
            facts: None,
            verdict: status,
            cause: cause.to_owned(),
            reason,
        };
        CheckOutcome { check, resource: None }
    }

    /// Sends one request and passes the answer to the session.
    async fn ask(
        &self,
        mut session: CheckSession,
        wanted: &PendingRequest,
    ) -> Option<(CheckSession, SessionStep)> {
        let at = (self.clock)();
        let request = FetchRequest {
            redirects: RedirectPolicy::Follow(MOST_REDIRECTS),
            check_robots: self.obey_robots,
            ..FetchRequest::from(wanted.ask.clone())
        };
        let FetchResponse { hops, ip, head, headers, timing, outcome, .. } = self.client.fetch(request).await;
        let mut told = ExchangeDetails {
            at,
            ip: ip.map(|ip| ip.to_string()),
            redirects: hops.into_iter().map(|hop| (hop.status, hop.location.to_string())).collect(),
            headers: evidence_headers(&headers),
            phases: Phases {
                dns: millis(timing.dns),
                connect: millis(timing.connect),
                tls: timing.tls.map_or(0, millis),
                first_byte: millis(timing.first_byte),
                transfer: 0,
                total: millis(timing.total),
            },
        };
        let received = match outcome {
            Ok(body) => {
                let reading = Instant::now();
                let received = body::receive_body(body, head.total_length, &self.lanes).await;
                told.phases.transfer = millis(reading.elapsed());
                told.phases.total = told.phases.total.saturating_add(told.phases.transfer);
                received
            }
            Err(failure) => ReceivedBody::Failed(failure),
        };
        match received {
            ReceivedBody::Failed(failure) => {
                let heard = told.into_heard(Err(check_failure(&failure)), Box::new(|| (0, String::new())));
                let next = session.handle_response(heard);
                Some((session, next))
            }
            // Parsed here rather than on another thread: the bodies of checks are small.
            ReceivedBody::Whole { bytes, cut, permit } => {
                let tally = || (bytes.len() as u64, body::to_hex(Sha256::new_with_prefix(&bytes)));
                let answer = ProbeResponse {
                    head: &head,
                    body: ResponseBody::Whole(&bytes),
                    truncated: cut.is_some(),
                };
                let next = session.handle_response(told.into_heard(Ok(answer), Box::new(tally)));
                drop(permit);
                Some((session, next))
            }
            ReceivedBody::Large { start, rest } => {
                body::read_stream(start, *rest, &self.lanes, move |reader| {
                    // Shared, because length and hash are read after the session has consumed the
                    // stream.
                    let reader = Rc::new(RefCell::new(reader));
                    let mut body = SharedChunkReader(Rc::clone(&reader));
                    let tally = move || {
                        let (hash, bytes) = reader.borrow().hash_and_length();
                        (bytes, body::to_hex(hash))
                    };
                    let answer = ProbeResponse {
                        head: &head,
                        body: ResponseBody::Stream(&mut body),
                        truncated: false,
                    };
                    let next = session.handle_response(told.into_heard(Ok(answer), Box::new(tally)));
                    (session, next)
                })
                .await
            }
        }
    }
}

/// Runs scheduled checks. Checks that a person requested ignore robots.txt.
impl RecordChecker for ResourceChecker {
    fn check_due<'a>(&'a self, due: &'a DueCheck) -> Pin<Box<dyn Future<Output = CheckResult> + Send + 'a>> {
        Box::pin(async move {
            let examiner = if due.asked { self.clone().without_robots() } else { self.clone() };
            let checked = examiner.check_record(&due.record.resource, &self.options, Some(&due.id)).await;
            let themes = checked.resource.as_ref().map(|resource| self.registry.label_themes(resource));
            CheckResult { id: due.id.clone(), check: checked.check, resource: checked.resource, themes }
        })
    }
}

/// Details of a request and its answer, except for the body.
struct ExchangeDetails {
    at: jiff::Timestamp,
    ip: Option<String>,
    redirects: Vec<(u16, String)>,
    headers: BTreeMap<String, String>,
    phases: Phases,
}

impl ExchangeDetails {
    fn into_heard<'a>(
        self,
        answer: Result<ProbeResponse<'a>, CheckFailure>,
        read: Box<dyn FnOnce() -> (u64, String) + 'a>,
    ) -> FetchedResponse<'a> {
        let Self { at, ip, redirects, headers, phases } = self;
        FetchedResponse { at, ip, phases, redirects, headers, answer, read }
    }
}

/// A stream whose length and hash can be read afterwards.
struct SharedChunkReader(Rc<RefCell<ChunkReader>>);

impl Read for SharedChunkReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.borrow_mut().read(out)
    }
}

fn check_failure(failure: &FetchError) -> CheckFailure {
    let class = match failure.class {
        // An unresponsive name server says nothing about the name.
        FailureClass::Dns if failure.retry => "resolver",
        class => class.as_str(),
    };
    CheckFailure { class: class.to_owned(), message: failure.message.clone() }
}

fn evidence_headers(headers: &HeaderMap) -> BTreeMap<String, String> {
    TELLING
        .iter()
        .filter_map(|name| {
            let text = String::from_utf8_lossy(headers.get(*name)?.as_bytes()).into_owned();
            Some(((*name).to_owned(), text.chars().take(HEADER_LENGTH).collect()))
        })
        .collect()
}

fn millis(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}
