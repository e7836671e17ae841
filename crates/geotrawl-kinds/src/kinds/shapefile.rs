//! ESRI Shapefile: one layer of points, lines or areas in several files, usually zipped together.
//!
//! - **Specification**: ESRI Shapefile Technical Description, July 1998.
//! - **Recognised by**: in a ZIP archive, files that share a name and end in `.shp`, `.shx` and `.dbf`; the
//!   header of the `.shp` confirms it where it is read. A bare `.shp` is known by its header.
//! - **Dataset**: each such name is a dataset; an archive is one resource, however many it holds.
//! - **Extent**: from the header, through the coordinate system of the `.prj` beside it.
//! - **Impostors**: `.shx` has the same header; other programs use `.shp` too.

use super::{CorpusLabel, DescriptionFormat, Kind, KindProfile};
use crate::files::{ArchiveView, FileExamination, FileRequest, FileView};
use crate::formats::crs::{self, CrsRef};
use crate::formats::shp::{self, ShpHeader};
use crate::formats::zip::{self, ZipEntry};
use crate::probe::{Finding, Found, ResponseClass};
use geotrawl_model::{Bbox, Dataset, Issue, Resource, SharedText};
use std::collections::HashMap;
use url::Url;

/// The kind.
pub struct ShapefileKind;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ESRI Shapefile",
    what: "Layers of points, lines or areas in several files each, usually zipped together. Each name is a dataset; an archive is one resource.",
    specification: "https://www.esri.com/content/dam/esrisites/sitecore-archive/Files/Pdfs/library/whitepapers/pdfs/shapefile.pdf",
    evidence: "In a ZIP archive, files that share a name and end in .shp, .shx and .dbf; a bare .shp by its header.",
    false_positives: "The .shx has the same header; other programs use .shp too.",
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
/// Datasets listed of one archive; the count tells of more.
const MAX_DATASETS: usize = 1000;
/// Stems whose header and coordinate system are fetched.
const DETAILED_STEMS: usize = 4;
/// Compressed bytes that surely hold the first 100 of a `.shp`: the tables of a deflate block take at most
/// 560 bytes, and a hundred symbols 190.
const SHP_START: u64 = 1024;
/// Longest `.prj` that is read.
const MAX_PRJ: u64 = 16 * 1024;

/// The files of one shapefile inside an archive, by their place in the directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShapefileParts {
    /// Path without extension, as written for the `.shp`.
    pub name: String,
    /// The `.shp`.
    pub shp: usize,
    /// Whether the `.shx` is there.
    pub shx: bool,
    /// Whether the `.dbf` is there.
    pub dbf: bool,
    /// The `.prj`.
    pub prj: Option<usize>,
}

impl ShapefileParts {
    /// Whether the three parts that the specification demands are there.
    pub fn is_complete(&self) -> bool {
        self.shx && self.dbf
    }
}

/// What was read of one stem.
#[derive(Debug, Clone, Default)]
struct ShapefileDetails {
    /// The header of the `.shp`, when its bytes were at hand.
    pub header: Option<ShpHeader>,
    /// Bytes were at hand, and they are not a shapefile's.
    pub impostor: bool,
    /// Text of the `.prj`.
    pub prj: Option<String>,
}

/// The shapefiles of an archive, in the order of their `.shp` files.
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

/// The entry's path without `extension`, when it has it and a name before it.
fn part<'a>(entry: &'a ZipEntry, extension: &str) -> Option<&'a str> {
    if entry.file_name().len() <= extension.len()
        || !entry.has_extension(extension)
        || entry.is_resource_fork()
    {
        return None;
    }
    entry.name.get(..entry.name.len() - extension.len())
}

/// Reads what is at hand of the header and coordinate system of every stem; returns also which bytes lack.
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

/// Returns the address of the coordinate system beside a bare file: `roads.shp` has it in `roads.prj`.
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

/// The record of an archive, `None` when nothing in it is a shapefile after all.
///
/// `details` belong to the first stems, in the same order; the others are listed by name.
fn archive_found(url: &Url, stems: &[ShapefileParts], details: &[ShapefileDetails]) -> Option<Found> {
    let mut resource = Resource { kind: ID.to_owned(), url: url.to_string(), ..Resource::default() };
    let nothing = ShapefileDetails::default();
    let mut without_bbox = 0_usize;
    let mut confirmed = false;
    for (i, stem) in stems.iter().enumerate() {
        let detail = details.get(i).unwrap_or(&nothing);
        // Without its header only a complete set of names is evidence enough.
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
        let message = format!("the extent leaves out {without_bbox} of {} datasets", resource.datasets.len());
        resource.issues.push(Issue::new("bbox-partial", message));
    }
    summarise(&mut resource, url);
    let names = if resource.dataset_count == 1 { "name" } else { "names" };
    let by = if confirmed { ", header 9994/1000" } else { "" };
    let rule = format!("ZIP with .shp, .shx and .dbf of {} {names}{by}", resource.dataset_count);
    Some(Found::new(resource, rule))
}

/// The record of a bare `.shp`; `prj` is the text of the file beside it, when there was one.
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

/// Gathers title, extent and coordinate systems from the datasets.
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

/// The smallest box that is sure to hold both; one across the antimeridian widens to the whole circle.
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
            let message = format!("{name} names no coordinate system that we know");
            Some(Issue::new("crs-unknown", message))
        }
    };
    (dataset, issue)
}

/// Whether the numbers could be longitudes and latitudes.
fn looks_like_degrees([min_x, min_y, max_x, max_y]: [f64; 4]) -> bool {
    min_x >= -180.0 && max_x <= 180.0 && min_y >= -90.0 && max_y <= 90.0
}
