//! What the bytes at hand say, and which bytes would say more.

use super::{HEAD_LEN, MAX_DOCUMENT, MAX_WHOLE, SparseFile, text};
use crate::formats::shp::{self, ShpHeader};
use crate::formats::zip::{self, Directory, Entry};
use crate::kinds::shapefile::{Details, Stem};
use crate::kinds::{KINDS, filegdb, kml, kmz, shapefile};
use crate::model::Issue;
use crate::probe::{Finding, Verdict};
use std::io::Read;
use url::Url;

/// Archives up to this size are fetched in one more request rather than in pieces.
const SMALL: u64 = 192 * 1024;
/// Directories beyond this size are read in part.
const MAX_DIRECTORY: u64 = 4 * 1024 * 1024;
/// How much of an oversized directory is read.
const DIRECTORY_PART: u64 = 256 * 1024;
/// Stems whose header and coordinate system are fetched.
const DETAILED_STEMS: usize = 4;
/// A gap this small between two wanted ranges is fetched along: cheaper than one more request.
const SMALL_GAP: u64 = 16 * 1024;
/// Compressed bytes that surely hold the first 100 of a `.shp`: the tables of a deflate block take at most
/// 560 bytes, and a hundred symbols 190.
const SHP_START: u64 = 1024;
/// Compressed bytes fetched of a KMZ's document.
const KML_START: u64 = 64 * 1024;
/// Longest `.prj` that is read.
const MAX_PRJ: u64 = 16 * 1024;

/// The first four bytes of an HDF4 file.
const HDF4: &[u8] = b"\x0e\x03\x13\x01";

/// Bytes that would tell more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Want {
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
pub struct Examined {
    /// In the order of their worth.
    pub wants: Vec<Want>,
    /// The best that can be said with the bytes at hand.
    pub finding: Finding,
}

/// Says what the file is as far as its bytes tell.
pub(super) fn examine(url: &Url, file: &SparseFile, prj: Option<&str>, ranges_fail: bool) -> Examined {
    let head = file.head();
    let view = FileView { url, file, sibling: prj, ranges_fail };
    if head.is_empty() {
        // Not even the start came: without a range it may.
        let wants = if ranges_fail { vec![Want::Whole(4 * HEAD_LEN)] } else { Vec::new() };
        return Examined { wants, ..Examined::nothing() };
    }
    if is_zip(head) {
        return archive(url, file, ranges_fail);
    }
    if let Some(header) = bare_shapefile(head) {
        let found = shapefile::bare(url, header, prj.map(str::to_owned));
        let finding = Finding { resources: vec![found], verdict: Verdict::Resource, ..Finding::default() };
        let wants = if prj.is_none() { prj_beside(url).map(Want::Sibling) } else { None };
        return Examined { wants: wants.into_iter().collect(), finding };
    }
    if kml::may_be(head)
        && let Some(document) = kml::read(head, file.is_complete())
    {
        let wants = if file.is_complete() { Vec::new() } else { vec![Want::Document(MAX_DOCUMENT)] };
        return Examined { wants, finding: kml_finding(url, document) };
    }
    if head.starts_with(HDF4) {
        return Examined::document("hdf4");
    }
    let by_bytes = KINDS.iter().find_map(|kind| kind.examine(&view));
    let mut examined = by_bytes
        .or_else(|| text::examine(url, head, file.is_complete(), file.total()))
        .unwrap_or_else(Examined::nothing);
    if ranges_fail {
        without_ranges(&mut examined, file);
    }
    examined
}

/// Where ranges are not served, a small file is fetched whole, and of a large one its start is all we see.
fn without_ranges(examined: &mut Examined, file: &SparseFile) {
    let wants_range = examined.wants.iter().any(|want| matches!(want, Want::Span(..) | Want::Tail(_)));
    examined.wants.retain(|want| !matches!(want, Want::Span(..) | Want::Tail(_)));
    if wants_range && !file.is_complete() && file.total().is_none_or(|total| total <= MAX_WHOLE) {
        examined.wants.insert(0, Want::Whole(MAX_WHOLE));
    }
}

/// Whether the bytes start a ZIP archive with something in it.
pub(super) fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK00PK\x03\x04")
}

/// The header, when the bytes start a `.shp`.
pub(super) fn bare_shapefile(head: &[u8]) -> Option<ShpHeader> {
    shp::is_main_file(head).then(|| ShpHeader::read(head)).flatten()
}

/// The finding for a KML document.
pub(super) fn kml_finding(url: &Url, document: kml::Document) -> Finding {
    let (found, targets) = kml::resource(url, document, |_| false);
    Finding { resources: vec![found], targets, verdict: Verdict::Resource, ..Finding::default() }
}

/// `roads.shp` has its coordinate system in `roads.prj`.
fn prj_beside(url: &Url) -> Option<Url> {
    let path = url.path();
    let stem = path.get(..path.len().checked_sub(4)?)?;
    let extension = match path.get(stem.len()..)? {
        ".shp" => ".prj",
        ".SHP" => ".PRJ",
        _ => return None,
    };
    let mut sibling = url.clone();
    sibling.set_path(&format!("{stem}{extension}"));
    Some(sibling)
}

/// A ZIP archive: the directory first, then the few bytes that tell what its entries are.
fn archive(url: &Url, file: &SparseFile, ranges_fail: bool) -> Examined {
    if ranges_fail && !file.is_complete() {
        return archive_from_start(url, file);
    }
    let Some(total) = file.total() else {
        return Examined { wants: vec![Want::Tail(zip::TAIL_LEN)], ..archive_from_start(url, file) };
    };
    if total <= SMALL
        && let Some((from, to)) = file.missing(0, total - 1)
    {
        return Examined { wants: vec![Want::Span(from, to)], ..archive_from_start(url, file) };
    }
    if let Some((from, to)) = file.missing(total.saturating_sub(zip::TAIL_LEN), total - 1) {
        return Examined { wants: vec![Want::Span(from, to)], ..archive_from_start(url, file) };
    }
    let directory = zip::read_directory(file);
    let mut examined = match &directory.problem {
        Some(_) if directory.entries.is_empty() => archive_from_start(url, file),
        _ => of_entries(url, file, &directory.entries, total),
    };
    if let Some(issue) = directory_issue(&directory) {
        add_issue(&mut examined.finding, issue);
    }
    if let (Some(missing), Some((first, last))) = (directory.missing, directory.span) {
        let (from, to) =
            if last - first < MAX_DIRECTORY { missing } else { (first, first + DIRECTORY_PART - 1) };
        if !file.has(from, to) {
            // Nothing of what the entries want is worth a request before they are known.
            examined.wants = vec![Want::Span(from, to)];
        }
    }
    examined
}

fn directory_issue(directory: &Directory) -> Option<Issue> {
    match (&directory.problem, directory.missing) {
        (Some(problem), _) => Some(Issue::new("zip-damaged", problem.clone())),
        (None, Some(_)) => Some(Issue::new("read-partly", "the archive's directory was read in part")),
        (None, None) => None,
    }
}

fn add_issue(finding: &mut Finding, issue: Issue) {
    match finding.resources.first_mut() {
        Some(found) => found.resource.issues.push(issue),
        None => finding.issues.push(issue),
    }
}

/// All that a server without ranges shows is the start; its local headers name the first entries.
fn archive_from_start(url: &Url, file: &SparseFile) -> Examined {
    let entries = zip::walk_local_headers(file);
    if kmz::is_other_package(&entries) {
        return Examined::nothing();
    }
    let mut examined = of_entries(url, file, &entries, file.total().unwrap_or(u64::MAX));
    let promising = !examined.finding.resources.is_empty() || entries.iter().any(is_part);
    examined.wants = match file.total() {
        Some(_) if file.is_complete() => Vec::new(),
        Some(total) if total <= MAX_WHOLE => vec![Want::Whole(MAX_WHOLE)],
        // Archives made while they are sent tell no size: worth a try when their names promise something.
        None if promising => vec![Want::Whole(MAX_WHOLE)],
        _ => Vec::new(),
    };
    let issue = Issue::new("read-partly", "only the start of the archive could be read");
    add_issue(&mut examined.finding, issue);
    examined
}

fn is_part(entry: &Entry) -> bool {
    [".shp", ".shx", ".dbf", ".prj", ".cpg", ".kml", ".gdbtable"]
        .iter()
        .any(|e| kmz::has_extension(&entry.name, e))
}

/// What a list of entries amounts to.
fn of_entries(url: &Url, file: &SparseFile, entries: &[Entry], total: u64) -> Examined {
    if kmz::is_other_package(entries) {
        return Examined::nothing();
    }
    let databases = filegdb::databases(entries);
    if !databases.is_empty() {
        return Examined::found(filegdb::found(url, &databases), "filegdb");
    }
    let stems = shapefile::stems(entries);
    if !stems.is_empty() {
        let examined = shapefiles(url, file, entries, &stems, total);
        if !examined.finding.resources.is_empty() || !examined.wants.is_empty() {
            return examined;
        }
    }
    match kmz::main_document(entries) {
        Some(main) => kmz_archive(url, file, entries, main, total),
        None => Examined::nothing(),
    }
}

fn shapefiles(url: &Url, file: &SparseFile, entries: &[Entry], stems: &[Stem], total: u64) -> Examined {
    let mut spans = Vec::new();
    let mut details = Vec::new();
    for stem in stems {
        let detailed = details.len() < DETAILED_STEMS;
        let mut detail = Details::default();
        if let Some(entry) = entries.get(stem.shp).filter(|e| e.is_readable()) {
            let start = zip::content_prefix(file, entry, shp::HEADER_LEN);
            match start.as_deref() {
                Some(start) if start.len() == shp::HEADER_LEN => {
                    detail.header = ShpHeader::read(start);
                    detail.impostor = detail.header.is_none();
                }
                _ if entry.uncompressed < shp::HEADER_LEN as u64 => detail.impostor = true,
                _ if detailed => spans.push(entry.span(SHP_START)),
                _ => {}
            }
        }
        if let Some(entry) = stem.prj.and_then(|i| entries.get(i)).filter(|e| e.is_readable()) {
            match zip::content_prefix(file, entry, MAX_PRJ as usize) {
                Some(text) if text.len() as u64 >= entry.uncompressed.min(MAX_PRJ) => {
                    detail.prj = Some(String::from_utf8_lossy(&text).into_owned());
                }
                _ if detailed && !detail.impostor => spans.push(entry.span(MAX_PRJ)),
                _ => {}
            }
        }
        details.push(detail);
    }
    let mut finding = Finding { verdict: Verdict::Nothing, ..Finding::default() };
    if let Some(mut found) = shapefile::archive(url, stems, &details) {
        if entries.iter().any(|e| e.encrypted) {
            let issue = Issue::new("entry-unreadable", "the archive is encrypted");
            found.resource.issues.push(issue);
        }
        finding.resources.push(found);
        finding.verdict = Verdict::Resource;
    }
    Examined { wants: coalesce(file, spans, total), finding }
}

fn kmz_archive(url: &Url, file: &SparseFile, entries: &[Entry], main: &Entry, total: u64) -> Examined {
    let mut examined = Examined::nothing();
    if !main.is_readable() {
        examined.finding.issues.push(kmz::unread_issue(main));
        return examined;
    }
    let content = zip::open(file, main);
    let at_hand = content.as_ref().is_some_and(|content| content.whole);
    if let Some(content) = content {
        let whole = at_hand && main.uncompressed <= kmz::MAX_DOCUMENT;
        if let Some(document) = kml::read(content.take(kmz::MAX_DOCUMENT), whole) {
            let (found, targets) = kmz::resource(url, document, main, entries);
            examined.finding =
                Finding { resources: vec![found], targets, verdict: Verdict::Resource, ..Finding::default() };
        }
    }
    if !at_hand {
        examined.wants = coalesce(file, vec![main.span(KML_START)], total);
    }
    examined
}

/// Turns wishes into as few requests as are worth it: without what is at hand, neighbours joined.
fn coalesce(file: &SparseFile, spans: Vec<(u64, u64)>, total: u64) -> Vec<Want> {
    let mut spans: Vec<(u64, u64)> = spans
        .into_iter()
        .filter(|(from, _)| *from < total)
        .filter_map(|(from, to)| file.missing(from, to.min(total - 1)))
        .collect();
    spans.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (from, to) in spans {
        match joined.last_mut() {
            Some(last) if from <= last.1.saturating_add(SMALL_GAP) => last.1 = last.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    joined.into_iter().map(|(from, to)| Want::Span(from, to)).collect()
}
