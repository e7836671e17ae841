//! Catalogue Service for the Web.

use super::ows::capabilities_root;
use super::ows::items::{ItemCollector, ItemReader, read_items};
use super::ows::{ElementPath, Tag};
use super::{CorpusLabel, DocumentClaim, DocumentReading, Kind, KindProfile, OwsRequest};
use crate::formats::xml::XmlReader;
use crate::sniff::XmlRoot;

/// Catalogue Service for the Web 2.0.2 and 3.0.
pub struct CswKind;

static PROFILE: KindProfile = KindProfile {
    id: "csw",
    name: "Catalogue Service for the Web",
    what: "Holds descriptions of data and services that can be searched; leads to many other services.",
    specification: "https://www.ogc.org/standard/cat/",
    evidence: "A root element Capabilities in http://www.opengis.net/cat/csw/2.0.2, .../csw/3.0 or, older, \
               http://www.opengis.net/cat/csw.",
    false_positives: "Responses in the same namespace (GetRecordsResponse, GetRecordByIdResponse, single records), \
                Capabilities of other services. Its records are harvested, not listed here.",
    protocol: Some("OGC:CSW"),
    lists_datasets: false,
    corpus_labels: &[CorpusLabel::versioned("csw-capabilities")],
    terria_type: Some("csw-group"),
    ..KindProfile::XML_CATALOGUE
};

static REQUEST: OwsRequest = OwsRequest {
    service: "CSW",
    versions: &["2.0.2", "3.0.0"],
    operations: &["describerecord", "getdomain", "getrecordbyid", "getrecords"],
};

impl Kind for CswKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn ows(&self) -> Option<&'static OwsRequest> {
        Some(&REQUEST)
    }

    fn claim_xml(&self, root: &XmlRoot) -> Option<DocumentClaim> {
        capabilities_root(root, "csw", &["opengis.net/cat/csw", "opengis.net/csw"])
    }

    fn read_xml(
        &self,
        reader: &mut XmlReader<'_>,
        root: &XmlRoot,
        claim: DocumentClaim,
        endpoint: &str,
    ) -> DocumentReading {
        read_items::<CswReader>(reader, root, claim, endpoint)
    }
}

/// A catalogue lists no datasets; its output schemas become its formats.
#[derive(Default)]
struct CswReader {
    schemas: bool,
}

impl ItemReader for CswReader {
    const KIND: &'static str = "csw";

    fn is_item(_tag: Tag, _path: &ElementPath<'_>) -> bool {
        false
    }

    fn is_name(_tag: Tag) -> bool {
        false
    }

    fn start_element(
        &mut self,
        tag: Tag,
        _path: &ElementPath<'_>,
        element: &XmlReader<'_>,
        _list: &mut ItemCollector,
    ) -> bool {
        if tag == Tag::Parameter {
            self.schemas = element.attr("name").is_some_and(|n| n.eq_ignore_ascii_case("outputSchema"));
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
        if tag == Tag::Value && self.schemas && path.is_inside(Tag::OperationsMetadata) {
            list.draft.add_service_format(text);
        }
        false
    }
}
