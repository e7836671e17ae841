//! Identifies a file from the bytes available, and determines which other bytes are needed.

use super::{HEAD_LEN, MAX_WHOLE, SparseFile, archive, database, text};
use crate::kinds::KINDS;
use crate::probe::Finding;
use url::Url;

/// Signature of HDF4 files.
const HDF4: &[u8] = b"\x0e\x03\x13\x01";

/// A request for more of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileRequest {
    /// First and last byte, inclusive.
    Span(u64, u64),
    /// The last bytes of a file of unknown size.
    Tail(u64),
    /// The file from its start, without a range, up to this many bytes.
    Whole(u64),
    /// A text document, possibly compressed, up to this many bytes.
    Document(u64),
    /// Another file beside this one.
    Sibling(Url),
}

/// A data file, as far as its bytes are available.
#[derive(Debug, Clone, Copy)]
pub struct FileView<'a> {
    /// URL of the file.
    pub url: &'a Url,
    pub file: &'a SparseFile,
    /// Text of the neighbouring file requested with [`FileRequest::Sibling`].
    pub sibling: Option<&'a str>,
    /// Range requests will not succeed.
    pub ranges_fail: bool,
}

/// Result of examining a file so far.
#[derive(Debug)]
pub struct FileExamination {
    /// Further requests, most useful first.
    pub wants: Vec<FileRequest>,
    /// Best finding possible with the bytes available.
    pub finding: Finding,
}

/// Identifies a file from the bytes available.
pub(super) fn examine_bytes(view: &FileView<'_>) -> FileExamination {
    let FileView { url, file, ranges_fail, .. } = *view;
    let head = file.head();
    if head.is_empty() {
        // The range request returned nothing; a request without a range may still succeed.
        let wants = if ranges_fail { vec![FileRequest::Whole(4 * HEAD_LEN)] } else { Vec::new() };
        return FileExamination::unrecognised().with_requests(wants);
    }
    if archive::is_zip(head) {
        return archive::examine_zip(url, file, ranges_fail);
    }
    let mut examined = KINDS
        .iter()
        .find_map(|kind| kind.examine_file(view))
        .or_else(|| head.starts_with(HDF4).then(|| FileExamination::known_document("hdf4")))
        .or_else(|| database::examine_sqlite(view, |_, _| Some(FileExamination::known_document("sqlite"))))
        .or_else(|| text::examine_text(url, head, file.is_complete(), file.total()))
        .unwrap_or_else(FileExamination::unrecognised);
    if ranges_fail {
        without_ranges(&mut examined, file);
    }
    examined
}

/// Replaces range requests if the server does not support them: fetches small files whole, and
/// drops the requests for large ones.
fn without_ranges(examined: &mut FileExamination, file: &SparseFile) {
    let wants_range =
        examined.wants.iter().any(|want| matches!(want, FileRequest::Span(..) | FileRequest::Tail(_)));
    examined.wants.retain(|want| !matches!(want, FileRequest::Span(..) | FileRequest::Tail(_)));
    if wants_range && !file.is_complete() && file.total().is_none_or(|total| total <= MAX_WHOLE) {
        examined.wants.insert(0, FileRequest::Whole(MAX_WHOLE));
    }
}
