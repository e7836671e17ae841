//! One check, request by request.

use super::body::{PrefixReader, read_body};
use super::document::DocumentFacts;
use super::judge::{self, DecodedPicture, JudgedAnswer, ObservedAnswer};
use super::plan::{self, ExpectedAnswer, FallbackRequests, KeptDescription, PlanContext, PlannedRequest};
use super::{
    CheckOptions, CheckOutcome, FetchedResponse, PendingRequest, SessionStep, derive_verdict, describe,
    facts, operations,
};
use geotrawl_kinds::probe::{
    ByteRange, Finding, Probe, ProbeRequest, ProbeResponse, ProbeStep, ResponseBody, ResponseHead,
};
use geotrawl_model::{
    Check, CheckFailure, CheckRequest, CheckResponse, Intent, Observation, Outcome, Phases, Purpose, Resource,
};
use std::collections::VecDeque;
use std::sync::LazyLock;
use url::Url;

/// Maximum number of requests for the description.
const DESCRIPTION: usize = 7;
/// Maximum number of datasets tested.
const SAMPLE: usize = 4;
/// Maximum number of requests of the scored operation, fallbacks included, if the description
/// leaves that many.
const OPERATIONS: usize = 9;
/// Maximum number of requests per check: at least four are left for the operation, and one must be
/// rejected.
pub const MOST_REQUESTS: usize = DESCRIPTION + 5;
/// How many further requests of a probe are answered with nothing once the limit is reached.
const VAIN: usize = 64;

#[expect(clippy::expect_used, reason = "a constant, and tested")]
static NOWHERE: LazyLock<Url> = LazyLock::new(|| Url::parse("about:blank").expect("a URL"));

/// A running check: returns the requests to send and handles their results.
pub struct CheckSession {
    kind: String,
    url: String,
    options: CheckOptions,
    at: Option<jiff::Timestamp>,
    state: CheckPhase,
    /// The current request and the expected answer.
    current: Option<(PendingRequest, Option<AwaitedAnswer>)>,
    observations: Vec<Observation>,
    /// Observations that become valid if the description is found in the end.
    tentative: Vec<usize>,
    /// Requests sent for the description.
    asks: Vec<ProbeRequest>,
    /// Whether the description was read completely.
    complete: bool,
    kept: Option<KeptDescription>,
    document: DocumentFacts,
    total: Option<u64>,
    resource: Option<Resource>,
    queue: VecDeque<PlannedRequest>,
    /// Replacements for datasets that cannot be requested.
    spare: VecDeque<PlannedRequest>,
    operations: usize,
    refusal: Option<PlannedRequest>,
    /// Whether the description was requested a second time in another way.
    once_more: bool,
}

/// The expected answer of a request, and how to continue if it does not arrive.
struct AwaitedAnswer {
    expect: ExpectedAnswer,
    again: FallbackRequests,
    /// How many earlier forms of this request were rejected.
    refused: usize,
    /// The empty picture of the first request, if this is the second.
    empty: Option<DecodedPicture>,
}

/// A request that follows from an answer.
enum FollowUpRequest {
    /// The answer describes what to request next.
    Step(Box<PlannedRequest>),
    /// The answer was empty.
    Elsewhere(Box<PlannedRequest>, Option<DecodedPicture>),
    /// The request was rejected, with the number of rejections so far.
    Otherwise(Box<PlannedRequest>, usize),
}

enum CheckPhase {
    Describing(Box<Probe>),
    Operating,
    Over,
}

impl CheckSession {
    /// Starts a check of a resource and returns its first request.
    pub fn start(known: &Resource, options: &CheckOptions) -> (Self, PendingRequest) {
        let (state, ask) = match Url::parse(&known.url) {
            Ok(url) => {
                let intent = describe::description_intent(&known.kind, &url);
                let (probe, mut ask) =
                    Probe::start(intent.clone(), describe::description_url(&known.kind, &url));
                if let (Intent::Page, Some(accept)) = (intent, describe::description_accept(&known.kind)) {
                    ask.accept = accept;
                }
                (CheckPhase::Describing(Box::new(probe)), ask)
            }
            // The client rejects this address, and the check then reports that failure.
            Err(_unparsable) => (CheckPhase::Over, ProbeRequest::get(NOWHERE.clone(), "*/*", 0)),
        };
        let wanted = PendingRequest { purpose: Purpose::Description, dataset: None, ask };
        let session = Self {
            kind: known.kind.clone(),
            url: known.url.clone(),
            options: options.clone(),
            at: None,
            state,
            current: Some((wanted.clone(), None)),
            observations: Vec::new(),
            tentative: Vec::new(),
            asks: Vec::new(),
            complete: true,
            kept: None,
            document: DocumentFacts::default(),
            total: None,
            resource: None,
            queue: VecDeque::new(),
            spare: VecDeque::new(),
            operations: 0,
            refusal: None,
            once_more: false,
        };
        (session, wanted)
    }

    /// Handles the result of the last request and returns the next step.
    pub fn handle_response(&mut self, heard: FetchedResponse<'_>) -> SessionStep {
        let at = *self.at.get_or_insert(heard.at);
        let Some((wanted, awaited)) = self.current.take() else { return self.finish(at) };
        let asked = asked(&wanted.ask);
        let FetchedResponse { ip, phases, redirects, headers, answer, read, .. } = heard;
        let answer = match answer {
            Err(failed) => {
                self.note(wanted.clone(), asked, None, Some(failed), phases);
                return match awaited {
                    None => self.undescribed(wanted.ask, at),
                    Some(_) => self.after_operation(None, at),
                };
            }
            Ok(answer) => answer,
        };
        let truncated = answer.truncated;
        let url = answer.head.url.clone().unwrap_or_else(|| wanted.ask.url.clone());
        let answered = CheckResponse {
            url: url.to_string(),
            ip,
            status: answer.head.status,
            headers,
            redirects,
            bytes: 0,
            truncated,
            hash: String::new(),
        };
        let head = answer.head.clone();
        if let (Some(_), 200 | 206) = (wanted.ask.range, head.status) {
            self.document.ranges = Some(self.document.ranges.unwrap_or(true) && head.status == 206);
        }
        if let Some(awaited) = awaited {
            let bytes = self::read_body(answer.body, wanted.ask.max_bytes);
            let (count, hash) = read();
            let mut answered = CheckResponse { bytes: count, hash, ..answered };
            answered.truncated |= bytes.len() as u64 >= wanted.ask.max_bytes;
            let seen = seen(&wanted.ask.url, &url, &head, &answered, &bytes);
            let judged = awaited.compare(judge::judge_content(&awaited.expect, &seen), &bytes);
            let onward = awaited.onward(&judged, &bytes, &url, wanted.dataset.as_deref());
            let mut wanted = wanted;
            // An answer that only leads to the operation counts as a description.
            if wanted.purpose == Purpose::Operation && matches!(onward, Some(FollowUpRequest::Step(_))) {
                wanted.purpose = Purpose::Description;
            }
            if judged.outcome == Outcome::Valid {
                self.learn(awaited.refused);
            }
            self.push(wanted, asked, Some(answered), None, phases, judged);
            return self.after_operation(onward, at);
        }
        let (step, bytes) = self.describe(answer);
        let (count, hash) = read();
        let answered = CheckResponse { bytes: count, hash, ..answered };
        // A body that reached our size limit is not broken; one that ended before was cut off by
        // the server.
        let cut = truncated && count < wanted.ask.max_bytes;
        self.complete &= !cut;
        let judged = self.look(&seen(&wanted.ask.url, &url, &head, &answered, &bytes), cut);
        self.take_description(&wanted, url, &head, bytes, count);
        self.asks.push(wanted.ask.clone());
        self.push(wanted, asked, Some(answered), None, phases, judged);
        self.after_description(step, at)
    }

    /// Judges an answer for the case that the description is not found in the end.
    fn look(&mut self, seen: &ObservedAnswer<'_>, cut: bool) -> JudgedAnswer {
        if let Some(judged) = judge::detect_trouble(seen) {
            return judged;
        }
        self.tentative.push(self.observations.len());
        if cut {
            return JudgedAnswer::new(Outcome::Reset, "The answer broke off before any content");
        }
        judge::judge_other_document(seen, &self.kind)
    }

    /// Passes an answer to the probe and keeps its first bytes.
    fn describe(&mut self, answer: ProbeResponse<'_>) -> (Option<ProbeStep>, Vec<u8>) {
        let CheckPhase::Describing(probe) = &mut self.state else {
            return (None, self::read_body(answer.body, 0));
        };
        let limit = describe::kept_bytes(&self.kind);
        let ProbeResponse { head, body, truncated } = answer;
        match body {
            ResponseBody::Whole(bytes) => {
                let step = probe.handle_response(ProbeResponse {
                    head,
                    body: ResponseBody::Whole(bytes),
                    truncated,
                });
                (Some(step), bytes[..bytes.len().min(limit)].to_vec())
            }
            ResponseBody::Stream(stream) => {
                let mut tee = PrefixReader::new(stream, limit);
                let step = probe.handle_response(ProbeResponse {
                    head,
                    body: ResponseBody::Stream(&mut tee),
                    truncated,
                });
                (Some(step), tee.into_kept())
            }
        }
    }

    /// Keeps the parts of an answer that may be needed later.
    fn take_description(
        &mut self,
        wanted: &PendingRequest,
        url: Url,
        head: &ResponseHead,
        bytes: Vec<u8>,
        count: u64,
    ) {
        self.document.bytes += count;
        if head.status >= 400 {
            return;
        }
        self.total = self.total.or(head.total_length);
        let keeps = |kept: &KeptDescription| {
            operations::operation_of(&self.kind).is_some_and(|operation| operation.keeps_description(kept))
        };
        if self.kept.as_ref().is_some_and(keeps) {
            return;
        }
        let facts = DocumentFacts::from_bytes(&url, &wanted.ask.url, head.content_type.as_deref(), &bytes);
        self.document = DocumentFacts { bytes: self.document.bytes, ranges: self.document.ranges, ..facts };
        self.kept = Some(KeptDescription { url, bytes });
    }

    /// Handles a failed request for the description: ends the check if it was the first, else
    /// continues without that part.
    fn undescribed(&mut self, ask: ProbeRequest, at: jiff::Timestamp) -> SessionStep {
        self.asks.push(ask);
        self.complete = false;
        if self.observations.len() <= 1 {
            self.state = CheckPhase::Over;
            return self.finish(at);
        }
        let step = self.in_vain();
        self.after_description(step, at)
    }

    /// Tells the probe that its request failed.
    fn in_vain(&mut self) -> Option<ProbeStep> {
        let CheckPhase::Describing(probe) = &mut self.state else { return None };
        // A server error makes the probe continue without this part.
        let head = ResponseHead { status: 503, ..ResponseHead::default() };
        Some(probe.handle_response(ProbeResponse {
            head: &head,
            body: ResponseBody::Whole(&[]),
            truncated: true,
        }))
    }

    fn after_description(&mut self, step: Option<ProbeStep>, at: jiff::Timestamp) -> SessionStep {
        let mut step = step;
        for _ in 0..VAIN {
            match step {
                Some(ProbeStep::Ask(ask)) if self.observations.len() < DESCRIPTION => {
                    return self.want(Purpose::Description, None, *ask, None);
                }
                Some(ProbeStep::Ask(_)) => {
                    self.complete = false;
                    step = self.in_vain();
                }
                Some(ProbeStep::Done(finding)) => {
                    self.conclude(*finding);
                    if let Some(ask) = self.description_once_more() {
                        return self.want(Purpose::Description, None, ask, None);
                    }
                    break;
                }
                None => break,
            }
        }
        self.state = CheckPhase::Operating;
        self.next_operation(at)
    }

    /// Returns another request for the description if an HTML page was returned instead.
    fn description_once_more(&mut self) -> Option<ProbeRequest> {
        let page = self.resource.is_none() && self.observations.last()?.outcome == Outcome::Page;
        if !page || self.once_more {
            return None;
        }
        let ask = describe::retry_description(&self.kind, self.asks.last()?)?;
        self.once_more = true;
        let (probe, _) = Probe::start(Intent::Page, ask.url.clone());
        self.state = CheckPhase::Describing(Box::new(probe));
        self.document = DocumentFacts::default();
        Some(ask)
    }

    /// Ends the description phase, whether or not a description was found.
    fn conclude(&mut self, finding: Finding) {
        let other = describe::describe_others(&finding);
        let Some(resource) = describe::find_resource(finding, &self.kind, &self.url) else {
            // The document describes something else.
            if let (Some(other), Some(last)) = (other, self.observations.last_mut())
                && last.outcome == Outcome::WrongContent
            {
                last.seen = format!("It returned {other}");
            }
            return;
        };
        let answered = self.observations.iter().rposition(|seen| seen.answer.is_some());
        if self.tentative.is_empty() {
            self.tentative.extend(answered);
        }
        let words = describe::summarize_resource(&resource);
        let last = self.tentative.last().copied();
        for at in std::mem::take(&mut self.tentative) {
            if let Some(observation) = self.observations.get_mut(at) {
                observation.outcome = Outcome::Valid;
                observation.seen =
                    if Some(at) == last { words.clone() } else { "Part of the description".to_owned() };
            }
        }
        self.plan(&resource, last);
        self.resource = Some(resource);
    }

    /// Plans the requests about the datasets.
    fn plan(&mut self, resource: &Resource, described: Option<usize>) {
        let Ok(at) = Url::parse(&resource.url) else { return };
        let sample = self.options.sample.min(SAMPLE);
        let spare = operations::operation_of(&resource.kind).filter(|_| sample > 0);
        let spare = spare.map_or(0, operations::ScoredOperation::spare_datasets);
        let context = PlanContext {
            resource,
            at,
            document: self.kept.as_ref(),
            chosen: plan::choose_datasets(resource, sample + spare, self.options.seed),
            described_by: described.and_then(|at| self.asks.get(at)),
            total: self.total,
        };
        if sample > 0 {
            self.queue = plan::plan_operations(&context).into_iter().take(SAMPLE + spare).collect();
            self.spare = self.queue.split_off(self.queue.len().min(if spare > 0 { sample } else { SAMPLE }));
        }
        self.refusal = if self.options.refusal { plan::plan_refusal(&context) } else { None };
    }

    fn after_operation(&mut self, onward: Option<FollowUpRequest>, at: jiff::Timestamp) -> SessionStep {
        let Some(last) = self.observations.last() else { return self.finish(at) };
        if last.purpose == Purpose::Refusal {
            return self.finish(at);
        }
        // A server that refuses or does not answer gets no further requests.
        let enough = matches!(
            last.outcome,
            Outcome::RateLimited
                | Outcome::Firewall
                | Outcome::Robots
                | Outcome::Login
                | Outcome::Key
                | Outcome::Dns
                | Outcome::Connect
                | Outcome::Tls
        );
        if enough {
            self.queue.clear();
            self.refusal = None;
            return self.finish(at);
        }
        // The dataset is a function whose parameters cannot be guessed: test another one instead.
        if last.outcome == Outcome::Refused
            && last.answer.is_some()
            && let Some(spare) = self.spare.pop_front()
        {
            self.queue.push_front(spare);
        }
        match onward {
            Some(FollowUpRequest::Step(planned)) if self.left() > 0 => self.operate(*planned, 0, None),
            Some(FollowUpRequest::Elsewhere(planned, empty)) if self.left() > 0 => {
                self.operate(*planned, 0, empty)
            }
            Some(FollowUpRequest::Otherwise(planned, refused)) if self.left() > 0 => {
                self.operate(*planned, refused, None)
            }
            _ => self.next_operation(at),
        }
    }

    /// Returns how many requests are left for the operation.
    fn left(&self) -> usize {
        // One request is reserved for the one that must be rejected.
        let all = (MOST_REQUESTS - 1).saturating_sub(self.observations.len());
        all.min(OPERATIONS.saturating_sub(self.operations))
    }

    /// Skips request variants that the server has already rejected, for all remaining datasets.
    fn learn(&mut self, refused: usize) {
        for planned in self.queue.iter_mut().chain(&mut self.spare) {
            for _ in 0..refused {
                if let Some(other) = planned.again.if_refused.take() {
                    *planned = *other;
                }
            }
        }
    }

    fn operate(
        &mut self,
        planned: PlannedRequest,
        refused: usize,
        empty: Option<DecodedPicture>,
    ) -> SessionStep {
        let PlannedRequest { dataset, ask, expect, again } = planned;
        self.operations += 1;
        let awaited = AwaitedAnswer { expect, again, refused, empty };
        self.want(Purpose::Operation, dataset, ask, Some(awaited))
    }

    fn next_operation(&mut self, at: jiff::Timestamp) -> SessionStep {
        // Start a dataset only if all its fallbacks fit, so that none counts as empty after one
        // request.
        if let Some(planned) = self.queue.pop_front()
            && self.left() >= if self.operations == 0 { 1 } else { planned.most_requests() }
        {
            return self.operate(planned, 0, None);
        }
        self.queue.clear();
        if let Some(PlannedRequest { dataset, ask, expect, again }) = self.refusal.take() {
            let awaited = AwaitedAnswer { expect, again, refused: 0, empty: None };
            return self.want(Purpose::Refusal, dataset, ask, Some(awaited));
        }
        self.finish(at)
    }

    fn want(
        &mut self,
        purpose: Purpose,
        dataset: Option<String>,
        ask: ProbeRequest,
        awaited: Option<AwaitedAnswer>,
    ) -> SessionStep {
        let wanted = PendingRequest { purpose, dataset, ask };
        self.current = Some((wanted.clone(), awaited));
        SessionStep::Ask(Box::new(wanted))
    }

    /// Records a request without an answer.
    fn note(
        &mut self,
        wanted: PendingRequest,
        asked: CheckRequest,
        answer: Option<CheckResponse>,
        failed: Option<CheckFailure>,
        phases: Phases,
    ) {
        let judged = failed
            .as_ref()
            .map_or_else(|| JudgedAnswer::new(Outcome::Reset, "No answer"), judge::judge_failure);
        self.push(wanted, asked, answer, failed, phases, judged);
    }

    fn push(
        &mut self,
        wanted: PendingRequest,
        request: CheckRequest,
        answer: Option<CheckResponse>,
        failure: Option<CheckFailure>,
        phases: Phases,
        judged: JudgedAnswer,
    ) {
        let JudgedAnswer { outcome, seen } = judged;
        let PendingRequest { purpose, dataset, .. } = wanted;
        self.observations.push(Observation {
            purpose,
            dataset,
            request,
            answer,
            failure,
            phases,
            outcome,
            seen,
        });
    }

    fn finish(&mut self, at: jiff::Timestamp) -> SessionStep {
        self.state = CheckPhase::Over;
        let resource = self.resource.take();
        let facts = resource.as_ref().map(|resource| {
            self.document.apply_resource(resource);
            facts::build_facts(resource, &self.document)
        });
        let observations = std::mem::take(&mut self.observations);
        let verdict = derive_verdict(&self.kind, &observations);
        let check = Check {
            kind: self.kind.clone(),
            url: self.url.clone(),
            at,
            observations,
            facts,
            verdict: verdict.status,
            cause: verdict.cause.to_owned(),
            reason: verdict.reason,
        };
        SessionStep::Done(Box::new(CheckOutcome { check, resource: resource.filter(|_| self.complete) }))
    }
}

/// Converts the request to its stored form.
fn asked(ask: &ProbeRequest) -> CheckRequest {
    CheckRequest {
        method: if ask.post.is_some() { "POST" } else { "GET" }.to_owned(),
        url: ask.url.to_string(),
        accept: ask.accept.to_owned(),
        range: ask.range.map(|range| match range {
            ByteRange::Span { from, to } => format!("bytes={from}-{to}"),
            ByteRange::Suffix(last) => format!("bytes=-{last}"),
        }),
        content_type: ask.post.as_ref().map(|post| post.content_type.to_owned()),
        body: ask.post.as_ref().map(|post| post.body.clone()),
        limit: ask.max_bytes,
    }
}

fn seen<'s>(
    asked: &'s Url,
    url: &'s Url,
    head: &'s ResponseHead,
    answered: &'s CheckResponse,
    bytes: &'s [u8],
) -> ObservedAnswer<'s> {
    ObservedAnswer {
        asked,
        url,
        status: head.status,
        content_type: head.content_type.as_deref(),
        total: head.total_length,
        headers: &answered.headers,
        redirects: &answered.redirects,
        bytes,
        truncated: answered.truncated || (bytes.len() as u64) < answered.bytes,
    }
}

impl AwaitedAnswer {
    /// Accepts two single-colour pictures as content if their colours differ.
    fn compare(&self, judged: JudgedAnswer, bytes: &[u8]) -> JudgedAnswer {
        let Some(before) = self.empty.as_ref().filter(|_| judged.outcome == Outcome::Blank) else {
            return judged;
        };
        match judge::single_colour_picture(bytes) {
            Some(now) if now.differs_in_colour(before) => {
                JudgedAnswer::new(Outcome::Valid, format!("{}, different from the first", judged.seen))
            }
            _ => judged,
        }
    }

    /// Returns the request that follows from an answer.
    fn onward(
        &self,
        judged: &JudgedAnswer,
        bytes: &[u8],
        url: &Url,
        dataset: Option<&str>,
    ) -> Option<FollowUpRequest> {
        let otherwise = || Some(FollowUpRequest::Otherwise(self.again.if_refused.clone()?, self.refused + 1));
        match judged.outcome {
            Outcome::Valid => match &self.expect {
                ExpectedAnswer::TileMap => operations::follow_tile_map(bytes, url, dataset),
                ExpectedAnswer::TileSets { steps, bbox } => {
                    operations::follow_tile_sets(bytes, url, *steps, *bbox, dataset)
                }
                _ => None,
            }
            .map(|planned| FollowUpRequest::Step(Box::new(planned))),
            Outcome::Blank => Some(FollowUpRequest::Elsewhere(
                self.again.if_empty.clone()?,
                judge::single_colour_picture(bytes),
            )),
            Outcome::Exception
            | Outcome::ClientError
            | Outcome::WrongContent
            | Outcome::Page
            | Outcome::Gone => otherwise(),
            // Failing servers are not asked twice, except for OPeNDAP values: a server may fail
            // only at writing text.
            Outcome::ServerError if matches!(self.expect, ExpectedAnswer::Value(_)) => otherwise(),
            _ => None,
        }
    }
}
