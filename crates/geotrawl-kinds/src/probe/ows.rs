//! Probes an endpoint for the capabilities of one OGC service.

use super::content::PeekedBody;
use super::document::{
    classify_error_page, empty_finding, note_truncation, offers_many_services, read_any, read_claimed,
    sibling_targets, sibling_targets_after_refusal,
};
use super::exception::{self, ExceptionReport};
use super::html_signs::{is_firewall, is_login};
use super::{Finding, ProbeRequest, ProbeResponse, ProbeStep, ResponseClass, ResponseHead};
use crate::formats::xml::charset_parameter;
use crate::kinds::{self, Kind, OwsRequest};
use crate::sniff::{SniffedType, sniff_type};
use crate::urls;
use geotrawl_model::Issue;
use url::Url;

/// Number of retries with a version, after the request without one.
const RETRIES: usize = 2;
/// Capabilities documents of 115 MB exist.
const CAPABILITIES_LIMIT: u64 = 150 << 20;
const ACCEPT: &str = "application/xml, text/xml, application/vnd.ogc.wms_xml, */*;q=0.5";

/// Probes one endpoint for one service.
pub struct OwsProbe {
    kind: &'static dyn Kind,
    request: &'static OwsRequest,
    endpoint: Url,
    siblings: bool,
    /// The URL itself is a capabilities document.
    document: bool,
    retries: usize,
    /// Parameter of the URL that some servers require even for their capabilities (`LAYERS`,
    /// `dataset`).
    bound: Option<(String, String)>,
    /// Whether that parameter has been sent.
    bound_sent: bool,
    /// Whether the REST URL of the WMTS capabilities has been requested.
    rest_asked: bool,
    /// First rejection, reported if all retries fail.
    refusal: Option<Finding>,
}

impl OwsProbe {
    /// Creates a probe of `url` and returns its first request. Returns `None` if the kind is not an
    /// OGC service.
    pub fn start(kind: &str, siblings: bool, url: &Url) -> Option<(Self, ProbeRequest)> {
        let kind = kinds::by_id(kind)?;
        let request = kind.ows()?;
        let document = url.path().to_ascii_lowercase().ends_with("capabilities.xml");
        let endpoint = urls::endpoint_url(url);
        let probe = Self {
            kind,
            request,
            endpoint,
            siblings,
            document,
            retries: 0,
            bound: layer_parameter(url),
            bound_sent: false,
            rest_asked: false,
            refusal: None,
        };
        let ask = probe.ask(None);
        Some((probe, ask))
    }

    fn ask(&self, version: Option<&str>) -> ProbeRequest {
        let mut params = vec![("SERVICE", self.request.service), ("REQUEST", "GetCapabilities")];
        params.extend(version.map(|v| ("VERSION", v)));
        if self.bound_sent
            && let Some((key, value)) = &self.bound
        {
            params.push((key, value));
        }
        let url =
            if self.document { self.endpoint.clone() } else { urls::with_params(&self.endpoint, &params) };
        ProbeRequest::get(url, ACCEPT, CAPABILITIES_LIMIT)
    }

    /// Processes a response and returns the next request or the finding.
    pub fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep {
        let head = answer.head;
        let url = head.url.clone().unwrap_or_else(|| self.endpoint.clone());
        let content = PeekedBody::peek(answer.body);
        let sniffed = sniff_type(content.prefix(), head.content_type.as_deref());
        let truncated = answer.truncated;
        match &sniffed {
            SniffedType::Xml(root) if kinds::claiming_kind(root).is_some() => {
                match read_claimed(&url, head, &mut content.into_stream()) {
                    Some(read) => {
                        let mut finding = self.accept(read.kind, read.finding, &url);
                        note_truncation(&mut finding, truncated);
                        ProbeStep::Done(Box::new(finding))
                    }
                    None => self.give_up(empty_finding()),
                }
            }
            SniffedType::Xml(root) if exception::may_be_exception(root) => {
                let charset = head.content_type.as_deref().and_then(charset_parameter);
                match exception::parse_exception_report(&mut content.into_stream(), charset) {
                    Some(report) => self.refused(report, &url),
                    None => self.give_up(empty_finding()),
                }
            }
            SniffedType::Html => self.read_page(&url, head, &sniffed, content),
            SniffedType::Text | SniffedType::Empty | SniffedType::Json if head.status >= 400 => {
                let wants_version = matches!(head.status, 400 | 422)
                    && String::from_utf8_lossy(content.prefix()).to_ascii_lowercase().contains("version");
                let verdict = if matches!(head.status, 401 | 407) {
                    ResponseClass::Login
                } else {
                    ResponseClass::Nothing
                };
                let finding = Finding { verdict, ..Finding::default() };
                if wants_version { self.retry(finding) } else { self.give_up(finding) }
            }
            _ => self.give_up(read_any(&url, head, &sniffed, content, truncated)),
        }
    }

    /// Accepts a capabilities document. If it is of another service, the server ignores `SERVICE`
    /// and would give the same document for every service, so the sibling services are not
    /// requested.
    fn accept(&self, kind: &'static dyn Kind, mut finding: Finding, url: &Url) -> Finding {
        let id = kind.profile().id;
        if self.bound_sent
            && let Some((key, value)) = &self.bound
        {
            // The server requires the parameter, so it is part of the endpoint.
            for found in &mut finding.resources {
                if let Ok(endpoint) = Url::parse(&found.resource.url) {
                    found.resource.url = urls::with_params(&endpoint, &[(key, value)]).into();
                }
            }
        }
        if id == self.kind.profile().id {
            let endpoint = urls::endpoint_url(url);
            if !self.document && (self.siblings || offers_many_services(&endpoint, &finding)) {
                let others = sibling_targets(&endpoint, &finding, id);
                finding.targets.extend(others);
            }
        } else {
            let message = format!("requested {}, but the server responded with {id}", self.kind.profile().id);
            finding.issues.push(Issue::new("service-ignored", message));
        }
        finding
    }

    fn refused(&mut self, report: ExceptionReport, url: &Url) -> ProbeStep {
        let finding = Finding {
            targets: if self.siblings {
                sibling_targets_after_refusal(&urls::endpoint_url(url), self.kind.profile().id)
            } else {
                Vec::new()
            },
            verdict: ResponseClass::Exception,
            issues: vec![Issue::new("ows-exception", report.message())],
            ..Finding::default()
        };
        if report.is_about_version() { self.retry(finding) } else { self.give_up(finding) }
    }

    /// Retries with the next version, if one is left.
    fn retry(&mut self, refusal: Finding) -> ProbeStep {
        self.refusal.get_or_insert(refusal);
        match self.request.versions.get(self.retries) {
            Some(version) if self.retries < RETRIES && !self.document => {
                self.retries += 1;
                ProbeStep::Ask(Box::new(self.ask(Some(version))))
            }
            _ => self.give_up(empty_finding()),
        }
    }

    /// Ends the probe. Reports the first rejection if there was one, as it is the most specific.
    fn give_up(&mut self, last: Finding) -> ProbeStep {
        let open =
            matches!(last.verdict, ResponseClass::Nothing | ResponseClass::Exception | ResponseClass::Page);
        if open && let Some(ask) = self.another_way(last.verdict) {
            self.refusal.get_or_insert(last);
            return ProbeStep::Ask(Box::new(ask));
        }
        let better = last.verdict == ResponseClass::Nothing || last.verdict == ResponseClass::Exception;
        let finding = if better { self.refusal.take().unwrap_or(last) } else { last };
        ProbeStep::Done(Box::new(finding))
    }

    /// Returns the next alternative request, each at most once: the REST URL of a WMTS, then the
    /// URL with the layer parameter that some servers require.
    fn another_way(&mut self, verdict: ResponseClass) -> Option<ProbeRequest> {
        if self.document {
            return None;
        }
        let path = self.endpoint.path();
        let lower = path.to_ascii_lowercase();
        let may_be_rest = lower.contains("wmts") && !lower.contains("wmtscapabilities");
        if self.kind.profile().id == "wmts" && !self.rest_asked && may_be_rest {
            self.rest_asked = true;
            let mut url = self.endpoint.clone();
            url.set_path(&format!("{}/1.0.0/WMTSCapabilities.xml", path.trim_end_matches('/')));
            return Some(ProbeRequest::get(url, ACCEPT, CAPABILITIES_LIMIT));
        }
        if verdict == ResponseClass::Exception && self.bound.is_some() && !self.bound_sent {
            self.bound_sent = true;
            return Some(self.ask(None));
        }
        None
    }

    /// Handles a web page instead of capabilities: a login, a firewall, or an ordinary page.
    fn read_page(
        &mut self,
        url: &Url,
        head: &ResponseHead,
        sniffed: &SniffedType,
        content: PeekedBody<'_>,
    ) -> ProbeStep {
        let looked_at = content.prefix();
        let verdict = if head.status >= 400 {
            let finding = classify_error_page(head, looked_at);
            return self.give_up(finding);
        } else if is_firewall(looked_at) {
            ResponseClass::Blocked
        } else if is_login(looked_at) {
            ResponseClass::Login
        } else {
            return self.give_up(read_any(url, head, sniffed, content, false));
        };
        self.give_up(Finding { verdict, ..Finding::default() })
    }
}

/// Returns the parameter of a URL that names a layer or dataset.
fn layer_parameter(url: &Url) -> Option<(String, String)> {
    let names = |key: &str| ["layer", "layers", "dataset"].iter().any(|name| key.eq_ignore_ascii_case(name));
    let (key, value) = url.query_pairs().find(|(key, value)| names(key) && !value.is_empty())?;
    // Parameters that are part of the endpoint are sent anyway.
    let kept = urls::endpoint_url(url).query_pairs().any(|(kept, _)| kept == key);
    (!kept && value.len() <= 256).then(|| (key.into_owned(), value.into_owned()))
}
