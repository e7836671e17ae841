//! Asking an endpoint for the capabilities of one service.

use super::content::Content;
use super::document::{note_truncation, nothing, read_any, read_claimed, refused_page, siblings};
use super::exception::{self, Exception};
use super::html_signs::{is_firewall, is_login};
use super::{Answer, Ask, Finding, Head, Step, Verdict};
use crate::formats::xml::charset_of;
use crate::kinds::{self, Kind, OwsRequest};
use crate::model::Issue;
use crate::sniff::{Sniffed, sniff};
use crate::urls;
use url::Url;

/// Requests with a version, after one without.
const RETRIES: usize = 2;
/// Capabilities of 115 MB exist.
const CAPABILITIES_LIMIT: u64 = 150 << 20;
const ACCEPT: &str = "application/xml, text/xml, application/vnd.ogc.wms_xml, */*;q=0.5";

/// A probe of one endpoint for one service.
pub struct OwsProbe {
    kind: &'static dyn Kind,
    request: &'static OwsRequest,
    endpoint: Url,
    siblings: bool,
    /// The URL is a capabilities document itself.
    document: bool,
    retries: usize,
    /// The first refusal: what is reported when all retries fail.
    refusal: Option<Finding>,
}

impl OwsProbe {
    /// A probe of `url`; `None` when the kind is not an OGC service.
    pub fn start(kind: &str, siblings: bool, url: &Url) -> Option<(Self, Ask)> {
        let kind = kinds::by_id(kind)?;
        let request = kind.ows()?;
        let document = url.path().to_ascii_lowercase().ends_with("capabilities.xml");
        let endpoint = urls::endpoint(url);
        let probe = Self { kind, request, endpoint, siblings, document, retries: 0, refusal: None };
        let ask = probe.ask(None);
        Some((probe, ask))
    }

    fn ask(&self, version: Option<&str>) -> Ask {
        let mut params = vec![("SERVICE", self.request.service), ("REQUEST", "GetCapabilities")];
        params.extend(version.map(|v| ("VERSION", v)));
        let url =
            if self.document { self.endpoint.clone() } else { urls::with_params(&self.endpoint, &params) };
        Ask::get(url, ACCEPT, CAPABILITIES_LIMIT)
    }

    /// What the answer means.
    pub fn answer(&mut self, answer: Answer<'_>) -> Step {
        let head = answer.head;
        let url = head.url.clone().unwrap_or_else(|| self.endpoint.clone());
        let content = Content::open(answer.body);
        let sniffed = sniff(content.prefix(), head.content_type.as_deref());
        let truncated = answer.truncated;
        match &sniffed {
            Sniffed::Xml(root) if kinds::claiming(root).is_some() => {
                match read_claimed(&url, head, &mut content.stream()) {
                    Some(read) => {
                        let mut finding = self.accept(read.kind, read.finding, &url);
                        note_truncation(&mut finding, truncated);
                        Step::Done(Box::new(finding))
                    }
                    None => self.give_up(nothing()),
                }
            }
            Sniffed::Xml(root) if exception::may_be_exception(root) => {
                let charset = head.content_type.as_deref().and_then(charset_of);
                match exception::read(&mut content.stream(), charset) {
                    Some(report) => self.refused(report, &url),
                    None => self.give_up(nothing()),
                }
            }
            Sniffed::Html => self.read_page(&url, head, &sniffed, content),
            Sniffed::Text | Sniffed::Empty | Sniffed::Json if head.status >= 400 => {
                let wants_version = head.status == 400
                    && String::from_utf8_lossy(content.prefix()).to_ascii_lowercase().contains("version");
                let verdict =
                    if matches!(head.status, 401 | 407) { Verdict::Login } else { Verdict::Nothing };
                let finding = Finding { verdict, ..Finding::default() };
                if wants_version { self.retry(finding) } else { self.give_up(finding) }
            }
            _ => self.give_up(read_any(&url, head, &sniffed, content, truncated)),
        }
    }

    /// A capabilities document: of the service asked for, or of another one by a server that ignores
    /// `SERVICE` (it would answer the same to every question, so its siblings are not asked).
    fn accept(&self, kind: &'static dyn Kind, mut finding: Finding, url: &Url) -> Finding {
        let id = kind.doc().id;
        if id == self.kind.doc().id {
            if self.siblings && !self.document {
                finding.targets.extend(siblings(&urls::endpoint(url), id));
            }
        } else {
            let message = format!("asked for {}, the server answered with {id}", self.kind.doc().id);
            finding.issues.push(Issue::new("service-ignored", message));
        }
        finding
    }

    fn refused(&mut self, report: Exception, url: &Url) -> Step {
        let finding = Finding {
            targets: if self.siblings {
                siblings(&urls::endpoint(url), self.kind.doc().id)
            } else {
                Vec::new()
            },
            verdict: Verdict::Exception,
            issues: vec![Issue::new("ows-exception", report.message())],
            ..Finding::default()
        };
        if report.is_about_version() { self.retry(finding) } else { self.give_up(finding) }
    }

    /// One more try with a version, if any is left.
    fn retry(&mut self, refusal: Finding) -> Step {
        self.refusal.get_or_insert(refusal);
        match self.request.versions.get(self.retries) {
            Some(version) if self.retries < RETRIES && !self.document => {
                self.retries += 1;
                Step::Ask(Box::new(self.ask(Some(version))))
            }
            _ => self.give_up(nothing()),
        }
    }

    /// The end, with the first refusal if there was one: it says more than the last.
    fn give_up(&mut self, last: Finding) -> Step {
        let better = last.verdict == Verdict::Nothing || last.verdict == Verdict::Exception;
        let finding = if better { self.refusal.take().unwrap_or(last) } else { last };
        Step::Done(Box::new(finding))
    }

    /// A web page instead of capabilities: a login, a firewall, or a page like any other.
    fn read_page(&mut self, url: &Url, head: &Head, sniffed: &Sniffed, content: Content<'_>) -> Step {
        let looked_at = content.prefix();
        let verdict = if head.status >= 400 {
            let finding = refused_page(head, looked_at);
            return self.give_up(finding);
        } else if is_firewall(looked_at) {
            Verdict::Blocked
        } else if is_login(looked_at) {
            Verdict::Login
        } else {
            return self.give_up(read_any(url, head, sniffed, content, false));
        };
        self.give_up(Finding { verdict, ..Finding::default() })
    }
}
