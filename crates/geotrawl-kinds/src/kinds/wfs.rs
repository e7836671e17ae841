//! Web Feature Service.

use super::ows::items::{List, Shape, read};
use super::ows::{Path, Tag};
use super::{
    Claim, CorpusLabel, Drawer, Family, Kind, KindProfile, OwsRequest, QgisConnection, QgisLayer, Reading,
    RubricRow,
};
use crate::formats::xml::Reader;
use crate::sniff::XmlRoot;

/// Web Feature Service 1.0.0 to 2.0.2.
pub struct Wfs;

static PROFILE: KindProfile = KindProfile {
    id: "wfs",
    name: "Web Feature Service",
    what: "Gives the features behind the map: geometries with attributes, filtered as asked.",
    specification: "https://www.ogc.org/standard/wfs/",
    evidence: "A root element WFS_Capabilities in http://www.opengis.net/wfs (1.0, 1.1) or \
               http://www.opengis.net/wfs/2.0; servers that forget the namespace are believed.",
    false_positives: "Feature collections (wfs:FeatureCollection), DescribeFeatureType schemas, exception reports \
                with status 200, WFS 3 landing pages (those are OGC API Features).",
    family: Family::Features,
    media_types: &["application/vnd.ogc.wfs_xml"],
    protocol: Some("OGC:WFS"),
    rubric_row: RubricRow::Features,
    operation_words: ("features", "given"),
    corpus_labels: &[CorpusLabel::versioned("wfs-capabilities")],
    drawer: Some(Drawer::Wfs),
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

impl Kind for Wfs {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn ows(&self) -> Option<&'static OwsRequest> {
        Some(&REQUEST)
    }

    fn claims(&self, root: &XmlRoot) -> Option<Claim> {
        if root.local != "WFS_Capabilities" {
            return None;
        }
        match root.namespace.as_deref() {
            Some(ns) if ns.contains("opengis.net/wfs") => Some(Claim::of(root)),
            None => Some(Claim::without_namespace(root)),
            Some(_) => None,
        }
    }

    fn read(&self, reader: &mut Reader<'_>, root: &XmlRoot, claim: Claim, endpoint: &str) -> Reading {
        read::<FeatureTypes>(reader, root, claim, endpoint)
    }
}

#[derive(Default)]
struct FeatureTypes {
    /// Inside the `outputFormat` parameter of GetFeature.
    output_format: bool,
}

impl Shape for FeatureTypes {
    const KIND: &'static str = "wfs";

    fn is_item(tag: Tag, path: &Path<'_>) -> bool {
        tag == Tag::FeatureType && path.parent() == Tag::FeatureTypeList
    }

    fn is_name(tag: Tag) -> bool {
        tag == Tag::Name
    }

    fn start(&mut self, tag: Tag, path: &Path<'_>, element: &Reader<'_>, list: &mut List) -> bool {
        match tag {
            Tag::Parameter => {
                self.output_format =
                    element.attr("name").is_some_and(|n| n.eq_ignore_ascii_case("outputFormat"));
            }
            Tag::Other if path.inside(Tag::GetFeature) => {
                // WFS 1.0.0 names formats by elements inside ResultFormat.
                let local = element.local();
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

    fn end(&mut self, tag: Tag, path: &Path<'_>, text: &str, list: &mut List) -> bool {
        if tag == Tag::Value && self.output_format && path.inside(Tag::OperationsMetadata) {
            list.draft.add_service_format(text);
        }
        false
    }
}
