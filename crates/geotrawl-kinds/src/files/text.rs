//! Data files that are text: XML, JSON and tables, plain or in gzip, from their beginning or as a stream.

use super::examine::{Examined, kml_finding};
use super::{MAX_DOCUMENT, Want};
use crate::formats::csv_table::{CsvTable, MAX_ROWS};
use crate::formats::json::{Doc, looks_like_json};
use crate::formats::xml::charset_of;
use crate::kinds::{self, csv_geo, gml, gpx, kml};
use crate::model::Issue;
use crate::probe::{Body, Finding, Found, Head, Verdict, claimed_json};
use crate::sniff::{SNIFF_LEN, Sniffed, XmlRoot, sniff};
use crate::{extract, urls};
use flate2::read::MultiGzDecoder;
use std::io::Read;
use url::Url;

/// The beginning of a table or of JSON that decides.
const BEGINNING: u64 = 64 * 1024;
/// How much of JSON is read for its extent.
const MAX_JSON: u64 = 5 * 1024 * 1024;
/// JSON that hides what it is beyond its beginning is read up to this size.
const MAX_UNSURE_JSON: u64 = 2 * 1024 * 1024;
/// How much of GML is read: its extent stands at the start, and files of gigabytes exist.
const MAX_GML: u64 = 1024 * 1024;
/// How much is unpacked of a gzip's beginning.
const MAX_UNPACKED_START: u64 = 256 * 1024;

/// What a text document is, and how much of it is worth reading.
struct Told {
    finding: Finding,
    /// Up to how many bytes would tell more.
    worth: u64,
}

/// What the beginning of a file says, when it is text; `complete` says that it is all of it.
pub(super) fn examine(url: &Url, head: &[u8], complete: bool, total: Option<u64>) -> Option<Examined> {
    if head.starts_with(b"\x1f\x8b\x08") {
        return in_gzip(url, head, complete, total);
    }
    let sniffed = sniff(head, None);
    let more = |wanted: u64| {
        let end = wanted.min(total.unwrap_or(u64::MAX)).saturating_sub(1);
        let at = head.len() as u64;
        if at > end { Vec::new() } else { vec![Want::Span(at, end)] }
    };
    match sniffed {
        _ if sniffed == Sniffed::Json || looks_like_json(head) => {
            let doc = Doc::read(&mut &head[..]);
            let claimed = doc.as_ref().and_then(|doc| claimed_json(url, doc));
            Some(match claimed {
                Some(finding) if complete => Examined { wants: Vec::new(), finding },
                Some(finding) => Examined { wants: vec![Want::Document(MAX_JSON)], finding },
                None if complete => Examined::nothing(),
                None if (head.len() as u64) < BEGINNING => Examined::nothing().wanting(more(BEGINNING)),
                // Some writers put the type last.
                None if total.is_some_and(|total| total <= MAX_UNSURE_JSON) => {
                    Examined::nothing().wanting(vec![Want::Document(MAX_UNSURE_JSON)])
                }
                // A beginning that cannot be read at all may be part of something that can.
                None if doc.is_none() => Examined::nothing().wanting(vec![Want::Document(MAX_JSON)]),
                None => Examined::nothing(),
            })
        }
        Sniffed::Xml(root) => {
            let told = xml(url, &root, &mut &head[..], None, complete)?;
            let wants = if complete { Vec::new() } else { vec![Want::Document(told.worth)] };
            Some(Examined { wants, finding: told.finding })
        }
        Sniffed::Text => {
            // Lists of services come as tables too, and are worth their addresses.
            let mut mentioned = extract::read_text(url, &Head::default(), head);
            mentioned.page = None;
            let Some((mut finding, rows)) = table(url, head, complete) else {
                return (!mentioned.targets.is_empty())
                    .then_some(Examined { wants: Vec::new(), finding: mentioned });
            };
            finding.targets.extend(mentioned.targets.into_iter().filter(|target| target.intent.is_probe()));
            // Long rows: fewer than fifty have come.
            let wants = if complete || rows >= MAX_ROWS { Vec::new() } else { more(BEGINNING) };
            Some(Examined { wants, finding })
        }
        _ => None,
    }
}

/// The unpacked beginning decides; the whole is fetched as a document.
fn in_gzip(url: &Url, head: &[u8], complete: bool, total: Option<u64>) -> Option<Examined> {
    let mut start = Vec::new();
    let mut unpacked = MultiGzDecoder::new(head).take(MAX_UNPACKED_START);
    // What is cut off ends in an error, and has given its beginning.
    let ended = unpacked.read_to_end(&mut start).is_ok() && (start.len() as u64) < MAX_UNPACKED_START;
    if start.starts_with(b"\x1f\x8b") {
        return None;
    }
    let mut examined = examine(url, &start, complete && ended, None)?;
    let is_something = !examined.finding.resources.is_empty() || !examined.wants.is_empty();
    // Offsets inside the packed file mean nothing: all that helps is more of it.
    let worth = examined.wants.iter().find_map(|want| match want {
        Want::Document(max) => Some(*max),
        Want::Span(..) => Some(BEGINNING * 4),
        _ => None,
    });
    examined.wants = match worth {
        Some(max) if is_something && !complete => vec![Want::Document(max.min(total.unwrap_or(u64::MAX)))],
        _ => Vec::new(),
    };
    note_gzip(&mut examined.finding);
    Some(examined)
}

fn note_gzip(finding: &mut Finding) {
    for found in &mut finding.resources {
        found.rule = format!("in gzip: {}", found.rule);
    }
}

/// Reads a document that was asked for as a whole, up to `max` bytes.
pub(super) fn read(url: &Url, head: &Head, body: Body<'_>, truncated: bool, max: u64) -> Option<Finding> {
    let charset = head.content_type.as_deref().and_then(charset_of);
    match body {
        Body::Whole(bytes) => {
            let whole = !truncated && bytes.len() as u64 <= max;
            let bytes = bytes.get(..max as usize).unwrap_or(bytes);
            read_stream(url, &mut &bytes[..], charset, &mut || whole)
        }
        Body::Stream(stream) => {
            let mut counted = Counted { stream, left: max };
            let left = std::cell::Cell::new(max);
            let mut watched = Watched { inner: &mut counted, left: &left };
            read_stream(url, &mut watched, charset, &mut || !truncated && left.get() > 0)
        }
    }
}

/// A stream that ends after so many bytes.
struct Counted<'a> {
    stream: &'a mut dyn Read,
    left: u64,
}

impl Read for Counted<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let room = out.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let n = self.stream.read(&mut out[..room])?;
        self.left -= n as u64;
        Ok(n)
    }
}

/// Tells from outside how much is left.
struct Watched<'a, 'b> {
    inner: &'a mut Counted<'b>,
    left: &'a std::cell::Cell<u64>,
}

impl Read for Watched<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let n = self.inner.read(out)?;
        self.left.set(self.inner.left);
        Ok(n)
    }
}

/// `whole` is asked after reading: whether the stream ended where the document does.
fn read_stream(
    url: &Url,
    stream: &mut dyn Read,
    charset: Option<&str>,
    whole: &mut dyn FnMut() -> bool,
) -> Option<Finding> {
    let start = prefix(stream);
    if start.starts_with(b"\x1f\x8b\x08") {
        let mut unpacked = MultiGzDecoder::new((&start[..]).chain(stream)).take(4 * MAX_DOCUMENT);
        let inner = prefix(&mut unpacked);
        if inner.starts_with(b"\x1f\x8b") {
            return None;
        }
        let mut finding = read_start(url, &inner, &mut unpacked, charset, whole)?;
        note_gzip(&mut finding);
        return Some(finding);
    }
    read_start(url, &start, stream, charset, whole)
}

fn prefix(stream: &mut dyn Read) -> Vec<u8> {
    let mut start = Vec::new();
    // A body that breaks off is as good as its bytes.
    let _ = stream.take(SNIFF_LEN as u64).read_to_end(&mut start);
    start
}

fn read_start(
    url: &Url,
    start: &[u8],
    rest: &mut dyn Read,
    charset: Option<&str>,
    whole: &mut dyn FnMut() -> bool,
) -> Option<Finding> {
    // Broken documents that only the reader of KML understands were told by it, not by their root.
    if kml::may_be(start) && kml::read(start, false).is_some() {
        let mut finding = kml_finding(url, kml::read(start.chain(rest), true)?);
        if !whole() {
            note_partial(&mut finding);
        }
        return Some(finding);
    }
    let sniffed = sniff(start, None);
    match sniffed {
        _ if sniffed == Sniffed::Json || looks_like_json(start) => {
            let doc = Doc::read(&mut start.chain(rest))?;
            let mut finding = claimed_json(url, &doc)?;
            if !whole() {
                note_partial(&mut finding);
            }
            Some(finding)
        }
        Sniffed::Xml(root) => {
            let mut finding = xml(url, &root, &mut start.chain(rest), charset, true)?.finding;
            if !whole() {
                note_partial(&mut finding);
            }
            Some(finding)
        }
        Sniffed::Text => {
            let mut text = start.to_vec();
            let _ = rest.take(BEGINNING).read_to_end(&mut text);
            let ended = whole() && text.len() < SNIFF_LEN + BEGINNING as usize;
            table(url, &text, ended).map(|(finding, _)| finding)
        }
        _ => None,
    }
}

/// Replaces complaints about a missing end by the truth: reading stopped there.
fn note_partial(finding: &mut Finding) {
    for found in &mut finding.resources {
        let issues = &mut found.resource.issues;
        issues.retain(|issue| issue.code != "xml-not-well-formed");
        if !issues.iter().any(|issue| issue.code == "read-partly") {
            let message = "only the start of the document was read; counts and extent may be larger";
            issues.insert(0, Issue::new("read-partly", message));
        }
    }
}

fn of(found: Found, document: &'static str) -> Finding {
    let document = Some(document);
    Finding { resources: vec![found], verdict: Verdict::Resource, document, ..Finding::default() }
}

/// An XML document that is a data file, or that any kind claims.
fn xml(url: &Url, root: &XmlRoot, stream: &mut dyn Read, charset: Option<&str>, whole: bool) -> Option<Told> {
    if root.local == "kml" {
        // In gzip: the plain form is known before.
        let finding = kml_finding(url, kml::read(stream, whole)?);
        return Some(Told { finding, worth: MAX_DOCUMENT });
    }
    if gpx::claims(root) {
        let found = gpx::found(url, gpx::read(stream, charset)?, whole);
        return Some(Told { finding: of(found, "gpx"), worth: MAX_JSON });
    }
    if gml::claims(root).is_some() {
        let document = gml::read(stream, charset)?;
        let kind = gml::document_kind(&document);
        return Some(Told { finding: of(gml::found(url, document, whole), kind), worth: MAX_GML });
    }
    kinds::claiming(root)?;
    let endpoint = urls::endpoint(url);
    let (_, root, reading) = kinds::read_document(stream, charset, endpoint.as_str())?;
    let rule = format!("root {}", root.clark());
    let resources: Vec<Found> =
        reading.resources.into_iter().map(|resource| Found { resource, rule: rule.clone() }).collect();
    let verdict = if resources.is_empty() { Verdict::Page } else { Verdict::Resource };
    let finding = Finding {
        resources,
        targets: reading.targets,
        verdict,
        issues: reading.issues,
        document: reading.document,
        ..Finding::default()
    };
    Some(Told { finding, worth: MAX_DOCUMENT })
}

/// A table whose rows have a place, and how many rows were looked at.
fn table(url: &Url, text: &[u8], whole: bool) -> Option<(Finding, usize)> {
    let table = CsvTable::read(text, whole)?;
    let place = csv_geo::place(&table)?;
    let rows = table.rows.len();
    Some((of(csv_geo::found(url, &table, place, whole), "csv-geo"), rows))
}

/// What a text that is already in memory is; `None` when it is no data file. JSON is read elsewhere.
pub(super) fn read_whole(url: &Url, bytes: &[u8], complete: bool) -> Option<Finding> {
    if kml::may_be(bytes)
        && let Some(document) = kml::read(bytes, complete)
    {
        return Some(kml_finding(url, document));
    }
    match sniff(bytes, None) {
        Sniffed::Xml(root) => {
            let data = gpx::claims(&root) || gml::claims(&root).is_some();
            data.then(|| xml(url, &root, &mut &bytes[..], None, complete)).flatten().map(|told| told.finding)
        }
        Sniffed::Text => {
            let beginning = bytes.get(..BEGINNING as usize).unwrap_or(bytes);
            table(url, beginning, complete && beginning.len() == bytes.len()).map(|(finding, _)| finding)
        }
        _ => None,
    }
}
