//! Catalogue Service for the Web.

use super::ows::capabilities_root;
use super::ows::items::{List, Shape, read};
use super::ows::{Path, Tag};
use super::{Claim, CorpusLabel, Kind, KindProfile, OwsRequest, Reading};
use crate::formats::xml::Reader;
use crate::sniff::XmlRoot;

/// Catalogue Service for the Web 2.0.2 and 3.0.
pub struct Csw;

static PROFILE: KindProfile = KindProfile {
    id: "csw",
    name: "Catalogue Service for the Web",
    what: "Holds descriptions of data and services and answers searches among them: a way to many others.",
    specification: "https://www.ogc.org/standard/cat/",
    evidence: "A root element Capabilities in http://www.opengis.net/cat/csw/2.0.2, .../csw/3.0 or, older, \
               http://www.opengis.net/cat/csw.",
    false_positives: "Answers of the same namespace (GetRecordsResponse, GetRecordByIdResponse, single records), \
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

impl Kind for Csw {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn ows(&self) -> Option<&'static OwsRequest> {
        Some(&REQUEST)
    }

    fn claims(&self, root: &XmlRoot) -> Option<Claim> {
        capabilities_root(root, "csw", &["opengis.net/cat/csw", "opengis.net/csw"])
    }

    fn read(&self, reader: &mut Reader<'_>, root: &XmlRoot, claim: Claim, endpoint: &str) -> Reading {
        read::<Catalogue>(reader, root, claim, endpoint)
    }
}

/// A catalogue lists no datasets; its output schemas are its formats.
#[derive(Default)]
struct Catalogue {
    schemas: bool,
}

impl Shape for Catalogue {
    const KIND: &'static str = "csw";

    fn is_item(_tag: Tag, _path: &Path<'_>) -> bool {
        false
    }

    fn is_name(_tag: Tag) -> bool {
        false
    }

    fn start(&mut self, tag: Tag, _path: &Path<'_>, element: &Reader<'_>, _list: &mut List) -> bool {
        if tag == Tag::Parameter {
            self.schemas = element.attr("name").is_some_and(|n| n.eq_ignore_ascii_case("outputSchema"));
        }
        false
    }

    fn end(&mut self, tag: Tag, path: &Path<'_>, text: &str, list: &mut List) -> bool {
        if tag == Tag::Value && self.schemas && path.inside(Tag::OperationsMetadata) {
            list.draft.add_service_format(text);
        }
        false
    }
}
