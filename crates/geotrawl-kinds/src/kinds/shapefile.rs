//! ESRI Shapefile: one layer of points, lines or areas in several files, usually zipped together.
//!
//! - **Specification**: ESRI Shapefile Technical Description, July 1998.
//! - **Recognised by**: in a ZIP archive, files that share a name and end in `.shp`, `.shx` and
//!   `.dbf`, confirmed by the header of the `.shp` if it is read. A bare `.shp` is recognised by
//!   its header.
//! - **Dataset**: each such name is a dataset; an archive is one resource, however many datasets it
//!   contains.
//! - **Extent**: from the header, in the coordinate system of the `.prj` beside it.
//! - **False positives**: `.shx` has the same header; other programs also use `.shp`.

use super::{CorpusLabel, DescriptionFormat, Kind, KindProfile};
use crate::files::{ArchiveView, FileExamination, FileRequest, FileView};
use crate::formats::crs::{self, CrsRef};
use crate::formats::shp::{self, ShpHeader};
use crate::formats::zip::{self, ZipEntry};
use crate::probe::{Finding, Found, ResponseClass};
use geotrawl_model::{Bbox, Dataset, Issue, Resource, SharedText};
use std::collections::HashMap;
use url::Url;

/// The `shapefile` kind.
pub struct ShapefileKind;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ESRI Shapefile",
    what: "Layers of points, lines or areas in several files each, usually zipped together. Each name is a dataset; an archive is one resource.",
    specification: "https://www.esri.com/content/dam/esrisites/sitecore-archive/Files/Pdfs/library/whitepapers/pdfs/shapefile.pdf",
    evidence: "In a ZIP archive, files that share a name and end in .shp, .shx and .dbf; a bare .shp by its header.",
    false_positives: "The .shx has the same header; other programs also use .shp.",
    description: DescriptionFormat::Types(&[
        "application/zip",
        "application/x-zip-compressed",
        "application/octet-stream",
        "application/vnd.shp",
        "x-gis/x-shapefile",
    ]),
    extensions: &["shp", "shz", "zip"],
    protocol: Some("WWW:DOWNLOAD-Shapefile"),
    corpus_labels: &[CorpusLabel::plain("shapefile-shp"), CorpusLabel::plain("shapefile-zip")],
    terria_type: Some("shp"),
    ..KindProfile::FILE
};

impl Kind for ShapefileKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn examine_file(&self, view: &FileView<'_>) -> Option<FileExamination> {
        let head = view.file.head();
        let header = shp::is_main_file(head).then(|| ShpHeader::parse(head)).flatten()?;
        let found = bare(view.url, header, view.sibling.map(str::to_owned));
        let finding =
            Finding { resources: vec![found], verdict: ResponseClass::Resource, ..Finding::default() };
        let sibling = if view.sibling.is_none() { prj_beside(view.url) } else { None };
        Some(FileExamination { wants: sibling.map(FileRequest::Sibling).into_iter().collect(), finding })
    }

    fn archive_extensions(&self) -> &'static [&'static str] {
        &[".shp", ".shx", ".dbf", ".prj", ".cpg"]
    }

    fn examine_archive(&self, archive: &ArchiveView<'_>) -> Option<FileExamination> {
        let stems = find_shapefiles(archive.entries);
        if stems.is_empty() {
            return None;
        }
        let (details, spans) = details(archive, &stems);
        let mut finding = Finding { verdict: ResponseClass::Nothing, ..Finding::default() };
        if let Some(mut found) = archive_found(archive.url, &stems, &details) {
            if archive.entries.iter().any(|entry| entry.encrypted) {
                let issue = Issue::new("entry-unreadable", "the archive is encrypted");
                found.resource.issues.push(issue);
            }
            finding.resources.push(found);
            finding.verdict = ResponseClass::Resource;
        }
        let examined = FileExamination { wants: archive.missing_requests(&spans), finding };
        (!examined.finding.resources.is_empty() || !examined.wants.is_empty()).then_some(examined)
    }
}

/// Kind id.
const ID: &str = "shapefile";
/// Maximum number of datasets listed per archive; all are counted.
const MAX_DATASETS: usize = 1000;
/// Number of shapefiles whose header and coordinate system are fetched.
const DETAILED_STEMS: usize = 4;
/// Number of compressed bytes that certainly contain the first 100 bytes of a `.shp`: the tables of
/// a deflate block take at most 560 bytes, and a hundred symbols 190.
const SHP_START: u64 = 1024;
/// Maximum length of a `.prj`.
const MAX_PRJ: u64 = 16 * 1024;

/// Files of one shapefile in an archive, by their index in the directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShapefileParts {
    /// Path without the extension, as written for the `.shp`.
    pub name: String,
    /// Index of the `.shp`.
    pub shp: usize,
    /// Whether there is a `.shx`.
    pub shx: bool,
    /// Whether there is a `.dbf`.
    pub dbf: bool,
    /// Index of the `.prj`.
    pub prj: Option<usize>,
}

impl ShapefileParts {
    /// Returns whether the three mandatory files are present.
    pub fn is_complete(&self) -> bool {
        self.shx && self.dbf
    }
}

/// Contents of the files of one shapefile.
#[derive(Debug, Clone, Default)]
struct ShapefileDetails {
    /// Header of the `.shp`, if its bytes were available.
    pub header: Option<ShpHeader>,
    /// The bytes were available, but are not those of a shapefile.
    pub impostor: bool,
    /// Text of the `.prj`.
    pub prj: Option<String>,
}

/// Returns the shapefiles of an archive, in the order of their `.shp` files.
pub fn find_shapefiles(entries: &[ZipEntry]) -> Vec<ShapefileParts> {
    let mut stems: Vec<ShapefileParts> = Vec::new();
    let mut by_name: HashMap<String, usize> = HashMap::new();
    for (i, entry) in entries.iter().enumerate() {
        if let Some(name) = part(entry, ".shp") {
            by_name.entry(name.to_lowercase()).or_insert_with(|| {
                stems.push(ShapefileParts { name: name.to_owned(), shp: i, ..ShapefileParts::default() });
                stems.len() - 1
            });
        }
    }
    if stems.is_empty() {
        return stems;
    }
    for (i, entry) in entries.iter().enumerate() {
        for extension in [".shx", ".dbf", ".prj"] {
            if let Some(name) = part(entry, extension)
                && let Some(stem) = by_name.get(&name.to_lowercase()).and_then(|at| stems.get_mut(*at))
            {
                match extension {
                    ".shx" => stem.shx = true,
                    ".dbf" => stem.dbf = true,
                    _ => stem.prj = stem.prj.or(Some(i)),
                }
            }
        }
    }
    stems
}

/// Returns the path of an entry without `extension`, if it has that extension and a name.
fn part<'a>(entry: &'a ZipEntry, extension: &str) -> Option<&'a str> {
    if entry.file_name().len() <= extension.len()
        || !entry.has_extension(extension)
        || entry.is_resource_fork()
    {
        return None;
    }
    entry.name.get(..entry.name.len() - extension.len())
}

/// Reads the available headers and coordinate systems of all shapefiles; also returns the missing
/// ranges.
fn details(archive: &ArchiveView<'_>, stems: &[ShapefileParts]) -> (Vec<ShapefileDetails>, Vec<(u64, u64)>) {
    let readable = |at: usize| archive.entries.get(at).filter(|entry| entry.is_readable());
    let mut spans = Vec::new();
    let mut details = Vec::new();
    for stem in stems {
        let detailed = details.len() < DETAILED_STEMS;
        let mut detail = ShapefileDetails::default();
        if let Some(entry) = readable(stem.shp) {
            match zip::content_prefix(archive.file, entry, shp::HEADER_LEN).as_deref() {
                Some(start) if start.len() == shp::HEADER_LEN => {
                    detail.header = ShpHeader::parse(start);
                    detail.impostor = detail.header.is_none();
                }
                _ if entry.uncompressed < shp::HEADER_LEN as u64 => detail.impostor = true,
                _ if detailed => spans.push(entry.byte_range(SHP_START)),
                _ => {}
            }
        }
        if let Some(entry) = stem.prj.and_then(readable) {
            match zip::content_prefix(archive.file, entry, MAX_PRJ as usize) {
                // A truncated `.prj` is useless, so all of it must be available.
                Some(text) if text.len() as u64 >= entry.uncompressed.min(MAX_PRJ) => {
                    detail.prj = Some(String::from_utf8_lossy(&text).into_owned());
                }
                _ if detailed && !detail.impostor => spans.push(entry.byte_range(MAX_PRJ)),
                _ => {}
            }
        }
        details.push(detail);
    }
    (details, spans)
}

/// Returns the URL of the coordinate system beside a bare file: `roads.prj` for `roads.shp`.
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

/// Builds the resource of an archive. Returns `None` if it contains no shapefile after all.
///
/// `details` belong to the first of `stems`, in the same order; the others are only listed by name.
fn archive_found(url: &Url, stems: &[ShapefileParts], details: &[ShapefileDetails]) -> Option<Found> {
    let mut resource = Resource { kind: ID.to_owned(), url: url.to_string(), ..Resource::default() };
    let nothing = ShapefileDetails::default();
    let mut without_bbox = 0_usize;
    let mut confirmed = false;
    for (i, stem) in stems.iter().enumerate() {
        let detail = details.get(i).unwrap_or(&nothing);
        // Without the header, only a complete set of names is sufficient evidence.
        if detail.impostor || (detail.header.is_none() && !stem.is_complete()) {
            continue;
        }
        confirmed |= detail.header.is_some();
        resource.dataset_count += 1;
        if resource.datasets.len() >= MAX_DATASETS {
            continue;
        }
        let missing: Vec<&str> = [(".shx", stem.shx), (".dbf", stem.dbf)]
            .iter()
            .filter(|(_, there)| !there)
            .map(|(e, _)| *e)
            .collect();
        if !missing.is_empty() {
            let message = format!("{} lacks {}", stem.name, missing.join(" and "));
            resource.issues.push(Issue::new("shapefile-incomplete", message));
        }
        let (dataset, issue) = dataset(&stem.name, detail);
        without_bbox += usize::from(dataset.bbox.is_none());
        resource.issues.extend(issue.filter(|_| detail.header.is_some()));
        resource.datasets.push(dataset);
    }
    if resource.datasets.is_empty() {
        return None;
    }
    if without_bbox > 0 && without_bbox < resource.datasets.len() {
        let message =
            format!("the extent does not include {without_bbox} of {} datasets", resource.datasets.len());
        resource.issues.push(Issue::new("bbox-partial", message));
    }
    summarise(&mut resource, url);
    let names = if resource.dataset_count == 1 { "name" } else { "names" };
    let by = if confirmed { ", header 9994/1000" } else { "" };
    let rule = format!("ZIP with .shp, .shx and .dbf of {} {names}{by}", resource.dataset_count);
    Some(Found::new(resource, rule))
}

/// Builds the resource of a bare `.shp`; `prj` is the text of the file beside it, if any.
fn bare(url: &Url, header: ShpHeader, prj: Option<String>) -> Found {
    let name = super::kml::file_stem(url);
    let details = ShapefileDetails { header: Some(header), impostor: false, prj };
    let (dataset, issue) = dataset(&name, &details);
    let mut resource = Resource {
        kind: ID.to_owned(),
        url: url.to_string(),
        datasets: vec![dataset],
        dataset_count: 1,
        issues: issue.into_iter().collect(),
        ..Resource::default()
    };
    summarise(&mut resource, url);
    Found::new(resource, "file code 9994, version 1000, first record of a .shp")
}

/// Derives title, extent and coordinate systems from the datasets.
fn summarise(resource: &mut Resource, url: &Url) {
    resource.title = match resource.datasets.as_slice() {
        [only] => only.title.clone(),
        _ => Some(super::kml::file_stem(url)).filter(|t| !t.is_empty()),
    };
    resource.formats = vec!["ESRI Shapefile".into()];
    for dataset in &resource.datasets {
        if let Some(b) = dataset.bbox {
            resource.bbox = Some(resource.bbox.map_or(b, |all| union(all, b)));
        }
        for code in dataset.crs.iter() {
            if !resource.crs.contains(code) {
                resource.crs.push(code.clone());
            }
        }
    }
}

/// Returns the smallest box that certainly contains both; one across the antimeridian is widened to
/// all longitudes.
fn union(a: Bbox, b: Bbox) -> Bbox {
    let crosses = a.west > a.east || b.west > b.east;
    let (west, east) = if a == b {
        (a.west, a.east)
    } else if crosses {
        (-180.0, 180.0)
    } else {
        (a.west.min(b.west), a.east.max(b.east))
    };
    Bbox { west, south: a.south.min(b.south), east, north: a.north.max(b.north) }
}

fn dataset(name: &str, details: &ShapefileDetails) -> (Dataset, Option<Issue>) {
    let base = name.rsplit('/').next().unwrap_or(name);
    let mut dataset = Dataset { name: name.to_owned(), title: Some(base.to_owned()), ..Dataset::default() };
    let reference = details.prj.as_deref().and_then(CrsRef::from_wkt);
    if let Some(label) = reference.as_ref().and_then(CrsRef::label) {
        dataset.crs = [SharedText::from(label)].into();
    }
    let Some(header) = details.header else { return (dataset, None) };
    let Some(raw) = header.usable_bbox() else {
        let message = format!("{name} has an empty or broken extent");
        return (dataset, Some(Issue::new("bbox-broken", message)));
    };
    let issue = match reference {
        Some(reference) => match crs::to_wgs84(&reference, raw) {
            Ok(bbox) => {
                dataset.bbox = Some(bbox);
                None
            }
            Err(issue) => Some(issue),
        },
        None if looks_like_degrees(raw) => {
            dataset.bbox = Some(raw.into());
            let message = format!("{name} names no coordinate system; its extent fits degrees");
            Some(Issue::new("crs-assumed", message))
        }
        None => {
            let message = format!("{name} names no known coordinate system");
            Some(Issue::new("crs-unknown", message))
        }
    };
    (dataset, issue)
}

/// Returns whether the numbers may be longitudes and latitudes.
fn looks_like_degrees([min_x, min_y, max_x, max_y]: [f64; 4]) -> bool {
    min_x >= -180.0 && max_x <= 180.0 && min_y >= -90.0 && max_y <= 90.0
}
