//! KMZ: a KML document and its images in one ZIP archive.
//!
//! - **Specification**: OGC KML 2.2 (07-147r2), annex C: the main file should be `doc.kml` at the
//!   root; in practice it is any `.kml`, in any folder.
//! - **Recognised by**: a ZIP archive with a `.kml` entry whose root is KML.
//! - **False positives**: all other ZIP-based formats (Office documents, Java archives, timetables,
//!   ...), even if they contain a `.kml` somewhere.

use super::shapefile::ShapefileKind;
use super::{CorpusLabel, DescriptionFormat, Kind, KindProfile, MapRenderer, MetadataDepth, kml};
use crate::files::{ArchiveView, FileExamination};
use crate::formats::zip::{self, ZipEntry};
use crate::probe::{CrawlTarget, Found};
use geotrawl_model::Issue;
use std::io::Read;
use url::Url;

/// The `kmz` kind.
pub struct KmzKind;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "KMZ",
    what: "A KML document and its images in one ZIP archive.",
    specification: "https://www.ogc.org/standards/kml/",
    evidence: "A ZIP archive with a .kml entry whose root is KML.",
    false_positives: "All other ZIP-based formats, even if they contain a .kml somewhere.",
    description: DescriptionFormat::Types(&["application/vnd.google-earth.kmz"]),
    media_types: &["application/vnd.google-earth.kmz"],
    extensions: &["kmz"],
    protocol: Some("WWW:DOWNLOAD-KMZ"),
    fixed_crs: true,
    metadata: MetadataDepth::Terse,
    corpus_labels: &[CorpusLabel::plain("kmz")],
    drawer: Some(MapRenderer::Files),
    terria_type: Some("kml"),
    ..KindProfile::FILE
};

impl Kind for KmzKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn archive_extensions(&self) -> &'static [&'static str] {
        &[".kml"]
    }

    fn examine_archive(&self, archive: &ArchiveView<'_>) -> Option<FileExamination> {
        let main = main_document(archive.entries)?;
        // Beside a shapefile, a KML file contains the same data once more.
        if ShapefileKind.examine_archive(archive).is_some() {
            return None;
        }
        let mut examined = FileExamination::unrecognised();
        if !main.is_readable() {
            examined.add_issue(unread_issue(main));
            return Some(examined);
        }
        let content = zip::open_entry(archive.file, main);
        let at_hand = content.as_ref().is_some_and(|content| content.whole);
        if let Some(content) = content {
            let whole = at_hand && main.uncompressed <= MAX_DOCUMENT;
            if let Some(document) = kml::read_kml(content.take(MAX_DOCUMENT), whole) {
                let (found, targets) = resource(archive.url, document, main, archive.entries);
                examined.finding = kml::build_finding(found, targets);
            }
        }
        if !at_hand {
            examined.wants = archive.missing_requests(&[main.byte_range(KML_START)]);
        }
        Some(examined)
    }
}

/// Kind id.
const ID: &str = "kmz";
/// Registered media type of KMZ.
const MEDIA_TYPE: &str = "application/vnd.google-earth.kmz";
/// Maximum number of bytes decompressed of the document, which is read as a stream.
const MAX_DOCUMENT: u64 = 4 * 1024 * 1024;
/// Number of compressed bytes fetched of the document.
const KML_START: u64 = 64 * 1024;

/// Returns the entry of the main document: `doc.kml` in the outermost folder that has one, or else
/// the first `.kml` in the outermost folder.
pub fn main_document(entries: &[ZipEntry]) -> Option<&ZipEntry> {
    entries.iter().filter(|e| is_kml(e)).min_by_key(|e| {
        let is_doc = e.file_name().eq_ignore_ascii_case("doc.kml");
        (e.name.matches('/').count(), !is_doc)
    })
}

fn is_kml(entry: &ZipEntry) -> bool {
    let name = entry.file_name();
    let long = name.len() > ".kml".len();
    long && entry.has_extension(".kml") && !entry.is_resource_fork()
}

/// Builds the resource of an archive whose main document is `document`.
fn resource(
    url: &Url,
    document: kml::KmlDocument,
    main: &ZipEntry,
    entries: &[ZipEntry],
) -> (Found, Vec<CrawlTarget>) {
    // Links are relative to the main document; those into the archive need no request.
    let folder = main.name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let holds = |address: &str| {
        let path = address.split(['#', '?']).next().unwrap_or_default().trim_start_matches("./");
        entries.iter().any(|e| {
            e.name == path
                || (!folder.is_empty()
                    && e.name.strip_prefix(folder).and_then(|n| n.strip_prefix('/')) == Some(path))
        })
    };
    let (mut found, targets) = kml::build_resource(url, document, holds);
    ID.clone_into(&mut found.resource.kind);
    found.resource.formats = vec![MEDIA_TYPE.into()];
    found.evidence.rule = format!("ZIP with {}: {}", main.name, found.evidence.rule);
    (found, targets)
}

/// Returns the issue for a `.kml` entry that could not be opened: encrypted, or compressed in an
/// unknown way.
fn unread_issue(main: &ZipEntry) -> Issue {
    let why = if main.encrypted { "is encrypted" } else { "could not be decompressed" };
    Issue::new("entry-unreadable", format!("{} {why}", main.name))
}
