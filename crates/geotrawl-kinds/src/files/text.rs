//! Data files that are text (XML, JSON, tables), plain or gzipped, from their beginning or as a
//! stream.

use super::examine::FileExamination;
use super::{FileRequest, MAX_DOCUMENT};
use crate::formats::json::{JsonDocument, looks_like_json};
use crate::formats::xml::charset_parameter;
use crate::kinds::{self, ClaimCertainty};
use crate::probe::{Finding, Found, ResponseBody, ResponseClass, ResponseHead, read_claimed_json};
use crate::sniff::{SNIFF_LEN, SniffedType, XmlRoot, sniff_type};
use crate::{extract, urls};
use flate2::read::MultiGzDecoder;
use geotrawl_model::Issue;
use std::io::Read;
use url::Url;

/// Number of leading bytes that decide what a table or JSON document is.
pub const BEGINNING: u64 = 64 * 1024;
/// Maximum number of bytes of JSON read to determine its extent.
const MAX_JSON: u64 = 5 * 1024 * 1024;
/// Maximum size of JSON documents that are read further because their beginning is inconclusive.
const MAX_UNSURE_JSON: u64 = 2 * 1024 * 1024;
/// Maximum number of bytes decompressed from the beginning of a gzip file.
const MAX_UNPACKED_START: u64 = 256 * 1024;

/// Start of a text file, by which a kind claims it.
#[derive(Debug, Clone, Copy)]
pub struct TextStart<'a> {
    pub bytes: &'a [u8],
    /// Detected type of the bytes.
    pub sniffed: &'a SniffedType,
}

impl<'a> TextStart<'a> {
    /// Returns the root element if the file is XML.
    pub fn root(&self) -> Option<&'a XmlRoot> {
        match self.sniffed {
            SniffedType::Xml(root) => Some(root),
            _ => None,
        }
    }
}

/// A text file to be read by a kind.
pub struct TextFile<'a> {
    /// URL of the file.
    pub url: &'a Url,
    /// The file from its start; only the beginning for files that are neither XML nor JSON.
    pub stream: &'a mut dyn Read,
    /// Charset stated by the server.
    pub charset: Option<&'a str>,
    /// Whether the stream ends where the file does.
    pub whole: bool,
}

/// Identifies a text file by its beginning; `complete` if that is the whole file.
pub(super) fn examine_text(
    url: &Url,
    head: &[u8],
    complete: bool,
    total: Option<u64>,
) -> Option<FileExamination> {
    if head.starts_with(b"\x1f\x8b\x08") {
        return in_gzip(url, head, complete, total);
    }
    let sniffed = sniff_type(head, None);
    let mut examined = if sniffed == SniffedType::Json || looks_like_json(head) {
        examine_json(url, head, complete, total)
    } else {
        let file = TextFile { url, stream: &mut &head[..], charset: None, whole: complete };
        match (kinds::text_file_kind(&TextStart { bytes: head, sniffed: &sniffed }), &sniffed) {
            (Some((kind, ClaimCertainty::Yes)), _) => kind.read_text_file(file)?,
            (claim, SniffedType::Text) => {
                let read = claim.and_then(|(kind, _)| kind.read_text_file(file));
                with_mentioned(url, head, read)?
            }
            (Some((kind, ClaimCertainty::Perhaps)), _) => kind.read_text_file(file)?,
            (None, SniffedType::Xml(root)) => read_service(file, root)?,
            (None, _) => return None,
        }
    };
    let last = total.unwrap_or(u64::MAX).saturating_sub(1);
    let at_hand = head.len() as u64;
    examined.wants.retain_mut(|want| {
        if let FileRequest::Span(from, to) = want {
            (*from, *to) = (at_hand, last.min(*to));
            return *from <= *to && !complete;
        }
        !complete
    });
    Some(examined)
}

/// Identifies a JSON document by its beginning.
fn examine_json(url: &Url, head: &[u8], complete: bool, total: Option<u64>) -> FileExamination {
    let doc = JsonDocument::from_reader(&mut &head[..]);
    let claimed = doc.as_ref().and_then(|doc| read_claimed_json(url, doc));
    let wanting = |want| FileExamination::unrecognised().with_requests(vec![want]);
    match claimed {
        Some(finding) => FileExamination { wants: vec![FileRequest::Document(MAX_JSON)], finding },
        None if complete => FileExamination::unrecognised(),
        None if (head.len() as u64) < BEGINNING => wanting(FileRequest::Span(0, BEGINNING - 1)),
        // Some writers put the `type` member last.
        None if total.is_some_and(|total| total <= MAX_UNSURE_JSON) => {
            wanting(FileRequest::Document(MAX_UNSURE_JSON))
        }
        // If the beginning is not readable JSON, the whole document may still be.
        None if doc.is_none() => wanting(FileRequest::Document(MAX_JSON)),
        None => FileExamination::unrecognised(),
    }
}

/// Adds the services mentioned in a text, as some lists of services are tables.
fn with_mentioned(url: &Url, head: &[u8], read: Option<FileExamination>) -> Option<FileExamination> {
    let mut mentioned = extract::read_text(url, &ResponseHead::default(), head);
    mentioned.page = None;
    let Some(mut examined) = read else {
        return (!mentioned.targets.is_empty())
            .then_some(FileExamination { wants: Vec::new(), finding: mentioned });
    };
    let services = mentioned.targets.into_iter().filter(|target| target.intent.is_probe());
    examined.finding.targets.extend(services);
    Some(examined)
}

/// Identifies a gzipped file by its decompressed beginning and requests the whole as a document.
fn in_gzip(url: &Url, head: &[u8], complete: bool, total: Option<u64>) -> Option<FileExamination> {
    let mut start = Vec::new();
    let mut unpacked = MultiGzDecoder::new(head).take(MAX_UNPACKED_START);
    // Truncated input ends in an error, but the beginning has been decompressed by then.
    let ended = unpacked.read_to_end(&mut start).is_ok() && (start.len() as u64) < MAX_UNPACKED_START;
    if start.starts_with(b"\x1f\x8b") {
        return None;
    }
    let mut examined = examine_text(url, &start, complete && ended, None)?;
    let is_something = !examined.finding.resources.is_empty() || !examined.wants.is_empty();
    // Offsets in the decompressed file cannot be requested; fetch more of the compressed one.
    let worth = examined.wants.iter().find_map(|want| match want {
        FileRequest::Document(max) => Some(*max),
        FileRequest::Span(..) => Some(BEGINNING * 4),
        _ => None,
    });
    examined.wants = match worth {
        Some(max) if is_something && !complete => {
            vec![FileRequest::Document(max.min(total.unwrap_or(u64::MAX)))]
        }
        _ => Vec::new(),
    };
    note_gzip(&mut examined.finding);
    Some(examined)
}

fn note_gzip(finding: &mut Finding) {
    for found in &mut finding.resources {
        found.evidence.rule = format!("in gzip: {}", found.evidence.rule);
    }
}

/// Reads a document that was requested as a whole, up to `max` bytes.
pub(super) fn read_requested(
    url: &Url,
    head: &ResponseHead,
    body: ResponseBody<'_>,
    truncated: bool,
    max: u64,
) -> Option<Finding> {
    let charset = head.content_type.as_deref().and_then(charset_parameter);
    match body {
        ResponseBody::Whole(bytes) => {
            let whole = !truncated && bytes.len() as u64 <= max;
            let bytes = bytes.get(..max as usize).unwrap_or(bytes);
            read_stream(url, &mut &bytes[..], charset, &mut || whole)
        }
        ResponseBody::Stream(stream) => {
            let mut counted = LimitedReader { stream, left: max };
            let left = std::cell::Cell::new(max);
            let mut watched = ProgressReader { inner: &mut counted, left: &left };
            read_stream(url, &mut watched, charset, &mut || !truncated && left.get() > 0)
        }
    }
}

/// A reader that stops after a number of bytes.
struct LimitedReader<'a> {
    stream: &'a mut dyn Read,
    left: u64,
}

impl Read for LimitedReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let room = out.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let n = self.stream.read(&mut out[..room])?;
        self.left -= n as u64;
        Ok(n)
    }
}

/// A reader that reports how many bytes remain, so that the caller knows whether the limit was
/// reached.
struct ProgressReader<'a, 'b> {
    inner: &'a mut LimitedReader<'b>,
    left: &'a std::cell::Cell<u64>,
}

impl Read for ProgressReader<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let n = self.inner.read(out)?;
        self.left.set(self.inner.left);
        Ok(n)
    }
}

/// Reads a text stream, decompressing it if needed. `whole` is called afterwards and returns
/// whether the stream ended where the document does.
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
    // After a read error, the bytes received so far are still used.
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
    let sniffed = sniff_type(start, None);
    if sniffed == SniffedType::Json || looks_like_json(start) {
        let mut finding = read_claimed_json(url, &JsonDocument::from_reader(&mut start.chain(rest))?)?;
        if !whole() {
            note_partial(&mut finding);
        }
        return Some(finding);
    }
    let claim = kinds::text_file_kind(&TextStart { bytes: start, sniffed: &sniffed });
    if let (Some((kind, ClaimCertainty::Perhaps)), SniffedType::Text) = (claim, &sniffed) {
        let mut text = start.to_vec();
        let _ = rest.take(BEGINNING).read_to_end(&mut text);
        let whole = whole() && text.len() < SNIFF_LEN + BEGINNING as usize;
        let file = TextFile { url, stream: &mut &text[..], charset, whole };
        return kind.read_text_file(file).map(|examined| examined.finding);
    }
    let file = TextFile { url, stream: &mut start.chain(rest), charset, whole: true };
    let mut finding = match (claim, &sniffed) {
        (Some((kind, _)), _) => kind.read_text_file(file)?.finding,
        (None, SniffedType::Xml(root)) => read_service(file, root)?.finding,
        (None, _) => return None,
    };
    if !whole() {
        note_partial(&mut finding);
    }
    Some(finding)
}

/// Replaces errors about a missing end with the actual reason: only the start was read.
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

/// Reads a service description that was saved as a file.
fn read_service(file: TextFile<'_>, root: &XmlRoot) -> Option<FileExamination> {
    kinds::claiming_kind(root)?;
    let endpoint = urls::endpoint_url(file.url);
    let (_, root, reading) = kinds::read_document(file.stream, file.charset, endpoint.as_str())?;
    let rule = format!("root {}", root.clark_name());
    let resources: Vec<Found> =
        reading.resources.into_iter().map(|resource| Found::new(resource, rule.clone())).collect();
    let verdict = if resources.is_empty() { ResponseClass::Page } else { ResponseClass::Resource };
    let finding = Finding {
        resources,
        targets: reading.targets,
        verdict,
        issues: reading.issues,
        document: reading.document,
        ..Finding::default()
    };
    Some(FileExamination { wants: vec![FileRequest::Document(MAX_DOCUMENT)], finding })
}

/// Identifies a text that is already in memory. Returns `None` if it is not a data file. JSON is
/// read elsewhere.
pub(super) fn read_whole(url: &Url, bytes: &[u8], complete: bool) -> Option<Finding> {
    let sniffed = sniff_type(bytes, None);
    let start = TextStart { bytes: &bytes[..bytes.len().min(SNIFF_LEN)], sniffed: &sniffed };
    let (kind, sure) = kinds::text_file_kind(&start)?;
    let limit =
        if sure == ClaimCertainty::Perhaps && sniffed == SniffedType::Text { BEGINNING } else { u64::MAX };
    let text = bytes.get(..usize::try_from(limit).unwrap_or(usize::MAX)).unwrap_or(bytes);
    let whole = complete && text.len() == bytes.len();
    let file = TextFile { url, stream: &mut &text[..], charset: None, whole };
    kind.read_text_file(file).map(|examined| examined.finding)
}
