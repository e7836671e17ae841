//! GML, Geography Markup Language, and CityGML: features with their geometry in XML.
//!
//! - **Specification**: OGC GML 2 to 3.3, CityGML 1 to 3.
//! - **Recognised by**: a feature collection as root, either in a namespace of GML, WFS or CityGML,
//!   or in another one beside a declaration of the GML namespace; or any root with such a
//!   declaration and a `gml:boundedBy` or `gml:featureMember` child.
//! - **Dataset**: each feature type; members are counted as far as the document is read.
//! - **Extent**: `boundedBy` of the collection, or else of what was read; `srsName` decides the
//!   axis order.
//! - **False positives**: schemas, capabilities and observations that use the GML namespace.

mod extent;

use super::{ClaimCertainty, CorpusLabel, Kind, KindProfile, MetadataDepth, QgisLayer};
use crate::files::{
    FileExamination, FileRequest, MAX_DATASETS, MAX_TITLE, TextFile, TextStart, combine_datasets,
};
use crate::formats::crs::CrsRef;
use crate::formats::xml::{XmlEvent, XmlReader, tidy_text};
use crate::kinds::kml::file_stem;
use crate::probe::Found;
use crate::sniff::XmlRoot;
use extent::GmlExtents;
use geotrawl_model::{Dataset, Issue, Resource, SharedText};
use std::collections::HashMap;
use std::io::Read;
use url::Url;

/// The `gml` kind.
pub struct GmlKind;

/// Kind id.
const ID: &str = "gml";
const MEDIA_TYPE: &str = "application/gml+xml";
/// Maximum number of bytes read: the extent is at the start, and files of gigabytes exist.
const MAX_BYTES: u64 = 1024 * 1024;
/// Maximum number of distinct feature types.
const MAX_TYPES: usize = MAX_DATASETS;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "GML and CityGML",
    what: "Features with their geometry in XML, also as responses of feature services. Each feature type is a dataset.",
    specification: "https://www.ogc.org/standard/gml/",
    evidence: "A feature collection as root, in a namespace of GML, WFS or CityGML, or beside a declaration of the GML namespace.",
    false_positives: "Schemas, capabilities and observations that use the GML namespace.",
    media_types: &["application/gml+xml"],
    extensions: &["citygml", "gml"],
    metadata: MetadataDepth::Terse,
    corpus_labels: &[
        CorpusLabel::plain("gml-featurecollection"),
        CorpusLabel::plain("gml-other"),
        CorpusLabel::plain("gml-wfs-featurecollection"),
    ],
    qgis_layer: Some(QgisLayer::Vector),
    ..KindProfile::TEXT_FILE
};

impl Kind for GmlKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_text_file(&self, start: &TextStart<'_>) -> Option<ClaimCertainty> {
        claims(start.root()?)
    }

    fn read_text_file(&self, file: TextFile<'_>) -> Option<FileExamination> {
        let document = read_gml(file.stream, file.charset)?;
        let sort = document_kind(&document);
        let examined = FileExamination::proven_file(found(file.url, document, file.whole), sort);
        Some(examined.with_requests(vec![FileRequest::Document(MAX_BYTES)]))
    }
}

const GML: &str = "http://www.opengis.net/gml";

fn is_gml(namespace: &str) -> bool {
    namespace == GML || namespace.strip_prefix(GML).is_some_and(|rest| rest.starts_with("/3."))
}

/// Returns whether a document with this root is GML; if uncertain, its children decide.
fn claims(root: &XmlRoot) -> Option<ClaimCertainty> {
    let collection = matches!(root.local.as_str(), "FeatureCollection" | "featureCollection");
    let namespace = root.namespace.as_deref().unwrap_or_default();
    if is_gml(namespace) {
        return (collection || matches!(root.local.as_str(), "featureMembers" | "featureMember"))
            .then_some(ClaimCertainty::Yes);
    }
    if namespace.starts_with("http://www.opengis.net/wfs") {
        return collection.then_some(ClaimCertainty::Yes);
    }
    if namespace.starts_with("http://www.opengis.net/citygml/") {
        return (root.local == "CityModel").then_some(ClaimCertainty::Yes);
    }
    // Written by GDAL, whatever it declares beside it.
    if collection && namespace == "http://ogr.maptools.org/" {
        return Some(ClaimCertainty::Yes);
    }
    let declared = root.attrs.iter().any(|(name, value)| name.starts_with("xmlns") && is_gml(value.trim()));
    // Other standards use GML to describe coverages, sensors and records.
    let other_standard = namespace.contains("opengis.net/")
        || namespace.contains("isotc211.org")
        || namespace.contains("w3.org");
    match (declared, collection) {
        (true, true) => Some(ClaimCertainty::Yes),
        (true, false) if !other_standard => Some(ClaimCertainty::Perhaps),
        _ => None,
    }
}

/// Contents of a document, as far as it was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GmlDocument {
    pub root: XmlRoot,
    /// Version of GML, if the namespace indicates it.
    pub version: Option<String>,
    /// Number of features.
    pub members: u64,
    /// Feature types with their number of features.
    pub types: Vec<(String, u64)>,
    pub name: Option<String>,
    pub description: Option<String>,
    /// `[min x, min y, max x, max y]`, east before north, and its coordinate system.
    pub extent: Option<[f64; 4]>,
    pub srs: Option<String>,
    /// The extent was collected from features or positions, not stated by the collection.
    pub pieced: bool,
    pub violation: Option<String>,
}

/// Reads a document. Returns `None` if it is not GML.
pub fn read_gml(stream: &mut dyn Read, charset: Option<&str>) -> Option<GmlDocument> {
    let mut reader = XmlReader::new(stream, charset);
    loop {
        match reader.next() {
            XmlEvent::Start => break,
            XmlEvent::Eof => return None,
            _ => {}
        }
    }
    let root = XmlRoot::from_reader(&reader);
    let mut sure = claims(&root)? == ClaimCertainty::Yes;
    let version = root.attrs.iter().find_map(|(name, value)| {
        (name.starts_with("xmlns"))
            .then(|| value.trim().strip_prefix("http://www.opengis.net/gml/"))
            .flatten()
    });
    let mut document = GmlDocument {
        version: version.filter(|v| v.starts_with("3.")).map(|v| v.chars().take(3).collect()),
        ..GmlDocument::default()
    };
    let mut extents = GmlExtents::default();
    extents.note_srs(&reader);
    let mut types = HashMap::new();
    // A feature is inside a member element; the root itself may be one.
    let mut member_depth = is_member(root.local.as_bytes()).then_some(1);
    let mut text = String::new();
    loop {
        match reader.next() {
            XmlEvent::Start => {
                let depth = reader.depth();
                extents.start_element(&reader, depth);
                if depth == 2 {
                    let marks =
                        matches!(reader.local_name(), b"boundedBy" | b"featureMember" | b"featureMembers");
                    sure |= marks && reader.namespace().is_some_and(is_gml);
                    if is_member(reader.local_name()) {
                        member_depth = Some(2);
                    }
                }
                if member_depth.is_some_and(|m| depth == m + 1) {
                    count(&mut document, &mut types, &String::from_utf8_lossy(reader.name()));
                }
                text.clear();
            }
            XmlEvent::Text => reader.append_text(&mut text, extent::MAX_TEXT),
            XmlEvent::End => {
                // At the end event, the depth no longer includes the element itself.
                let depth = reader.depth() + 1;
                extents.end_element(depth, &text);
                if depth == 2 {
                    if member_depth == Some(2) {
                        member_depth = None;
                    }
                    if let Some(name) = extents.last_closed() {
                        match name {
                            "name" if document.name.is_none() => document.name = tidy_text(&text, MAX_TITLE),
                            "description" if document.description.is_none() => {
                                document.description = tidy_text(&text, crate::files::MAX_ABSTRACT);
                            }
                            _ => {}
                        }
                    }
                }
                text.clear();
            }
            XmlEvent::Comment => {}
            XmlEvent::Eof => break,
        }
    }
    if !sure {
        return None;
    }
    document.violation = reader.violation().map(ToString::to_string);
    (document.extent, document.srs, document.pieced) = extents.into_extent();
    document.root = root;
    Some(document)
}

fn is_member(local: &[u8]) -> bool {
    matches!(
        local,
        b"featureMember"
            | b"featureMembers"
            | b"member"
            | b"members"
            | b"cityObjectMember"
            | b"additionalObjects"
            | b"hasMember"
    )
}

/// Counts a feature; `places` maps types to their index in the list.
fn count(document: &mut GmlDocument, places: &mut HashMap<String, usize>, name: &str) {
    document.members += 1;
    let name: String = name.chars().take(200).collect();
    if let Some((_, count)) = places.get(&name).and_then(|at| document.types.get_mut(*at)) {
        *count += 1;
    } else if document.types.len() < MAX_TYPES {
        places.insert(name.clone(), document.types.len());
        document.types.push((name, 1));
    }
}

/// Returns the document type, in the names used by the corpus.
fn document_kind(document: &GmlDocument) -> &'static str {
    let root = &document.root;
    match root.namespace.as_deref() {
        Some(ns) if ns.starts_with("http://www.opengis.net/wfs") => "gml-wfs-featurecollection",
        _ if root.local == "FeatureCollection" => "gml-featurecollection",
        _ => "gml-other",
    }
}

/// Builds the resource of a document; `whole` says whether all of it was read.
fn found(url: &Url, document: GmlDocument, whole: bool) -> Found {
    let reference = document.srs.as_deref().and_then(CrsRef::from_text);
    let label: Option<SharedText> = reference.as_ref().and_then(CrsRef::label).map(SharedText::from);
    let mut resource = Resource {
        kind: ID.to_owned(),
        url: url.to_string(),
        versions: document.version.into_iter().collect(),
        title: document.name.or_else(|| Some(file_stem(url)).filter(|s| !s.is_empty())),
        abstract_: document.description,
        formats: vec![MEDIA_TYPE.into()],
        dataset_count: document.types.len() as u64,
        crs: label.iter().cloned().collect(),
        ..Resource::default()
    };
    if let Some(extent) = document.extent {
        let (bbox, issue) = crate::files::locate_extent(reference.as_ref(), extent);
        resource.bbox = bbox;
        resource.issues.extend(issue);
        if document.pieced && bbox.is_some() {
            let message =
                "the collection states no extent; the extent was computed from the features that were read";
            resource.issues.push(Issue::new("bbox-computed", message));
        }
    }
    let crs: std::sync::Arc<[SharedText]> = label.into_iter().collect();
    let only = document.types.len() == 1;
    resource.datasets = document
        .types
        .iter()
        .map(|(name, _)| Dataset {
            name: name.clone(),
            bbox: resource.bbox.filter(|_| only),
            crs: crs.clone(),
            ..Dataset::default()
        })
        .collect();
    if !whole {
        let message = format!(
            "only the start of the document was read: {} features of {} types",
            document.members,
            document.types.len()
        );
        resource.issues.push(Issue::new("read-partly", message));
    } else if let Some(violation) = document.violation {
        resource.issues.push(Issue::new("xml-not-well-formed", violation));
    }
    combine_datasets(resource, format!("root {}", document.root.clark_name()))
}
