//! Identifies and reads any document, whatever was requested.

use super::content::PeekedBody;
use super::html_signs::{is_firewall, is_login};
use super::{CrawlTarget, Finding, Found, ProbeResponse, ResponseClass, ResponseHead, exception};
use crate::extract::HtmlOptions;
use crate::formats::json;
use crate::formats::xml::charset_parameter;
use crate::kinds::{self, Kind};
use crate::sniff::{SniffedType, XmlRoot};
use crate::{extract, files, urls};
use geotrawl_model::Intent;
use geotrawl_model::Issue;
use std::collections::HashSet;
use std::io::Read;
use url::Url;

/// Maximum number of bytes read of a page.
pub const PAGE_LIMIT: usize = 8 << 20;
/// Maximum number of bytes of a sitemap, feed or other document that are read into memory.
pub const DOCUMENT_LIMIT: usize = 32 << 20;

/// A document that a kind claimed and read.
pub struct ClaimedDocument {
    pub kind: &'static dyn Kind,
    pub finding: Finding,
    /// Service URL stated in the document.
    pub advertised: Option<String>,
}

/// Reads a claimed document as a stream. Returns `None` if no kind claims it.
pub fn read_claimed(url: &Url, head: &ResponseHead, stream: &mut dyn Read) -> Option<ClaimedDocument> {
    let endpoint = urls::endpoint_url(url);
    let charset = head.content_type.as_deref().and_then(charset_parameter);
    let (kind, root, reading) = kinds::read_document(stream, charset, endpoint.as_str())?;
    let rule = match &root.version {
        Some(version) => format!("root {} version {version}", root.clark_name()),
        None => format!("root {}", root.clark_name()),
    };
    let found = |resource| Found::new(resource, rule.clone());
    // A broken document without any dataset does not prove a working service.
    let hollow = kind.ows().is_some()
        && kind.profile().id != "csw"
        && reading.violation.is_some()
        && reading.resources.iter().all(|r| r.dataset_count == 0);
    let resources: Vec<Found> = reading.resources.into_iter().filter(|_| !hollow).map(found).collect();
    let verdict = if resources.is_empty() { ResponseClass::Page } else { ResponseClass::Resource };
    let finding = Finding {
        resources,
        targets: reading.targets,
        verdict,
        issues: reading.issues,
        document: reading.document,
        ..Finding::default()
    };
    Some(ClaimedDocument { kind, finding, advertised: reading.advertised })
}

/// Services that server products usually offer at one address. Servers that are not listed get
/// [`COMMON`].
const TOGETHER: &[(&str, &[&str])] = &[
    ("52°North", &["sos", "wps"]),
    ("ADAGUC", &["wms", "wcs"]),
    ("ArcGIS Server", &[]),
    ("CubeWerx", &["wms", "wfs", "wmts", "wcs"]),
    ("EOxServer", &["wms", "wcs", "wps"]),
    ("GeoNetwork", &["csw"]),
    ("GeoServer", &["wms", "wfs", "wcs"]),
    ("GeoWebCache", &["wms", "wmts"]),
    ("Lizmap", &["wms", "wfs", "wmts", "wcs"]),
    ("MapCache", &["wms", "wmts"]),
    ("MapProxy", &["wms", "wmts"]),
    ("MapServer", &["wms", "wfs", "wcs"]),
    ("PyWPS", &["wps"]),
    ("QGIS Server", &["wms", "wfs", "wmts", "wcs"]),
    ("THREDDS", &["wms", "wcs"]),
    ("TinyOWS", &["wfs"]),
    ("datacube-ows", &["wms", "wmts", "wcs"]),
    ("deegree", &["wms", "wfs"]),
    ("istSOS", &["sos"]),
    ("ncWMS", &["wms"]),
    ("pycsw", &["csw"]),
    ("rasdaman", &["wms", "wcs"]),
];
/// Services to try on unknown servers.
const COMMON: &[&str] = &["wms", "wfs", "wmts", "wcs"];
/// Services to try at an address that responds but rejected the first request.
const ALL: &[&str] = &["wms", "wfs", "wmts", "wcs", "csw", "wps", "sos"];

/// Returns targets for the other services of an endpoint that responded with this one. The server
/// product is detected from the document and from the URL; if the two disagree, the services of
/// both are tried.
pub fn sibling_targets(endpoint: &Url, found: &Finding, except: &str) -> Vec<CrawlTarget> {
    let written = found.resources.first().and_then(|found| found.resource.software.clone());
    let offered =
        |name: String| TOGETHER.iter().find(|(known, _)| name.starts_with(known)).map(|(_, kinds)| *kinds);
    let shown = [written, kinds::software_of(endpoint.as_str())].into_iter().flatten().filter_map(offered);
    let mut likely: Vec<&str> = shown.flatten().copied().collect();
    if likely.is_empty() {
        likely.extend(COMMON);
    }
    let kinds: Vec<&str> = ALL.iter().copied().filter(|kind| likely.contains(kind)).collect();
    ask_for(endpoint, &kinds, except)
}

/// Returns targets for all other services of an endpoint that rejected this one.
pub fn sibling_targets_after_refusal(endpoint: &Url, except: &str) -> Vec<CrawlTarget> {
    ask_for(endpoint, ALL, except)
}

fn ask_for(endpoint: &Url, kinds: &[&str], except: &str) -> Vec<CrawlTarget> {
    let others = kinds.iter().filter(|kind| **kind != except);
    let intent = |kind: &str| Intent::Ows { kind: kind.to_owned(), siblings: false };
    others.map(|kind| CrawlTarget::new(endpoint.clone(), intent(kind), "sibling")).collect()
}

/// Returns whether the server product offers several services at a URL that names none of them.
pub fn offers_many_services(endpoint: &Url, found: &Finding) -> bool {
    const SERVERS: [&str; 4] = ["QGIS Server", "MapServer", "EOxServer", "Lizmap"];
    let software = found.resources.first().and_then(|found| found.resource.software.as_deref());
    let mut bare = endpoint.clone();
    bare.set_query(None);
    software.is_some_and(|name| SERVERS.iter().any(|known| name.starts_with(known)))
        && urls::service_hint(&bare).is_none()
}

/// Returns whether a URL looks like an endpoint of several services.
pub fn hints_many_services(endpoint: &Url) -> bool {
    urls::service_hint(endpoint).is_some_and(|hint| hint.siblings || hint.kinds.len() > 1)
}

/// Reads a script, whatever its text looks like: extracts URLs and marks it for analysis.
pub fn read_script(url: &Url, head: &ResponseHead, content: PeekedBody<'_>, module: bool) -> Finding {
    let body = content.into_bytes(PAGE_LIMIT);
    if head.status >= 400 {
        return refused(head);
    }
    let mut finding = extract::read_text(url, head, &body);
    let (text, _) = extract::decode_text(head, &body, extract::TextKind::Plain);
    finding.app = Some(Box::new(extract::app::script_draft(url, &text, module)));
    for target in &mut finding.targets {
        target.way = extract::SCRIPT_TEXT.into();
    }
    finding
}

/// Returns `Some` if a response is a script; the value says whether it is certainly a module. A
/// page served at the URL of a script is not a script.
pub fn is_script(url: &Url, head: &ResponseHead, content: &PeekedBody<'_>) -> Option<bool> {
    let module = extract::app::is_script(url, head.content_type.as_deref())?;
    (!content.prefix().trim_ascii_start().starts_with(b"<")).then_some(module)
}

/// Reads the response to a page request, whatever its type.
pub fn read_any(
    url: &Url,
    head: &ResponseHead,
    sniffed: &SniffedType,
    content: PeekedBody<'_>,
    truncated: bool,
) -> Finding {
    match sniffed {
        SniffedType::Html => read_html(url, head, content, HtmlOptions::default()),
        SniffedType::Xml(root) => read_xml(url, head, root, content, truncated),
        SniffedType::Json => read_json(url, head, content, truncated),
        _ if head.status >= 400 => refused(head),
        SniffedType::Text | SniffedType::Binary if json::looks_like_json(content.prefix()) => {
            read_json(url, head, content, truncated)
        }
        SniffedType::Zip | SniffedType::ShpHeader | SniffedType::Data => read_file(url, head, content),
        SniffedType::Gzip => read_gzip(url, head, content),
        SniffedType::Text => read_text(url, head, content),
        SniffedType::Empty | SniffedType::Pdf | SniffedType::Image | SniffedType::Binary => empty_finding(),
    }
}

/// Detects the type of a response and reads it.
pub fn read_response(asked: &Url, answer: ProbeResponse<'_>) -> Finding {
    let url = answer.head.url.as_ref().unwrap_or(asked);
    let content = PeekedBody::peek(answer.body);
    let sniffed = crate::sniff::sniff_type(content.prefix(), answer.head.content_type.as_deref());
    read_any(url, answer.head, &sniffed, content, answer.truncated)
}

/// Parses a response as JSON. If it is not JSON, returns the finding for what it is instead.
pub fn read_json_response(
    asked: &Url,
    answer: ProbeResponse<'_>,
) -> Result<json::JsonDocument, Box<Finding>> {
    let url = answer.head.url.as_ref().unwrap_or(asked);
    let content = PeekedBody::peek(answer.body);
    let sniffed = crate::sniff::sniff_type(content.prefix(), answer.head.content_type.as_deref());
    let is_json = sniffed == SniffedType::Json
        || matches!(sniffed, SniffedType::Text | SniffedType::Binary)
            && json::looks_like_json(content.prefix());
    if !is_json || answer.head.status >= 400 {
        return Err(Box::new(read_any(url, answer.head, &sniffed, content, answer.truncated)));
    }
    let mut doc = json::JsonDocument::from_reader(&mut content.into_stream())
        .ok_or_else(|| Box::new(empty_finding()))?;
    doc.complete &= !answer.truncated;
    match esri_error(&doc) {
        Some(finding) => Err(Box::new(finding)),
        None => Ok(doc),
    }
}

/// Returns a finding without contents.
pub fn empty_finding() -> Finding {
    Finding { verdict: ResponseClass::Nothing, ..Finding::default() }
}

/// Returns the finding for an error status without a readable document.
fn refused(head: &ResponseHead) -> Finding {
    let verdict =
        if matches!(head.status, 401 | 407) { ResponseClass::Login } else { ResponseClass::Nothing };
    Finding { verdict, ..Finding::default() }
}

/// Reads a web page.
pub fn read_html(
    url: &Url,
    head: &ResponseHead,
    content: PeekedBody<'_>,
    wanted: HtmlOptions<'_>,
) -> Finding {
    let page = content.into_bytes(PAGE_LIMIT);
    if head.status >= 400 {
        return classify_error_page(head, &page);
    }
    extract::read_html_with_options(url, head, &page, wanted)
}

/// Classifies an error page.
pub fn classify_error_page(head: &ResponseHead, page: &[u8]) -> Finding {
    let verdict = if is_firewall(page) {
        ResponseClass::Blocked
    } else if matches!(head.status, 401 | 407) || head.status == 403 && is_login(page) {
        ResponseClass::Login
    } else {
        ResponseClass::Nothing
    };
    Finding { verdict, ..Finding::default() }
}

fn read_xml(
    url: &Url,
    head: &ResponseHead,
    root: &XmlRoot,
    content: PeekedBody<'_>,
    truncated: bool,
) -> Finding {
    if kinds::claiming_kind(root).is_some() {
        let Some(mut read) = read_claimed(url, head, &mut content.into_stream()) else {
            return empty_finding();
        };
        note_truncation(&mut read.finding, truncated);
        if is_saved(url, read.kind) {
            read.finding.saved = true;
            let there = read
                .advertised
                .and_then(|text| urls::clean_link(&text, url))
                .map(|at| urls::endpoint_url(&at));
            let intent = Intent::Ows { kind: read.kind.profile().id.to_owned(), siblings: false };
            read.finding.targets.extend(there.map(|at| CrawlTarget::new(at, intent, "capabilities")));
            return read.finding;
        }
        let endpoint = urls::endpoint_url(url);
        if hints_many_services(&endpoint) {
            let others = sibling_targets(&endpoint, &read.finding, read.kind.profile().id);
            read.finding.targets.extend(others);
        }
        return read.finding;
    }
    if exception::may_be_exception(root) {
        let charset = head.content_type.as_deref().and_then(charset_parameter);
        if let Some(report) = exception::parse_exception_report(&mut content.into_stream(), charset) {
            let endpoint = urls::endpoint_url(url);
            let target = CrawlTarget::new(
                endpoint,
                Intent::Ows { kind: "wms".to_owned(), siblings: true },
                "exception",
            );
            return Finding {
                targets: vec![target],
                verdict: ResponseClass::Exception,
                issues: vec![Issue::new("ows-exception", report.message())],
                ..Finding::default()
            };
        }
        return empty_finding();
    }
    let body = content.into_bytes(DOCUMENT_LIMIT);
    if let Some(finding) = files::read_whole(url, head, &body) {
        return finding;
    }
    if head.status >= 400 {
        return refused(head);
    }
    let mut finding = extract::read_xml_links(url, head, &body);
    extract::identify_document(url, head, root, &body, &mut finding);
    finding
}

/// Reads a JSON document with the kinds, or extracts URLs from its text. The document is parsed as
/// a stream and its beginning is kept in case no kind claims it.
fn read_json(url: &Url, head: &ResponseHead, content: PeekedBody<'_>, truncated: bool) -> Finding {
    if content.is_whole() {
        let body = content.into_bytes(usize::MAX);
        let doc = json::JsonDocument::from_reader(&mut &body[..]);
        return judge_json(url, head, doc, &body, truncated);
    }
    let mut kept = TeeReader { stream: content.into_stream(), start: Vec::new() };
    let doc = json::JsonDocument::from_reader(&mut kept);
    judge_json(url, head, doc, &kept.start, truncated)
}

fn judge_json(
    url: &Url,
    head: &ResponseHead,
    doc: Option<json::JsonDocument>,
    body: &[u8],
    truncated: bool,
) -> Finding {
    let text = &body[..body.len().min(PAGE_LIMIT)];
    let Some(mut doc) = doc else {
        return if head.status >= 400 { refused(head) } else { extract::read_text(url, head, text) };
    };
    doc.complete &= !truncated;
    if let Some(finding) = esri_error(&doc) {
        return finding;
    }
    if head.status >= 400 {
        return refused_json(head, &doc);
    }
    match read_claimed_json(url, &doc) {
        Some(mut finding) => {
            note_truncation(&mut finding, truncated);
            if let Some((_, targets)) = extract::config::read_known_viewer(&doc.root, url) {
                finding.targets.extend(targets);
            }
            finding
        }
        None => read_config(url, &doc, extract::read_text(url, head, text)),
    }
}

/// Adds the services named in the configuration of a map viewer to the URLs found in its text.
fn read_config(url: &Url, doc: &json::JsonDocument, mut finding: Finding) -> Finding {
    let Some((viewer, targets)) = extract::config::read_config(&doc.root, url) else { return finding };
    let request = |target: &CrawlTarget| (target.intent.request_key(), target.url.clone());
    let named: HashSet<(String, Url)> = targets.iter().map(request).collect();
    finding.targets.retain(|mentioned| !named.contains(&request(mentioned)));
    finding.targets.splice(0..0, targets);
    finding.document = Some(if viewer == "terria" { "terria-init-json" } else { "json-config-ows" });
    finding
}

/// A stream that keeps a copy of the first bytes read through it.
struct TeeReader<'a> {
    stream: super::content::ContentStream<'a>,
    start: Vec<u8>,
}

impl Read for TeeReader<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = self.stream.read(buf)?;
        let room = PAGE_LIMIT.saturating_sub(self.start.len());
        self.start.extend_from_slice(&buf[..n.min(room)]);
        Ok(n)
    }
}

/// Reads the error object of an ArcGIS server, which usually comes with status 200.
fn esri_error(doc: &json::JsonDocument) -> Option<Finding> {
    let members = doc.root.as_object().filter(|members| members.len() <= 4)?;
    let error = members.get("error")?.as_object()?;
    let code = error.get("code")?.as_i64()?;
    let message = error.get("message")?.as_str().unwrap_or_default();
    let verdict =
        if matches!(code, 401 | 403 | 498 | 499) { ResponseClass::Login } else { ResponseClass::Nothing };
    let message: String = message.chars().take(200).collect();
    Some(Finding {
        verdict,
        issues: vec![Issue::new("arcgis-error", format!("the server returned error {code}: {message}"))],
        document: Some("arcgis-rest-error"),
        ..Finding::default()
    })
}

/// Returns the finding for an error status with a JSON document that states the reason.
fn refused_json(head: &ResponseHead, doc: &json::JsonDocument) -> Finding {
    const REASONS: [&str; 8] = [
        "/message",
        "/error/message",
        "/detail",
        "/description",
        "/error_description",
        "/title",
        "/error",
        "/msg",
    ];
    let reason = REASONS.iter().find_map(|pointer| doc.root.pointer(pointer)?.as_str());
    let lower = reason.unwrap_or_default().to_ascii_lowercase();
    let key_wanted = ["api key", "apikey", "subscription key", "token", "unauthorized", "log in", "login"]
        .iter()
        .any(|word| lower.contains(word));
    let mut finding = refused(head);
    if head.status == 403 && key_wanted {
        finding.verdict = ResponseClass::Login;
    }
    if let Some(reason) = reason {
        let reason: String = reason.chars().take(200).collect();
        finding.issues.push(Issue::new("refused", format!("status {}: {reason}", head.status)));
    }
    finding
}

/// Reads a JSON document.
pub fn read_json_doc(url: &Url, doc: &json::JsonDocument) -> Finding {
    read_claimed_json(url, doc)
        .unwrap_or_else(|| Finding { verdict: ResponseClass::Page, ..Finding::default() })
}

/// Reads a JSON document with the kinds that claim it. Returns `None` if none does.
pub fn read_claimed_json(url: &Url, doc: &json::JsonDocument) -> Option<Finding> {
    let mut finding = Finding { verdict: ResponseClass::Resource, ..Finding::default() };
    let readings = kinds::read_json(doc, url);
    if readings.is_empty() {
        return None;
    }
    for (kind, reading) in readings {
        let rule = format!("JSON members of {}", reading.document.unwrap_or(kind.profile().id));
        let found = |resource| Found::new(resource, rule.clone());
        finding.resources.extend(reading.resources.into_iter().map(found));
        finding.targets.extend(reading.targets);
        finding.issues.extend(reading.issues);
        finding.document = finding.document.or(reading.document);
    }
    if finding.resources.is_empty() {
        finding.verdict = ResponseClass::Page;
    }
    Some(finding)
}

/// Returns whether a capabilities document is a saved file rather than the response of a service:
/// an `.xml` URL without a query. WMTS may be served this way; all other services are elsewhere.
fn is_saved(url: &Url, kind: &dyn Kind) -> bool {
    let is_file = url.path().to_ascii_lowercase().ends_with(".xml");
    is_file && url.query().is_none_or(str::is_empty) && kind.ows().is_some() && kind.profile().id != "wmts"
}

/// Reads plain text: a kind that claims it, a table with coordinates, or URLs in the text.
fn read_text(url: &Url, head: &ResponseHead, content: PeekedBody<'_>) -> Finding {
    let body = content.into_bytes(PAGE_LIMIT);
    if let Some((kind, reading)) = kinds::read_text(&String::from_utf8_lossy(&body), url) {
        let rule = format!("text of {}", reading.document.unwrap_or(kind.profile().id));
        let found = |resource| Found::new(resource, rule.clone());
        return Finding {
            resources: reading.resources.into_iter().map(found).collect(),
            targets: reading.targets,
            verdict: ResponseClass::Resource,
            issues: reading.issues,
            document: reading.document,
            ..Finding::default()
        };
    }
    let mut finding = extract::read_text(url, head, &body);
    if let Some(file) = files::read_whole(url, head, &body) {
        finding.resources = file.resources;
        finding.document = file.document;
        finding.verdict = ResponseClass::Resource;
    }
    finding
}

/// Handles a data file that was requested as a page: reads it if it is in memory, otherwise
/// requests it as a file.
fn read_file(url: &Url, head: &ResponseHead, content: PeekedBody<'_>) -> Finding {
    if content.is_whole() {
        return files::read_whole(url, head, content.prefix()).unwrap_or_else(empty_finding);
    }
    let target = CrawlTarget::new(url.clone(), Intent::File, "content");
    Finding { targets: vec![target], verdict: ResponseClass::Nothing, ..Finding::default() }
}

/// Decompresses a document once, within limits. Sitemaps are often compressed.
fn read_gzip(url: &Url, head: &ResponseHead, content: PeekedBody<'_>) -> Finding {
    let mut body = Vec::new();
    let stream = content.into_stream();
    // A damaged archive still yields what was decompressed before the error.
    let _ = flate2::read::MultiGzDecoder::new(stream).take(DOCUMENT_LIMIT as u64).read_to_end(&mut body);
    let sniffed = crate::sniff::sniff_type(&body, None);
    match sniffed {
        SniffedType::Xml(_) | SniffedType::Html | SniffedType::Json | SniffedType::Text => {
            read_any(url, head, &sniffed, PeekedBody::peek(super::ResponseBody::Whole(&body)), false)
        }
        _ => empty_finding(),
    }
}

/// Adds an issue to each resource if the body was incomplete.
pub fn note_truncation(finding: &mut Finding, truncated: bool) {
    if truncated {
        for found in &mut finding.resources {
            found.resource.issues.push(Issue::new(
                "body-truncated",
                "the response ended early; only the part received was read",
            ));
        }
    }
}
