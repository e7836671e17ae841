//! KMZ: a KML document and its images in one ZIP archive.
//!
//! - **Specification**: OGC KML 2.2 (07-147r2), annex C: the main file should be `doc.kml` at the root; in
//!   the wild it is any `.kml`, in any folder.
//! - **Recognised by**: a ZIP archive with a `.kml` entry whose root is KML.
//! - **Impostors**: every other ZIP-based format (Office documents, Java archives, timetables, ...), also
//!   when a `.kml` lies somewhere in them: see [`is_other_package`].

use super::{Kind, KindDoc, kml};
use crate::formats::zip::Entry;
use crate::model::Issue;
use crate::probe::{Found, Target};
use url::Url;

/// The kind.
pub struct Kmz;

static DOC: KindDoc = KindDoc {
    id: ID,
    name: "KMZ",
    what: "A KML document and its images in one ZIP archive.",
    specification: "https://www.ogc.org/standards/kml/",
    evidence: "A ZIP archive with a .kml entry whose root is KML, by ranges.",
    impostors: "Every other ZIP-based format, also when a .kml lies somewhere in it.",
};

/// Recognised by its bytes, not by an XML root alone: see [`crate::files`].
impl Kind for Kmz {
    fn doc(&self) -> &'static KindDoc {
        &DOC
    }
}

/// Kind id.
pub const ID: &str = "kmz";
/// The media type KMZ is registered with.
pub const MEDIA_TYPE: &str = "application/vnd.google-earth.kmz";
/// How much of the document is unpacked; it is read as it comes, never held.
pub const MAX_DOCUMENT: u64 = 4 * 1024 * 1024;

/// The entry that is the main document: `doc.kml` of the outermost folder that has one, else the first
/// `.kml` of the outermost folder.
pub fn main_document(entries: &[Entry]) -> Option<&Entry> {
    entries.iter().filter(|e| is_kml(e)).min_by_key(|e| {
        let is_doc = e.file_name().eq_ignore_ascii_case("doc.kml");
        (e.name.matches('/').count(), !is_doc)
    })
}

fn is_kml(entry: &Entry) -> bool {
    let name = entry.file_name();
    let long = name.len() > ".kml".len();
    long && has_extension(name, ".kml") && !is_resource_fork(&entry.name)
}

/// Whether `name` ends in `extension`, in any case.
pub(crate) fn has_extension(name: &str, extension: &str) -> bool {
    name.len()
        .checked_sub(extension.len())
        .and_then(|at| name.get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case(extension))
}

/// The shadow files that macOS adds for every file.
pub(crate) fn is_resource_fork(name: &str) -> bool {
    name.split('/').any(|part| part == "__MACOSX" || part.starts_with("._"))
}

/// Whether the archive is a package of another kind, whatever else lies in it.
pub fn is_other_package(entries: &[Entry]) -> bool {
    entries.iter().enumerate().any(|(i, e)| {
        matches!(
            e.name.as_str(),
            "[Content_Types].xml" | "META-INF/MANIFEST.MF" | "META-INF/container.xml" | "AndroidManifest.xml"
        ) || (i == 0 && e.name == "mimetype")
            || has_extension(&e.name, ".dist-info/METADATA")
    })
}

/// The record of an archive whose main document is `document`.
pub fn resource(url: &Url, document: kml::Document, main: &Entry, entries: &[Entry]) -> (Found, Vec<Target>) {
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
    let (mut found, targets) = kml::resource(url, document, holds);
    ID.clone_into(&mut found.resource.kind);
    found.resource.formats = vec![MEDIA_TYPE.into()];
    found.rule = format!("ZIP with {}: {}", main.name, found.rule);
    (found, targets)
}

/// The record of an archive whose `.kml` could not be opened: encrypted, or packed in an unknown way.
pub fn unread_issue(main: &Entry) -> Issue {
    let why = if main.encrypted { "is encrypted" } else { "could not be unpacked" };
    Issue::new("entry-unreadable", format!("{} {why}", main.name))
}
