//! A document that came as the answer to anything: what is it, and what does it give?

use super::content::Content;
use super::html_signs::{is_firewall, is_login};
use super::{Finding, Found, Head, Intent, Target, Verdict, exception};
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
    let resources = reading.resources.into_iter().map(found).collect();
    Some(Capabilities {
        kind,
        finding: Finding { resources, verdict: Verdict::Resource, ..Finding::default() },
    })
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
    let path = endpoint.path().to_ascii_lowercase();
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let names_map = url::form_urlencoded::parse(endpoint.query().unwrap_or_default().as_bytes())
        .any(|(name, _)| name.eq_ignore_ascii_case("map"));
    names_map
        || matches!(last, "ows" | "services" | "wxs")
        || last.starts_with("mapserv") && !last.starts_with("mapserver")
        || last.starts_with("qgis_mapserv")
}

/// What a page-like request gave, whatever it is.
pub fn read_any(url: &Url, head: &Head, sniffed: &Sniffed, content: Content<'_>, truncated: bool) -> Finding {
    match sniffed {
        Sniffed::Html => read_html(url, head, content),
        Sniffed::Xml(root) => read_xml(url, head, root, content, truncated),
        _ if head.status >= 400 => refused(head),
        Sniffed::Zip | Sniffed::ShpHeader => read_file(url, head, content),
        Sniffed::Gzip => read_gzip(url, head, content),
        Sniffed::Json | Sniffed::Text => extract::read_text(url, head, &content.bytes(PAGE_LIMIT)),
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

fn read_html(url: &Url, head: &Head, content: Content<'_>) -> Finding {
    let page = content.bytes(PAGE_LIMIT);
    if head.status >= 400 {
        return refused_page(head, &page);
    }
    extract::read_html(url, head, &page)
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
        let endpoint = urls::endpoint(url);
        if hints_many_services(&endpoint) {
            read.finding.targets = siblings(&endpoint, read.kind.doc().id);
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
