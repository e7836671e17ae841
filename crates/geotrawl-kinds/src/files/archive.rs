//! ZIP archives: reads the directory first, then the few bytes that identify the entries.

use super::examine::{FileExamination, FileRequest};
use super::{MAX_WHOLE, SparseFile};
use crate::formats::zip::{self, CentralDirectory, ZipEntry};
use crate::kinds::KINDS;
use geotrawl_model::Issue;
use url::Url;

/// Archives up to this size are fetched with one more request rather than in pieces.
const SMALL: u64 = 192 * 1024;
/// Directories larger than this are read in part.
const MAX_DIRECTORY: u64 = 4 * 1024 * 1024;
/// Number of bytes read of an oversized directory.
const DIRECTORY_PART: u64 = 256 * 1024;
/// Gaps between ranges up to this size are fetched too: cheaper than another request.
const SMALL_GAP: u64 = 16 * 1024;

/// An archive with its entries, as far as its bytes are available.
#[derive(Debug, Clone, Copy)]
pub struct ArchiveView<'a> {
    /// URL of the archive.
    pub url: &'a Url,
    pub file: &'a SparseFile,
    pub entries: &'a [ZipEntry],
    /// Size of the archive; `u64::MAX` if unknown.
    total: u64,
}

impl ArchiveView<'_> {
    /// Returns requests for the missing bytes of `spans`, merging ranges that are close together.
    pub fn missing_requests(&self, spans: &[(u64, u64)]) -> Vec<FileRequest> {
        let mut missing: Vec<(u64, u64)> = spans
            .iter()
            .filter(|(from, _)| *from < self.total)
            .filter_map(|(from, to)| self.file.missing_range(*from, (*to).min(self.total - 1)))
            .collect();
        missing.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::new();
        for (from, to) in missing {
            match joined.last_mut() {
                Some(last) if from <= last.1.saturating_add(SMALL_GAP) => last.1 = last.1.max(to),
                _ => joined.push((from, to)),
            }
        }
        joined.into_iter().map(|(from, to)| FileRequest::Span(from, to)).collect()
    }
}

/// Returns whether the bytes start a non-empty ZIP archive.
pub(super) fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK00PK\x03\x04")
}

/// Examines a ZIP archive.
pub(super) fn examine_zip(url: &Url, file: &SparseFile, ranges_fail: bool) -> FileExamination {
    if ranges_fail && !file.is_complete() {
        return from_start(url, file);
    }
    let Some(total) = file.total() else {
        return from_start(url, file).with_requests(vec![FileRequest::Tail(zip::TAIL_LEN)]);
    };
    if total <= SMALL
        && let Some((from, to)) = file.missing_range(0, total - 1)
    {
        return from_start(url, file).with_requests(vec![FileRequest::Span(from, to)]);
    }
    if let Some((from, to)) = file.missing_range(total.saturating_sub(zip::TAIL_LEN), total - 1) {
        return from_start(url, file).with_requests(vec![FileRequest::Span(from, to)]);
    }
    let directory = zip::read_directory(file);
    let mut examined = match &directory.problem {
        Some(_) if directory.entries.is_empty() => from_start(url, file),
        _ => examine_entries(&ArchiveView { url, file, entries: &directory.entries, total }),
    };
    if let Some(issue) = directory_issue(&directory) {
        examined.add_issue(issue);
    }
    if let (Some(missing), Some((first, last))) = (directory.missing, directory.span) {
        let (from, to) =
            if last - first < MAX_DIRECTORY { missing } else { (first, first + DIRECTORY_PART - 1) };
        if !file.has_range(from, to) {
            // The directory comes first: requests of the entries are pointless before all of them
            // are known.
            examined.wants = vec![FileRequest::Span(from, to)];
        }
    }
    examined
}

fn directory_issue(directory: &CentralDirectory) -> Option<Issue> {
    match (&directory.problem, directory.missing) {
        (Some(problem), _) => Some(Issue::new("zip-damaged", problem.clone())),
        (None, Some(_)) => Some(Issue::new("read-partly", "only part of the archive's directory was read")),
        (None, None) => None,
    }
}

/// Examines an archive by the local headers at its start, the only part available without range
/// support.
fn from_start(url: &Url, file: &SparseFile) -> FileExamination {
    let entries = zip::walk_local_headers(file);
    if is_other_package(&entries) {
        return FileExamination::unrecognised();
    }
    let total = file.total().unwrap_or(u64::MAX);
    let mut examined = examine_entries(&ArchiveView { url, file, entries: &entries, total });
    let promising = !examined.finding.resources.is_empty() || entries.iter().any(is_part);
    examined.wants = match file.total() {
        Some(_) if file.is_complete() => Vec::new(),
        Some(total) if total <= MAX_WHOLE => vec![FileRequest::Whole(MAX_WHOLE)],
        // Archives generated on the fly have no size; fetched only if an entry name looks
        // promising.
        None if promising => vec![FileRequest::Whole(MAX_WHOLE)],
        _ => Vec::new(),
    };
    examined.add_issue(Issue::new("read-partly", "only the start of the archive could be read"));
    examined
}

/// Returns whether the name of an entry is typical of some kind of archive.
fn is_part(entry: &ZipEntry) -> bool {
    KINDS.iter().flat_map(|kind| kind.archive_extensions()).any(|extension| entry.has_extension(extension))
}

/// Examines a list of entries with each kind.
fn examine_entries(archive: &ArchiveView<'_>) -> FileExamination {
    if is_other_package(archive.entries) {
        return FileExamination::unrecognised();
    }
    KINDS.iter().find_map(|kind| kind.examine_archive(archive)).unwrap_or_else(FileExamination::unrecognised)
}

/// Returns whether the archive is a package of another type (office document, Java archive, e-book,
/// app, Python wheel), whatever else it contains.
fn is_other_package(entries: &[ZipEntry]) -> bool {
    entries.iter().enumerate().any(|(i, e)| {
        matches!(
            e.name.as_str(),
            "[Content_Types].xml" | "META-INF/MANIFEST.MF" | "META-INF/container.xml" | "AndroidManifest.xml"
        ) || (i == 0 && e.name == "mimetype")
            || e.has_extension(".dist-info/METADATA")
    })
}
