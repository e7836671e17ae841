//! GPX, GPS Exchange Format: waypoints, routes and tracks of a GPS receiver.
//!
//! - **Specification**: GPX 1.0 and 1.1 by Topografix.
//! - **Recognised by**: root element `gpx` in a namespace of Topografix, or without namespace but
//!   with version 1.0 or 1.1.
//! - **Dataset**: the document is one dataset.
//! - **Extent**: its `bounds`, or else computed from its points.
//! - **False positives**: XML with another root; pages about GPX.

use super::{ClaimCertainty, CorpusLabel, Kind, KindProfile, MapRenderer, MetadataDepth, QgisLayer};
use crate::files::{FileDescription, FileExamination, FileRequest, TextFile, TextStart, bbox_from_degrees};
use crate::formats::bbox::parse_decimal;
use crate::formats::crs::wgs84_code;
use crate::formats::xml::{XmlEvent, XmlReader, tidy_text};
use crate::probe::Found;
use crate::sniff::XmlRoot;
use geotrawl_model::{Contact, Issue};
use std::io::Read;
use url::Url;

/// The `gpx` kind.
pub struct GpxKind;

/// Kind id.
const ID: &str = "gpx";
const MEDIA_TYPE: &str = "application/gpx+xml";
/// Maximum number of bytes read of a document.
const MAX_BYTES: u64 = 5 * 1024 * 1024;
/// Maximum length of the text of an element.
const MAX_TEXT: usize = 8 * 1024;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "GPX",
    what: "Waypoints, routes and tracks of a GPS receiver in one XML file. The document is one dataset.",
    specification: "https://www.topografix.com/gpx.asp",
    evidence: "Root element gpx in a namespace of Topografix, or without namespace but with version 1.0 or 1.1.",
    false_positives: "XML with another root, pages about GPX.",
    media_types: &["application/gpx+xml"],
    extensions: &["gpx"],
    fixed_crs: true,
    metadata: MetadataDepth::Full,
    corpus_labels: &[CorpusLabel::versioned("gpx")],
    drawer: Some(MapRenderer::Files),
    terria_type: Some("gpx"),
    qgis_layer: Some(QgisLayer::Vector),
    ..KindProfile::TEXT_FILE
};

impl Kind for GpxKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_text_file(&self, start: &TextStart<'_>) -> Option<ClaimCertainty> {
        start.root().filter(|root| claims(root)).map(|_| ClaimCertainty::Yes)
    }

    fn read_text_file(&self, file: TextFile<'_>) -> Option<FileExamination> {
        let document = read_gpx(file.stream, file.charset)?;
        let examined = FileExamination::proven_file(found(file.url, document, file.whole), ID);
        Some(examined.with_requests(vec![FileRequest::Document(MAX_BYTES)]))
    }
}

/// Contents of a document, as far as it was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GpxDocument {
    pub version: Option<String>,
    pub waypoints: u64,
    pub routes: u64,
    pub tracks: u64,
    pub name: Option<String>,
    pub description: Option<String>,
    pub keywords: Option<String>,
    pub author: Option<String>,
    pub licence: Option<String>,
    pub creator: Option<String>,
    /// `[west, south, east, north]` as stated in the document.
    pub bounds: Option<[f64; 4]>,
    /// The same, computed from all points that were read.
    pub computed: Option<[f64; 4]>,
    /// First and last time of the points.
    pub times: Option<(String, String)>,
    /// Why it is not well-formed, if so.
    pub violation: Option<String>,
}

/// Returns whether a document with this root is GPX.
fn claims(root: &XmlRoot) -> bool {
    root.local == "gpx"
        && match root.namespace.as_deref() {
            Some(ns) => ns.to_ascii_lowercase().contains("topografix.com/gpx/"),
            None => matches!(root.version.as_deref(), Some("1.0" | "1.1")),
        }
}

/// Reads a document. Returns `None` if it has another root.
pub fn read_gpx(stream: &mut dyn Read, charset: Option<&str>) -> Option<GpxDocument> {
    let mut reader = XmlReader::new(stream, charset);
    loop {
        match reader.next() {
            XmlEvent::Start => break,
            XmlEvent::Eof => return None,
            _ => {}
        }
    }
    let root = XmlRoot::from_reader(&reader);
    if !claims(&root) {
        return None;
    }
    let by_namespace = root.namespace.as_deref().and_then(|ns| match ns.rsplit_once("/GPX/")?.1 {
        "1/0" => Some("1.0"),
        "1/1" => Some("1.1"),
        _ => None,
    });
    let mut document = GpxDocument {
        version: root.version.clone().or(by_namespace.map(str::to_owned)),
        creator: root.attr("creator").map(str::to_owned),
        ..GpxDocument::default()
    };
    let mut path: Vec<String> = vec!["gpx".to_owned()];
    let mut text = String::new();
    loop {
        match reader.next() {
            XmlEvent::Start => {
                let local: String = String::from_utf8_lossy(reader.local_name()).chars().take(64).collect();
                start(&reader, &local, path.len(), &mut document);
                path.push(local);
                text.clear();
            }
            XmlEvent::Text => reader.append_text(&mut text, MAX_TEXT),
            XmlEvent::End => {
                end(&path, &text, &mut document);
                path.pop();
                text.clear();
            }
            XmlEvent::Comment => {}
            XmlEvent::Eof => break,
        }
    }
    document.violation = reader.violation().map(ToString::to_string);
    Some(document)
}

fn start(reader: &XmlReader<'_>, local: &str, depth: usize, document: &mut GpxDocument) {
    match (local, depth) {
        ("wpt", 1) => document.waypoints += 1,
        ("rte", 1) => document.routes += 1,
        ("trk", 1) => document.tracks += 1,
        _ => {}
    }
    let value = |name: &str| reader.attr(name).and_then(|v| parse_decimal(&v)).filter(|v| v.is_finite());
    if matches!(local, "wpt" | "rtept" | "trkpt") {
        if let (Some(lat), Some(lon)) = (value("lat"), value("lon"))
            && lat.abs() <= 90.0
            && lon.abs() <= 360.0
        {
            let [w, s, e, n] = document.computed.unwrap_or([lon, lat, lon, lat]);
            document.computed = Some([w.min(lon), s.min(lat), e.max(lon), n.max(lat)]);
        }
    } else if local == "bounds"
        && let (Some(s), Some(w), Some(n), Some(e)) =
            (value("minlat"), value("minlon"), value("maxlat"), value("maxlon"))
    {
        document.bounds = document.bounds.or(Some([w, s, e, n]));
    }
}

fn end(path: &[String], text: &str, document: &mut GpxDocument) {
    let text = text.trim();
    if text.is_empty() {
        return;
    }
    let names: Vec<&str> = path.iter().map(String::as_str).collect();
    let keep = |slot: &mut Option<String>| {
        if slot.is_none() {
            *slot = Some(text.to_owned());
        }
    };
    match names[..] {
        [_, "metadata", "name"] | [_, "name"] => keep(&mut document.name),
        [_, "metadata", "desc"] | [_, "desc"] => keep(&mut document.description),
        [_, "metadata", "keywords"] | [_, "keywords"] => keep(&mut document.keywords),
        [_, "metadata", "author", "name"] | [_, "author"] => keep(&mut document.author),
        [_, "metadata", "copyright", "license"] => keep(&mut document.licence),
        // A document without a name gets that of its first track or route.
        [_, "trk" | "rte", "name"] => keep(&mut document.name),
        [.., "wpt" | "rtept" | "trkpt", "time"]
            if text.len() <= 32 && text.starts_with(|c: char| c.is_ascii_digit()) =>
        {
            let (first, last) = document.times.get_or_insert_with(|| (text.to_owned(), text.to_owned()));
            if text < first.as_str() {
                text.clone_into(first);
            } else if text > last.as_str() {
                text.clone_into(last);
            }
        }
        _ => {}
    }
}

/// Builds the resource of a document; `whole` says whether all of it was read.
fn found(url: &Url, document: GpxDocument, whole: bool) -> Found {
    let rule = format!("root gpx version {}", document.version.as_deref().unwrap_or("unknown"));
    let mut sheet = FileDescription::new(ID, MEDIA_TYPE, rule);
    sheet.versions = document.version.into_iter().collect();
    sheet.title = document.name;
    sheet.abstract_ = document.description;
    sheet.keywords = document
        .keywords
        .iter()
        .flat_map(|k| k.split([',', ';']))
        .filter_map(|k| tidy_text(k, 200))
        .take(100)
        .collect();
    sheet.contact =
        Contact { person: document.author.and_then(|a| tidy_text(&a, 200)), ..Contact::default() };
    sheet.licence = document.licence;
    sheet.software = document.creator;
    sheet.crs = vec![wgs84_code()];
    sheet.time = document
        .times
        .map(|(first, last)| if first == last { first } else { format!("{first}/{last}") })
        .into_iter()
        .collect();
    let stated = document.bounds.map(bbox_from_degrees);
    let computed = document.computed.map(bbox_from_degrees);
    let contradicted = whole
        && document.bounds.zip(document.computed).is_some_and(|(stated, computed)| !holds(stated, computed));
    if contradicted {
        let message = "the stated bounds do not contain all points; the extent is computed from the points";
        sheet.issues.push(Issue::new("bbox-contradicted", message));
    }
    let extent = match stated {
        Some((Some(bbox), issue)) if !contradicted => Some((Some(bbox), issue)),
        _ => computed.or(stated),
    };
    if let Some((bbox, issue)) = extent {
        sheet.bbox = bbox;
        sheet.issues.extend(issue);
    }
    if !whole {
        let message = "only the start of the document was read; its extent may be larger";
        sheet.issues.push(Issue::new("read-partly", message));
    } else if let Some(violation) = document.violation {
        sheet.issues.push(Issue::new("xml-not-well-formed", violation));
    }
    sheet.into_found(url)
}

/// Returns whether a box contains another, allowing for rounding.
fn holds(outer: [f64; 4], inner: [f64; 4]) -> bool {
    const SLACK: f64 = 1e-4;
    outer[0] <= inner[0] + SLACK
        && outer[1] <= inner[1] + SLACK
        && outer[2] >= inner[2] - SLACK
        && outer[3] >= inner[3] - SLACK
}
