//! Web Coverage Service, and the processing extension that makes it a WCPS.

use super::ows::capabilities_root;
use super::ows::items::{ItemCollector, ItemReader, read_items};
use super::ows::{ElementPath, Tag};
use super::{
    CorpusLabel, DocumentClaim, DocumentReading, Family, Kind, KindProfile, OwsRequest, QgisConnection,
    RubricRow,
};
use crate::formats::xml::{XmlReader, tidy_text};
use crate::sniff::XmlRoot;

/// Web Coverage Service 1.0.0 to 2.1.
pub struct WcsKind;

static PROFILE: KindProfile = KindProfile {
    id: "wcs",
    name: "Web Coverage Service",
    what: "Returns coverage values: grids, images and data cubes, cut and scaled as requested.",
    specification: "https://www.ogc.org/standard/wcs/",
    evidence: "A root element WCS_Capabilities (1.0.0) or Capabilities (1.1 and later) in a namespace \
               http://www.opengis.net/wcs...",
    false_positives: "DescribeCoverage responses (CoverageDescriptions), Capabilities of other services, which share \
                the root's name but differ in the namespace, exception reports with status 200.",
    family: Family::Coverage,
    protocol: Some("OGC:WCS"),
    rubric_row: RubricRow::Coverages,
    operation_words: ("coverages", "described"),
    corpus_labels: &[CorpusLabel::versioned("wcs-capabilities")],
    qgis_connection: Some(QgisConnection::Wcs),
    ..KindProfile::XML_SERVICE
};

static REQUEST: OwsRequest = OwsRequest {
    service: "WCS",
    versions: &["2.0.1", "1.1.1", "1.0.0"],
    operations: &["describecoverage", "describeeocoverageset", "getcoverage", "processcoverages"],
};

impl Kind for WcsKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn ows(&self) -> Option<&'static OwsRequest> {
        Some(&REQUEST)
    }

    fn claim_xml(&self, root: &XmlRoot) -> Option<DocumentClaim> {
        match (root.local.as_str(), root.namespace.as_deref()) {
            ("WCS_Capabilities", Some(ns)) if ns.contains("opengis.net/wcs") => {
                Some(DocumentClaim::from_root(root))
            }
            ("WCS_Capabilities", None) => Some(DocumentClaim::without_namespace(root)),
            _ => capabilities_root(root, "wcs", &["opengis.net/wcs"]),
        }
    }

    fn read_xml(
        &self,
        reader: &mut XmlReader<'_>,
        root: &XmlRoot,
        claim: DocumentClaim,
        endpoint: &str,
    ) -> DocumentReading {
        read_items::<CoverageReader>(reader, root, claim, endpoint)
    }
}

#[derive(Default)]
struct CoverageReader;

impl ItemReader for CoverageReader {
    const KIND: &'static str = "wcs";

    fn is_item(tag: Tag, path: &ElementPath<'_>) -> bool {
        match tag {
            Tag::CoverageSummary => matches!(path.parent(), Tag::Contents | Tag::CoverageSummary),
            Tag::CoverageBrief => path.parent() == Tag::ContentMetadata,
            _ => false,
        }
    }

    fn is_name(tag: Tag) -> bool {
        matches!(tag, Tag::Identifier | Tag::CoverageId | Tag::Name)
    }

    fn end_element(
        &mut self,
        tag: Tag,
        path: &ElementPath<'_>,
        text: &str,
        list: &mut ItemCollector,
    ) -> bool {
        // Earth observation series are not coverages; their names become keywords of the service.
        if tag == Tag::DatasetSeriesId && path.parent() == Tag::DatasetSeries {
            let keywords = &mut list.draft.resource.keywords;
            if let Some(series) = tidy_text(text, 256)
                && keywords.len() < 100
                && !keywords.contains(&series)
            {
                keywords.push(series);
            }
            return true;
        }
        if tag == Tag::Format && (path.is_inside(Tag::ServiceMetadata) || path.parent() == Tag::Contents) {
            list.draft.add_service_format(text);
            return true;
        }
        if tag == Tag::Crs && (path.is_inside(Tag::ServiceMetadata) || path.parent() == Tag::Contents) {
            list.draft.add_crs(&mut Vec::new(), text);
            return true;
        }
        false
    }
}
