//! A document that came as the answer to anything: what is it, and what does it give?

use super::content::Content;
use super::html_signs::{is_firewall, is_login};
use super::{Finding, Found, Head, Intent, Target, Verdict, exception};
use crate::extract::Known;
use crate::formats::json;
use crate::formats::xml::charset_of;
use crate::kinds::{self, Kind};
use crate::model::Issue;
use crate::sniff::{Sniffed, XmlRoot};
use crate::{extract, files, urls};
use std::io::Read;
use url::Url;

/// The most of a page that is read.
pub const PAGE_LIMIT: usize = 8 << 20;
/// The most of a sitemap, feed or other document that is read into memory.
pub const DOCUMENT_LIMIT: usize = 32 << 20;

/// What a capabilities document gave.
pub struct Capabilities {
    pub kind: &'static dyn Kind,
    pub finding: Finding,
    /// Where the document says that requests go.
    pub advertised: Option<String>,
}

/// Reads a claimed document as a stream; `None` when no kind claims it.
pub fn read_claimed(url: &Url, head: &Head, stream: &mut dyn Read) -> Option<Capabilities> {
    let endpoint = urls::endpoint(url);
    let charset = head.content_type.as_deref().and_then(charset_of);
    let (kind, root, reading) = kinds::read_document(stream, charset, endpoint.as_str())?;
    let rule = match &root.version {
        Some(version) => format!("root {} version {version}", root.clark()),
        None => format!("root {}", root.clark()),
    };
    let found = |resource| Found { resource, rule: rule.clone() };
    let resources: Vec<Found> = reading.resources.into_iter().map(found).collect();
    let verdict = if resources.is_empty() { Verdict::Page } else { Verdict::Resource };
    let finding = Finding {
        resources,
        targets: reading.targets,
        verdict,
        issues: reading.issues,
        document: reading.document,
        ..Finding::default()
    };
    Some(Capabilities { kind, finding, advertised: reading.advertised })
}

/// Targets for the other services that an endpoint may offer.
pub fn siblings(endpoint: &Url, except: &str) -> Vec<Target> {
    const ORDER: [&str; 7] = ["wms", "wfs", "wmts", "wcs", "csw", "wps", "sos"];
    ORDER
        .into_iter()
        .filter(|kind| *kind != except)
        .map(|kind| {
            Target::new(endpoint.clone(), Intent::Ows { kind: kind.to_owned(), siblings: false }, "sibling")
        })
        .collect()
}

/// Whether an endpoint is of the sort that offers several services.
pub fn hints_many_services(endpoint: &Url) -> bool {
    urls::service_hint(endpoint).is_some_and(|hint| hint.siblings || hint.kinds.len() > 1)
}

/// What a page-like request gave, whatever it is.
pub fn read_any(url: &Url, head: &Head, sniffed: &Sniffed, content: Content<'_>, truncated: bool) -> Finding {
    match sniffed {
        Sniffed::Html => read_html(url, head, content, None),
        Sniffed::Xml(root) => read_xml(url, head, root, content, truncated),
        _ if head.status >= 400 => refused(head),
        Sniffed::Zip | Sniffed::ShpHeader => read_file(url, head, content),
        Sniffed::Gzip => read_gzip(url, head, content),
        Sniffed::Json => read_json(url, head, content, truncated),
        Sniffed::Text => extract::read_text(url, head, &content.bytes(PAGE_LIMIT)),
        Sniffed::Empty | Sniffed::Pdf | Sniffed::Image | Sniffed::Binary => nothing(),
    }
}

/// Nothing of use.
pub fn nothing() -> Finding {
    Finding { verdict: Verdict::Nothing, ..Finding::default() }
}

/// An error status without a document that says more.
fn refused(head: &Head) -> Finding {
    let verdict = if matches!(head.status, 401 | 407) { Verdict::Login } else { Verdict::Nothing };
    Finding { verdict, ..Finding::default() }
}

/// What a web page gave, without links to known pages.
pub fn read_html(url: &Url, head: &Head, content: Content<'_>, known: Option<&dyn Known>) -> Finding {
    let page = content.bytes(PAGE_LIMIT);
    if head.status >= 400 {
        return refused_page(head, &page);
    }
    extract::read_html_without(url, head, &page, known)
}

/// What an error page means.
pub fn refused_page(head: &Head, page: &[u8]) -> Finding {
    let verdict = if is_firewall(page) {
        Verdict::Blocked
    } else if matches!(head.status, 401 | 407) || head.status == 403 && is_login(page) {
        Verdict::Login
    } else {
        Verdict::Nothing
    };
    Finding { verdict, ..Finding::default() }
}

fn read_xml(url: &Url, head: &Head, root: &XmlRoot, content: Content<'_>, truncated: bool) -> Finding {
    if kinds::claiming(root).is_some() {
        let Some(mut read) = read_claimed(url, head, &mut content.stream()) else { return nothing() };
        note_truncation(&mut read.finding, truncated);
        if is_saved(url, read.kind) {
            read.finding.saved = true;
            let there =
                read.advertised.and_then(|text| urls::clean(&text, url)).map(|at| urls::endpoint(&at));
            let intent = Intent::Ows { kind: read.kind.doc().id.to_owned(), siblings: false };
            read.finding.targets.extend(there.map(|at| Target::new(at, intent, "capabilities")));
            return read.finding;
        }
        let endpoint = urls::endpoint(url);
        if hints_many_services(&endpoint) {
            read.finding.targets.extend(siblings(&endpoint, read.kind.doc().id));
        }
        return read.finding;
    }
    if exception::may_be_exception(root) {
        let charset = head.content_type.as_deref().and_then(charset_of);
        if let Some(report) = exception::read(&mut content.stream(), charset) {
            let endpoint = urls::endpoint(url);
            let target =
                Target::new(endpoint, Intent::Ows { kind: "wms".to_owned(), siblings: true }, "exception");
            return Finding {
                targets: vec![target],
                verdict: Verdict::Exception,
                issues: vec![Issue::new("ows-exception", report.message())],
                ..Finding::default()
            };
        }
        return nothing();
    }
    let body = content.bytes(DOCUMENT_LIMIT);
    if let Some(finding) = files::read_whole(url, head, &body) {
        return finding;
    }
    if head.status >= 400 {
        return refused(head);
    }
    extract::read_xml_links(url, head, &body)
}

/// A JSON document: what the kinds make of it, else its text.
fn read_json(url: &Url, head: &Head, content: Content<'_>, truncated: bool) -> Finding {
    let body = content.bytes(DOCUMENT_LIMIT);
    let Some(doc) = json::Doc::read(&mut &body[..]) else { return extract::read_text(url, head, &body) };
    match claimed_json(url, &doc) {
        Some(mut finding) => {
            note_truncation(&mut finding, truncated);
            finding
        }
        None => extract::read_text(url, head, &body),
    }
}

/// What a JSON document proves; `None` when no kind claims it.
pub fn claimed_json(url: &Url, doc: &json::Doc) -> Option<Finding> {
    let mut finding = Finding { verdict: Verdict::Resource, ..Finding::default() };
    let readings = kinds::read_json(doc, url);
    if readings.is_empty() {
        return None;
    }
    for (kind, reading) in readings {
        let rule = format!("JSON members of {}", reading.document.unwrap_or(kind.doc().id));
        let found = |resource| Found { resource, rule: rule.clone() };
        finding.resources.extend(reading.resources.into_iter().map(found));
        finding.targets.extend(reading.targets);
        finding.issues.extend(reading.issues);
        finding.document = finding.document.or(reading.document);
    }
    if finding.resources.is_empty() {
        finding.verdict = Verdict::Page;
    }
    Some(finding)
}

/// Whether a capabilities document at this address is a file rather than the answer of a service: an `.xml`
/// that nobody asked a question. Tile services may be served that way, all others are elsewhere.
fn is_saved(url: &Url, kind: &dyn Kind) -> bool {
    let is_file = url.path().to_ascii_lowercase().ends_with(".xml");
    is_file && url.query().is_none_or(str::is_empty) && kind.ows().is_some() && kind.doc().id != "wmts"
}

/// A data file that was requested as a page: read if it is here, else proven by ranges.
fn read_file(url: &Url, head: &Head, content: Content<'_>) -> Finding {
    if content.is_whole() {
        return files::read_whole(url, head, content.prefix()).unwrap_or_else(nothing);
    }
    let target = Target::new(url.clone(), Intent::File, "content");
    Finding { targets: vec![target], verdict: Verdict::Nothing, ..Finding::default() }
}

/// A compressed document (sitemaps are, often): opened once, within bounds.
fn read_gzip(url: &Url, head: &Head, content: Content<'_>) -> Finding {
    let mut body = Vec::new();
    let stream = content.stream();
    // A broken archive still gives what came out of it.
    let _ = flate2::read::MultiGzDecoder::new(stream).take(DOCUMENT_LIMIT as u64).read_to_end(&mut body);
    let sniffed = crate::sniff::sniff(&body, None);
    match sniffed {
        Sniffed::Xml(_) | Sniffed::Html | Sniffed::Json | Sniffed::Text => {
            read_any(url, head, &sniffed, Content::open(super::Body::Whole(&body)), false)
        }
        _ => nothing(),
    }
}

/// Says so when a body ended early.
pub fn note_truncation(finding: &mut Finding, truncated: bool) {
    if truncated {
        for found in &mut finding.resources {
            found
                .resource
                .issues
                .push(Issue::new("body-truncated", "the answer ended early: what came was read"));
        }
    }
}
