//! Inspects one URL or file without a crawl, for the commands `probe` and `extract`.

use crate::apps::{AppReader, PieceSource};
use crate::body::{self, BodyPool, ReceivedBody};
use crate::fetch::{FetchRequest, GuardedClient};
use geotrawl_kinds::connectors::{self, ConnectorSet};
use geotrawl_kinds::extract::app::AppFacts;
use geotrawl_kinds::probe::{
    ByteRange, CrawlTarget, Finding, Probe, ProbeResponse, ProbeStep, ResponseBody, ResponseClass,
    ResponseHead,
};
use geotrawl_kinds::urls;
use geotrawl_model::{HarvestedPage, Intent, Issue};
use std::collections::{HashSet, VecDeque};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use url::Url;

/// Maximum number of requests per inspection, including version retries and siblings.
const MOST_REQUESTS: u32 = 24;

/// Maximum number of alternative forms of a URL to try.
const MOST_FORMS: usize = 4;

/// Result of an inspection.
#[derive(Debug, Default)]
pub struct Inspection {
    /// One finding per target that was answered.
    pub findings: Vec<Finding>,
    /// Failures of targets that were not answered.
    pub failures: Vec<String>,
    pub requests: u32,
}

/// Returns the targets to probe at a URL that a person named, most specific first.
pub fn probe_targets(url: &Url) -> Vec<CrawlTarget> {
    let mut targets = Vec::new();
    urls::append_targets(url.clone(), "given".into(), "", &mut targets);
    if targets.is_empty() {
        targets.push(page_target(url));
    }
    targets
}

/// Returns the target that reads a URL as an ordinary page.
pub fn page_target(url: &Url) -> CrawlTarget {
    CrawlTarget::new(url.clone(), Intent::Page, "given")
}

/// Probes targets one after the other, and the sibling services that they reveal.
pub async fn inspect_targets(client: &GuardedClient, questions: Vec<CrawlTarget>) -> Inspection {
    let lanes = BodyPool::default();
    let mut inspection = Inspection::default();
    let mut asked = HashSet::new();
    let mut queue: VecDeque<CrawlTarget> = questions.into();
    while let Some(target) = queue.pop_front() {
        if !asked.insert((target.intent.request_key(), target.url.clone())) {
            continue;
        }
        let finding = ask(client, &lanes, target, &mut inspection).await;
        if let Some(finding) = finding {
            queue.extend(finding.targets.iter().filter(|next| next.way == "sibling").cloned());
            inspection.findings.push(finding);
        }
    }
    inspection
}

/// Inspects a URL. A page that is no resource itself may be the HTML form of one, such as the
/// landing page of an OGC API, so its links to other forms of the same URL are probed as well.
pub async fn inspect_url(client: &GuardedClient, url: &Url) -> Inspection {
    let mut seen = inspect_targets(client, probe_targets(url)).await;
    if seen.findings.iter().any(|finding| !finding.resources.is_empty()) {
        return seen;
    }
    let place = |url: &Url| (url.origin(), url.path().trim_end_matches('/').to_owned());
    let told = seen.findings.iter().flat_map(|finding| &finding.targets);
    let forms = told.filter(|target| place(&target.url) == place(url)).take(MOST_FORMS).cloned().collect();
    let more = inspect_targets(client, forms).await;
    seen.findings.extend(more.findings);
    seen.requests += more.requests;
    seen
}

/// Reads the code of the map applications among the findings.
pub async fn read_apps(
    findings: &mut [Finding],
    reader: &AppReader,
    source: PieceSource<'_>,
) -> Vec<AppFacts> {
    let mut facts = Vec::new();
    for finding in findings {
        let Some(draft) = finding.app.take() else { continue };
        let read = reader.read_app(*draft, source).await;
        facts.push(read.facts.clone());
        read.merge_into(finding);
    }
    facts
}

/// The first pages of a catalogue.
#[derive(Debug, Default)]
pub struct HarvestPreview {
    pub pages: Vec<HarvestedPage>,
    /// Number of URLs that a harvest would request next.
    pub targets: usize,
    pub failures: Vec<String>,
}

/// Inspects `url` and reads the first pages of the catalogues found there.
pub async fn preview_harvest(
    client: &GuardedClient,
    connectors: &ConnectorSet,
    url: &Url,
    pages: u32,
    since: Option<&str>,
) -> HarvestPreview {
    let lanes = BodyPool::default();
    let mut trial = HarvestPreview::default();
    let mut asked = HashSet::new();
    let mut queue: VecDeque<CrawlTarget> = VecDeque::new();
    let mut found = Inspection::default();
    match connectors.declared_for(url) {
        // A catalogue with an operator's connector is read with that connector.
        Some(own) => queue.push_back(connectors::first_page_target(own.id(), url.clone())),
        None => found = inspect_url(client, url).await,
    }
    trial.failures = found.failures;
    let enqueue =
        |targets: Vec<CrawlTarget>, queue: &mut VecDeque<CrawlTarget>, trial: &mut HarvestPreview| {
            for target in targets {
                match target.intent {
                    Intent::Harvest { .. } => queue.push_back(target),
                    _ if target.way.starts_with("catalogue:") => trial.targets += 1,
                    _ => {}
                }
            }
        };
    for finding in found.findings {
        enqueue(finding.targets, &mut queue, &mut trial);
    }
    while let Some(target) = queue.pop_front() {
        if trial.pages.len() >= pages as usize
            || !asked.insert((target.intent.request_key(), target.url.clone()))
        {
            continue;
        }
        let first = matches!(target.intent, Intent::Harvest { page: 0, .. });
        let mut inspection = Inspection::default();
        let since = since.filter(|_| first);
        let finding = ask_since(client, &lanes, connectors, target, since, &mut inspection).await;
        trial.failures.append(&mut inspection.failures);
        let Some(finding) = finding else { continue };
        trial.failures.extend(finding.issues.into_iter().map(|issue| issue.message));
        trial.pages.extend(finding.harvest.map(|page| *page));
        enqueue(finding.targets, &mut queue, &mut trial);
    }
    trial
}

async fn ask(
    client: &GuardedClient,
    lanes: &BodyPool,
    target: CrawlTarget,
    inspection: &mut Inspection,
) -> Option<Finding> {
    ask_since(client, lanes, &ConnectorSet::default(), target, None, inspection).await
}

async fn ask_since(
    client: &GuardedClient,
    lanes: &BodyPool,
    connectors: &ConnectorSet,
    target: CrawlTarget,
    since: Option<&str>,
    inspection: &mut Inspection,
) -> Option<Finding> {
    let (mut probe, mut ask) = Probe::start_with_connectors(connectors, target.intent, target.url, since);
    while inspection.requests < MOST_REQUESTS {
        inspection.requests += 1;
        let fetched = client.fetch(FetchRequest::for_operator(ask.clone())).await;
        let failed = |message: String| format!("{}: {message}", ask.url);
        let body = match fetched.outcome {
            Ok(body) => body,
            Err(failure) => {
                inspection.failures.push(failed(failure.message));
                return None;
            }
        };
        let head = fetched.head;
        let status = head.status;
        let step = match body::receive_body(body, head.total_length, lanes).await {
            ReceivedBody::Failed(failure) => {
                inspection.failures.push(failed(failure.message));
                return None;
            }
            ReceivedBody::Whole { bytes, cut, .. } => {
                let truncated = cut.is_some();
                probe.handle_response(ProbeResponse {
                    head: &head,
                    body: ResponseBody::Whole(&bytes),
                    truncated,
                })
            }
            ReceivedBody::Large { start, rest } => {
                let judged = body::probe_stream(probe, head, start, *rest, lanes).await?;
                probe = judged.probe;
                judged.step
            }
        };
        match step {
            ProbeStep::Ask(next) => ask = *next,
            ProbeStep::Done(finding) => {
                if status >= 400
                    && finding.resources.is_empty()
                    && finding.verdict != ResponseClass::Exception
                {
                    inspection.failures.push(failed(format!("the server answered HTTP {status}")));
                }
                return Some(*finding);
            }
        }
    }
    None
}

/// Identifies a local file as if `url` had returned it. Ranges are read from the file, so that a
/// large file costs no more than on the web.
pub fn inspect_file(mut file: File, url: &Url, content_type: Option<&str>) -> io::Result<Finding> {
    let length = file.metadata()?.len();
    // As a page first: most formats show in the first bytes. Formats that need ranges come next.
    for intent in [Intent::Page, Intent::File] {
        let (mut probe, mut ask) = Probe::start(intent, url.clone());
        for _ in 0..MOST_REQUESTS {
            let (from, most) = match ask.range {
                None => (0, ask.max_bytes),
                Some(ByteRange::Span { from, to }) => (from, to.saturating_sub(from).saturating_add(1)),
                Some(ByteRange::Suffix(n)) => (length.saturating_sub(n), n),
            };
            file.seek(SeekFrom::Start(from))?;
            let head = ResponseHead {
                url: Some(ask.url.clone()),
                status: if ask.range.is_some() { 206 } else { 200 },
                content_type: content_type.map(str::to_owned),
                total_length: Some(length),
                served_from: ask.range.map(|_| from),
                ..ResponseHead::default()
            };
            let mut part = (&mut file).take(most);
            match probe.handle_response(ProbeResponse {
                head: &head,
                body: ResponseBody::Stream(&mut part),
                truncated: false,
            }) {
                ProbeStep::Ask(next) => ask = *next,
                ProbeStep::Done(finding) if intent_settled(&finding) => return Ok(*finding),
                ProbeStep::Done(_) => break,
            }
        }
    }
    Ok(Finding {
        verdict: ResponseClass::Nothing,
        issues: vec![Issue::new("nothing", "nothing geospatial was recognised in this file")],
        ..Finding::default()
    })
}

fn intent_settled(finding: &Finding) -> bool {
    !finding.resources.is_empty()
        || matches!(finding.verdict, ResponseClass::Page | ResponseClass::Exception | ResponseClass::Login)
}
