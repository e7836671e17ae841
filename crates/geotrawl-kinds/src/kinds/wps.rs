//! Web Processing Service.

use super::ows::capabilities_root;
use super::ows::items::{ItemReader, read_items};
use super::ows::{ElementPath, Tag};
use super::{CorpusLabel, DocumentClaim, DocumentReading, Family, Kind, KindProfile, OwsRequest, RubricRow};
use crate::formats::xml::XmlReader;
use crate::sniff::XmlRoot;

/// Web Processing Service 1.0.0 and 2.0.
pub struct WpsKind;

static PROFILE: KindProfile = KindProfile {
    id: "wps",
    name: "Web Processing Service",
    what: "Runs named processes on data: buffers, interpolations, models.",
    specification: "https://www.ogc.org/standard/wps/",
    evidence: "A root element Capabilities in http://www.opengis.net/wps/1.0.0 or http://www.opengis.net/wps/2.0 \
               (0.4: http://www.opengeospatial.net/wps).",
    false_positives: "DescribeProcess and Execute responses in the same namespace (ProcessDescriptions, \
                ExecuteResponse), Capabilities of other services.",
    family: Family::Process,
    protocol: Some("OGC:WPS"),
    has_extent: false,
    rubric_row: RubricRow::Processes,
    operation_words: ("processes", "described"),
    corpus_labels: &[CorpusLabel::versioned("wps-capabilities")],
    ..KindProfile::XML_SERVICE
};

static REQUEST: OwsRequest =
    OwsRequest { service: "WPS", versions: &["1.0.0", "2.0.0"], operations: &["describeprocess", "execute"] };

impl Kind for WpsKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn ows(&self) -> Option<&'static OwsRequest> {
        Some(&REQUEST)
    }

    fn claim_xml(&self, root: &XmlRoot) -> Option<DocumentClaim> {
        capabilities_root(root, "wps", &["opengis.net/wps", "opengeospatial.net/wps"])
    }

    fn read_xml(
        &self,
        reader: &mut XmlReader<'_>,
        root: &XmlRoot,
        claim: DocumentClaim,
        endpoint: &str,
    ) -> DocumentReading {
        read_items::<ProcessReader>(reader, root, claim, endpoint)
    }
}

#[derive(Default)]
struct ProcessReader;

impl ItemReader for ProcessReader {
    const KIND: &'static str = "wps";

    fn is_item(tag: Tag, path: &ElementPath<'_>) -> bool {
        tag == Tag::Process && matches!(path.parent(), Tag::ProcessOfferings | Tag::Contents)
    }

    fn is_name(tag: Tag) -> bool {
        tag == Tag::Identifier
    }
}
