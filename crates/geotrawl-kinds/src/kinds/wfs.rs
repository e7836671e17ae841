//! Web Feature Service.

use super::ows::items::{ItemCollector, ItemReader, read_items};
use super::ows::{ElementPath, Tag};
use super::{
    CorpusLabel, DocumentClaim, DocumentReading, Family, Kind, KindProfile, MapRenderer, OwsRequest,
    QgisConnection, QgisLayer, RubricRow,
};
use crate::formats::xml::XmlReader;
use crate::sniff::XmlRoot;

/// Web Feature Service 1.0.0 to 2.0.2.
pub struct WfsKind;

static PROFILE: KindProfile = KindProfile {
    id: "wfs",
    name: "Web Feature Service",
    what: "Returns features: geometries with attributes, filtered as requested.",
    specification: "https://www.ogc.org/standard/wfs/",
    evidence: "A root element WFS_Capabilities in http://www.opengis.net/wfs (1.0, 1.1) or \
               http://www.opengis.net/wfs/2.0; a missing namespace is accepted.",
    false_positives: "Feature collections (wfs:FeatureCollection), DescribeFeatureType schemas, exception reports \
                with status 200, WFS 3 landing pages (those are OGC API Features).",
    family: Family::Features,
    media_types: &["application/vnd.ogc.wfs_xml"],
    protocol: Some("OGC:WFS"),
    rubric_row: RubricRow::Features,
    operation_words: ("features", "returned"),
    corpus_labels: &[CorpusLabel::versioned("wfs-capabilities")],
    drawer: Some(MapRenderer::Wfs),
    terria_type: Some("wfs-group"),
    qgis_connection: Some(QgisConnection::Wfs),
    qgis_layer: Some(QgisLayer::Wfs),
    ..KindProfile::XML_SERVICE
};

static REQUEST: OwsRequest = OwsRequest {
    service: "WFS",
    versions: &["2.0.0", "1.1.0", "1.0.0"],
    operations: &[
        "describefeaturetype",
        "describestoredqueries",
        "getfeature",
        "getgmlobject",
        "getpropertyvalue",
        "liststoredqueries",
    ],
};

impl Kind for WfsKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn ows(&self) -> Option<&'static OwsRequest> {
        Some(&REQUEST)
    }

    fn claim_xml(&self, root: &XmlRoot) -> Option<DocumentClaim> {
        if root.local != "WFS_Capabilities" {
            return None;
        }
        match root.namespace.as_deref() {
            Some(ns) if ns.contains("opengis.net/wfs") => Some(DocumentClaim::from_root(root)),
            None => Some(DocumentClaim::without_namespace(root)),
            Some(_) => None,
        }
    }

    fn read_xml(
        &self,
        reader: &mut XmlReader<'_>,
        root: &XmlRoot,
        claim: DocumentClaim,
        endpoint: &str,
    ) -> DocumentReading {
        read_items::<FeatureTypeReader>(reader, root, claim, endpoint)
    }
}

#[derive(Default)]
struct FeatureTypeReader {
    /// Inside the `outputFormat` parameter of GetFeature.
    output_format: bool,
}

impl ItemReader for FeatureTypeReader {
    const KIND: &'static str = "wfs";

    fn is_item(tag: Tag, path: &ElementPath<'_>) -> bool {
        tag == Tag::FeatureType && path.parent() == Tag::FeatureTypeList
    }

    fn is_name(tag: Tag) -> bool {
        tag == Tag::Name
    }

    fn start_element(
        &mut self,
        tag: Tag,
        path: &ElementPath<'_>,
        element: &XmlReader<'_>,
        list: &mut ItemCollector,
    ) -> bool {
        match tag {
            Tag::Parameter => {
                self.output_format =
                    element.attr("name").is_some_and(|n| n.eq_ignore_ascii_case("outputFormat"));
            }
            Tag::Other if path.is_inside(Tag::GetFeature) => {
                // WFS 1.0.0 names formats by elements inside ResultFormat.
                let local = element.local_name();
                if local.starts_with(b"GML")
                    || local.starts_with(b"SHAPE")
                    || local.ends_with(b"JSON")
                    || local == b"CSV"
                {
                    list.draft.add_service_format(&String::from_utf8_lossy(local));
                }
            }
            _ => {}
        }
        false
    }

    fn end_element(
        &mut self,
        tag: Tag,
        path: &ElementPath<'_>,
        text: &str,
        list: &mut ItemCollector,
    ) -> bool {
        if tag == Tag::Value && self.output_format && path.is_inside(Tag::OperationsMetadata) {
            list.draft.add_service_format(text);
        }
        false
    }
}
