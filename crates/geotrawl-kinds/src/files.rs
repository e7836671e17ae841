//! Data files on the web, identified by their first bytes and a few ranges, never by their URL.
//!
//! [`FileProbe`] requests ranges and passes the bytes it has to [`examine`], which returns what the
//! file is, as far as these bytes show, and which other bytes would show more. No step depends on
//! an earlier one: a server that refuses a range, or sends a different one, only makes the result
//! less complete.

mod archive;
mod database;
mod examine;
mod record;
mod sparse;
mod text;

use crate::kinds;
use crate::probe::{
    ByteRange, Finding, ProbeRequest, ProbeResponse, ProbeStep, ResponseBody, ResponseClass, ResponseHead,
};
use crate::sniff::{SniffedType, sniff_type};
use crate::urls::file_hint;
use std::io::Read;
use url::Url;

pub use archive::ArchiveView;
pub use database::examine_sqlite as examine_database;
pub use examine::{FileExamination, FileRequest, FileView};
pub use record::{
    FileDescription, MAX_ABSTRACT, MAX_DATASETS, MAX_TITLE, bbox_from_degrees, combine_datasets,
    locate_extent, request_missing,
};
pub use sparse::{SparseFile, SparseReadError};
pub use text::{BEGINNING, TextFile, TextStart};

/// Length of the first request: enough for the header of nearly every format.
pub const HEAD_LEN: u64 = 16 * 1024;
/// Maximum number of bytes read of a response that ignores the range: local headers of a ZIP, the
/// start of a document.
const IGNORED_RANGE_LEN: u64 = 64 * 1024;
/// Maximum size of an archive that is fetched whole from a server without range support.
const MAX_WHOLE: u64 = 10_000_000;
/// Maximum number of bytes read of a document.
pub const MAX_DOCUMENT: u64 = 16 * 1024 * 1024;
/// A `.prj` file is a few hundred bytes.
const MAX_PRJ: u64 = 16 * 1024;
/// Maximum number of requests per file.
const MAX_REQUESTS: u32 = 6;

const ACCEPT: &str = "*/*";

/// Identifies a file with as few bytes as possible.
#[derive(Debug)]
pub struct FileProbe {
    url: Url,
    file: SparseFile,
    /// What the last request was for.
    asked: FileRequest,
    requests: u32,
    /// The server does not support ranges, or sends other ranges than requested.
    ranges_fail: bool,
    /// Requests sent so far, successful or not: none is sent twice.
    asked_before: Vec<FileRequest>,
    /// Contents of the `.prj` beside a bare `.shp`.
    prj: Option<String>,
}

impl FileProbe {
    /// Creates a probe and returns its first request.
    pub fn start(url: Url) -> (Self, ProbeRequest) {
        let likely = file_hint(&url).and_then(|hint| kinds::by_id(hint.kind));
        let asked = FileRequest::Span(0, likely.map_or(HEAD_LEN, kinds::Kind::first_range_len) - 1);
        let ask = ask(&url, &asked);
        let probe = Self {
            url,
            file: SparseFile::default(),
            asked,
            requests: 1,
            ranges_fail: false,
            asked_before: Vec::new(),
            prj: None,
        };
        (probe, ask)
    }

    /// Processes a response and returns the next request or the finding.
    pub fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep {
        let asked = std::mem::replace(&mut self.asked, FileRequest::Whole(0));
        let first = self.requests == 1;
        if first && let Some(answered) = answer.head.url.as_ref().filter(|url| !is_signed(url)) {
            // Requesting the final URL directly avoids the redirect next time.
            self.url = answered.clone();
        }
        match (&asked, answer.head.status) {
            (FileRequest::Document(max), 200) => {
                let ProbeResponse { head, body, truncated } = answer;
                if let Some(finding) = text::read_requested(&self.url, head, body, truncated, *max) {
                    return ProbeStep::Done(Box::new(finding));
                }
                self.asked_before.push(asked);
            }
            (FileRequest::Sibling(_), 200) => self.prj = Some(text_of(answer.body, MAX_PRJ)),
            (FileRequest::Sibling(_) | FileRequest::Document(_), _) => self.asked_before.push(asked),
            (_, 206) => self.take_range(asked, answer),
            (_, 200) => self.take_start(asked, answer),
            // The range does not exist: the file is short or empty, or the server counts wrongly.
            (_, 416) if answer.head.total_length != Some(0) => {
                self.ranges_fail = first;
                if let Some(total) = answer.head.total_length {
                    self.file.set_total(total);
                }
                self.asked_before.push(asked);
            }
            (_, status) if first => return ProbeStep::Done(Box::new(failure(status))),
            _ => self.asked_before.push(asked),
        }
        self.next()
    }

    fn next(&mut self) -> ProbeStep {
        let url = &self.url;
        let sibling = self.prj.as_deref();
        let view = FileView { url, file: &self.file, sibling, ranges_fail: self.ranges_fail };
        let FileExamination { wants, finding } = examine::examine_bytes(&view);
        let next = wants.into_iter().find(|want| !self.asked_before.contains(want));
        match next {
            Some(want) if self.requests < MAX_REQUESTS => {
                self.requests += 1;
                let ask = ask(url, &want);
                self.asked = want;
                ProbeStep::Ask(Box::new(ask))
            }
            _ => ProbeStep::Done(Box::new(finding)),
        }
    }

    /// Handles status 206. The server may send another range than requested, so its position is
    /// read from the headers.
    fn take_range(&mut self, asked: FileRequest, answer: ProbeResponse<'_>) {
        let max = asked.max_bytes();
        let bytes = bytes_of(answer.body, max);
        let total = answer.head.total_length;
        if let (Some(before), Some(now)) = (self.file.total(), total)
            && before != now
        {
            // The file changed between requests, so the pieces no longer fit together.
            self.ranges_fail = true;
            self.asked_before.push(asked);
            return;
        }
        if let Some(total) = total {
            self.file.set_total(total);
        }
        let at = match (answer.head.served_from, &asked) {
            (Some(at), _) => Some(at),
            (None, FileRequest::Span(from, _)) => Some(*from),
            (None, FileRequest::Tail(_)) => total.and_then(|t| t.checked_sub(bytes.len() as u64)),
            _ => Some(0),
        };
        let Some(at) = at else {
            self.asked_before.push(asked);
            return;
        };
        let length = bytes.len() as u64;
        if self.file.total().is_some_and(|total| at.checked_add(length).is_none_or(|end| end > total)) {
            self.ranges_fail = true;
            self.asked_before.push(asked);
            return;
        }
        // A suffix range of a file of unknown size reveals the size.
        if let (FileRequest::Tail(_), None) = (&asked, self.file.total())
            && !answer.truncated
        {
            self.file.set_total(at + length);
        }
        self.file.insert_range(at, &bytes);
        // A first response shorter than requested is the whole file.
        let short = at == 0 && matches!(asked, FileRequest::Span(0, last) if length <= last);
        if short && self.file.total().is_none() && !answer.truncated {
            self.file.set_total(length);
        }
        self.asked_before.push(asked);
    }

    /// Handles status 200: the server sends the file from its start.
    fn take_start(&mut self, asked: FileRequest, answer: ProbeResponse<'_>) {
        let max = asked.max_bytes();
        if !matches!(asked, FileRequest::Whole(_)) {
            self.ranges_fail = true;
        }
        let total = answer.head.total_length;
        let truncated = answer.truncated;
        let bytes = bytes_of(answer.body, max);
        if let Some(total) = total.or(self.file.total()) {
            self.file.set_total(total);
        }
        // A body shorter than the limit is complete, unless the fetch was cut off.
        if !truncated && (bytes.len() as u64) < max {
            self.file.set_total(bytes.len() as u64);
        }
        self.file.insert_range(0, &bytes);
        self.asked_before.push(asked);
    }
}

/// Identifies a body that is already in memory. Returns `None` if it is not a known data file.
/// `url` is the URL that responded.
pub fn read_whole(url: &Url, head: &ResponseHead, body: &[u8]) -> Option<Finding> {
    let examine = |file: &SparseFile| {
        examine::examine_bytes(&FileView { url, file, sibling: None, ranges_fail: true }).finding
    };
    if archive::is_zip(body) {
        let finding = examine(&SparseFile::from_bytes(body.to_vec()));
        return (!finding.resources.is_empty()).then_some(finding);
    }
    let longer = head.total_length.filter(|total| *total > body.len() as u64);
    if !matches!(sniff_type(body, None), SniffedType::Data | SniffedType::ShpHeader) {
        return text::read_whole(url, body, longer.is_none());
    }
    let mut file = SparseFile::from_bytes(body.to_vec());
    if let Some(total) = longer {
        file.set_total(total);
    }
    let finding = examine(&file);
    (!finding.resources.is_empty() || finding.document.is_some()).then_some(finding)
}

fn ask(url: &Url, want: &FileRequest) -> ProbeRequest {
    let (url, range) = match want {
        FileRequest::Span(from, to) => (url.clone(), Some(ByteRange::Span { from: *from, to: *to })),
        FileRequest::Tail(n) => (url.clone(), Some(ByteRange::Suffix(*n))),
        FileRequest::Whole(_) | FileRequest::Document(_) => (url.clone(), None),
        FileRequest::Sibling(sibling) => (sibling.clone(), None),
    };
    ProbeRequest { range, ..ProbeRequest::get(url, ACCEPT, want.max_bytes()) }
}

impl FileRequest {
    /// Returns the maximum number of bytes to read. A range that the server ignores may cost
    /// slightly more.
    fn max_bytes(&self) -> u64 {
        match self {
            Self::Span(0, _) => IGNORED_RANGE_LEN,
            Self::Span(from, to) => to - from + 1,
            Self::Tail(n) => *n,
            Self::Whole(max) | Self::Document(max) => *max,
            Self::Sibling(_) => MAX_PRJ,
        }
    }
}

fn bytes_of(body: ResponseBody<'_>, max: u64) -> Vec<u8> {
    match body {
        ResponseBody::Whole(bytes) => bytes[..bytes.len().min(max as usize)].to_vec(),
        ResponseBody::Stream(stream) => {
            let mut bytes = Vec::new();
            // After a read error, the bytes received so far are still used.
            let _ = stream.take(max).read_to_end(&mut bytes);
            bytes
        }
    }
}

fn text_of(body: ResponseBody<'_>, max: u64) -> String {
    String::from_utf8_lossy(&bytes_of(body, max)).into_owned()
}

/// Returns whether a storage service signed this URL for a few minutes: it does not identify the
/// file.
fn is_signed(url: &Url) -> bool {
    const MARKS: &[&str] = &[
        "x-amz-signature",
        "x-goog-signature",
        "x-oss-signature",
        "awsaccesskeyid",
        "signature",
        "sig",
        "key-pair-id",
    ];
    url.query_pairs().any(|(name, _)| MARKS.contains(&name.to_ascii_lowercase().as_str()))
}

/// Returns the finding for a first request that failed.
fn failure(status: u16) -> Finding {
    let verdict = if matches!(status, 401 | 407) { ResponseClass::Login } else { ResponseClass::Nothing };
    Finding { verdict, ..Finding::default() }
}
