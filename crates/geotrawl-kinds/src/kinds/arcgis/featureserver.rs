//! Feature services of ArcGIS.

use super::{
    MARKS, is_other_type, is_type_of, server_version, service_draft, service_probe_url, start_service_probe,
};
use super::{add_layers, layer, related_services};
use crate::formats::json::JsonDocument;
use crate::kinds::{
    CorpusLabel, DocumentClaim, DocumentReading, Kind, KindProfile, MapRenderer, QgisConnection, QgisLayer,
    RubricRow,
};
use crate::probe::{ProbeRequest, ServiceProbe};
use url::Url;

/// Feature services of ArcGIS.
pub struct ArcgisFeatureServerKind;

const ID: &str = "arcgis-featureserver";
const TYPE: &str = "FeatureServer";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ArcGIS feature service",
    what: "Features of an ArcGIS server, layer by layer, for queries and editing. Each layer is a dataset.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/feature-service/",
    evidence: "A JSON object with layers and members of feature services such as hasVersionedData or supportedQueryFormats, and no map.",
    false_positives: "Query results, which contain features; map services, which also list layers.",
    protocol: Some("ESRI:ArcGIS:FeatureServer"),
    rubric_row: RubricRow::Features,
    operation_words: ("features", "returned"),
    corpus_labels: &[
        CorpusLabel::versioned("arcgis-rest-featureserver"),
        CorpusLabel::versioned("arcgis-rest-layer"),
    ],
    drawer: Some(MapRenderer::Arcgis),
    terria_type: Some("esri-featureServer-group"),
    qgis_connection: Some(QgisConnection::Arcgis),
    qgis_layer: Some(QgisLayer::ArcgisFeatures),
    arcgis_type: Some(TYPE),
    ..KindProfile::ARCGIS
};

impl Kind for ArcgisFeatureServerKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, at: &Url) -> Option<DocumentClaim> {
        let list = doc.get("layers").is_some_and(serde_json::Value::is_array);
        let marks =
            ["hasVersionedData", "allowGeometryUpdates", "supportsDisconnectedEditing", "syncEnabled"];
        let map = doc.has_member("mapName") || doc.has_member("singleFusedMapCache");
        let service =
            list && !map && marks.iter().any(|mark| doc.has_member(mark)) && doc.has_member("capabilities");
        let old = list && !map && doc.has_member("serviceDescription") && is_type_of(at, TYPE);
        let claimed =
            service || old || layer::owning_kind(doc, at) == Some(ID) || layer::is_query_result(doc);
        (claimed && !is_other_type(at, TYPE))
            .then(|| DocumentClaim { version: server_version(doc), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let mut draft = service_draft(ID, doc, at);
        if layer::is_query_result(doc) {
            return DocumentReading {
                document: Some("arcgis-rest-query-result"),
                ..DocumentReading::default()
            };
        }
        if layer::is_layer(doc) {
            return layer::read_layer(draft, doc, at);
        }
        add_layers(&mut draft, doc);
        if let Some(formats) = doc.text_member("supportedQueryFormats") {
            draft.resource.formats = formats.split(',').take(50).map(|f| f.trim().into()).collect();
        }
        DocumentReading {
            resources: vec![draft.finish()],
            targets: related_services(doc, at),
            document: Some("arcgis-rest-featureserver"),
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
