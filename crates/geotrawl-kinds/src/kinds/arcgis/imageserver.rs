//! Image services of ArcGIS.

use super::{MARKS, is_other_type, server_version, service_draft, service_probe_url, start_service_probe};
use super::{related_services, time_of};
use crate::formats::json::JsonDocument;
use crate::kinds::{
    CorpusLabel, DocumentClaim, DocumentReading, Kind, KindProfile, MapRenderer, QgisConnection, RubricRow,
};
use crate::probe::{ProbeRequest, ServiceProbe};
use geotrawl_model::Dataset;
use url::Url;

/// Image services of ArcGIS.
pub struct ArcgisImageServerKind;

const ID: &str = "arcgis-imageserver";
const TYPE: &str = "ImageServer";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ArcGIS image service",
    what: "Rasters of an ArcGIS server, as images and as values. The service is one dataset.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/image-service/",
    evidence: "A JSON object with pixelSizeX and bandCount, pixelType or serviceDataType.",
    false_positives: "Map services, which also have extents and times, but no pixels.",
    protocol: Some("ESRI:ArcGIS:ImageServer"),
    rubric_row: RubricRow::Coverages,
    operation_words: ("maps", "drawn"),
    corpus_labels: &[CorpusLabel::versioned("arcgis-rest-imageserver")],
    drawer: Some(MapRenderer::Arcgis),
    terria_type: Some("esri-imageServer"),
    qgis_connection: Some(QgisConnection::Arcgis),
    arcgis_type: Some(TYPE),
    ..KindProfile::ARCGIS
};

impl Kind for ArcgisImageServerKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, at: &Url) -> Option<DocumentClaim> {
        let claimed = doc.has_member("pixelSizeX")
            && ["bandCount", "pixelType", "serviceDataType"].iter().any(|name| doc.has_member(name));
        (claimed && !is_other_type(at, TYPE))
            .then(|| DocumentClaim { version: server_version(doc), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let mut draft = service_draft(ID, doc, at);
        let dataset = Dataset {
            name: draft.resource.title.clone().unwrap_or_default(),
            title: draft.resource.title.clone(),
            abstract_: draft.resource.abstract_.clone(),
            bbox: draft.resource.bbox,
            crs: draft.resource.crs.clone().into(),
            time: time_of(&doc.root).into_iter().collect(),
            ..Dataset::default()
        };
        draft.add_dataset(dataset);
        DocumentReading {
            resources: vec![draft.finish()],
            targets: related_services(doc, at),
            document: Some("arcgis-rest-imageserver"),
            ..DocumentReading::default()
        }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        MARKS
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        service_probe_url(url, TYPE)
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        Some(start_service_probe(at))
    }
}
