//! What the bytes at hand say, and which bytes would say more.

use super::{HEAD_LEN, MAX_WHOLE, SparseFile, archive, database, text};
use crate::kinds::KINDS;
use crate::probe::Finding;
use url::Url;

/// The first four bytes of an HDF4 file.
const HDF4: &[u8] = b"\x0e\x03\x13\x01";

/// Bytes that would tell more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileRequest {
    /// First and last byte.
    Span(u64, u64),
    /// The last bytes of a file of unknown size.
    Tail(u64),
    /// The file from its start, without a range, up to a size.
    Whole(u64),
    /// A text document, which may come compressed, up to a size.
    Document(u64),
    /// Another file.
    Sibling(Url),
}

/// A data file as far as its bytes are at hand.
#[derive(Debug, Clone, Copy)]
pub struct FileView<'a> {
    /// The file's address.
    pub url: &'a Url,
    pub file: &'a SparseFile,
    /// Text of the file beside it that was wanted by [`Want::Sibling`].
    pub sibling: Option<&'a str>,
    /// Wishes for ranges will not be met.
    pub ranges_fail: bool,
}

/// What is known so far.
#[derive(Debug)]
pub struct FileExamination {
    /// In the order of their worth.
    pub wants: Vec<FileRequest>,
    /// The best that can be said with the bytes at hand.
    pub finding: Finding,
}

/// Says what the file is as far as its bytes tell.
pub(super) fn examine_bytes(view: &FileView<'_>) -> FileExamination {
    let FileView { url, file, ranges_fail, .. } = *view;
    let head = file.head();
    if head.is_empty() {
        // Not even the start came: without a range it may.
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

/// Where ranges are not served, a small file is fetched whole, and of a large one its start is all we see.
fn without_ranges(examined: &mut FileExamination, file: &SparseFile) {
    let wants_range =
        examined.wants.iter().any(|want| matches!(want, FileRequest::Span(..) | FileRequest::Tail(_)));
    examined.wants.retain(|want| !matches!(want, FileRequest::Span(..) | FileRequest::Tail(_)));
    if wants_range && !file.is_complete() && file.total().is_none_or(|total| total <= MAX_WHOLE) {
        examined.wants.insert(0, FileRequest::Whole(MAX_WHOLE));
    }
}
