//! Map services of ArcGIS.

use super::{
    MARKS, is_other_type, is_type_of, server_version, service_draft, service_probe_url, start_service_probe,
};
use super::{add_layers, layer, related_services};
use crate::formats::json::JsonDocument;
use crate::kinds::{
    CorpusLabel, DocumentClaim, DocumentReading, Kind, KindProfile, MapRenderer, MetadataDepth,
    QgisConnection, QgisLayer, RubricRow,
};
use crate::probe::{ProbeRequest, ServiceProbe};
use url::Url;

/// Map services of ArcGIS.
pub struct ArcgisMapServerKind;

const ID: &str = "arcgis-mapserver";
const TYPE: &str = "MapServer";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ArcGIS map service",
    what: "Maps drawn by an ArcGIS server, with layers that can be queried. Each layer is a dataset.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/map-service/",
    evidence: "A JSON object with mapName, or with layers and singleFusedMapCache; a layer's description with its parent.",
    false_positives: "Feature services, which also list layers but draw no maps; errors with status 200.",
    protocol: Some("ESRI:ArcGIS:MapServer"),
    metadata: MetadataDepth::Full,
    rubric_row: RubricRow::ArcgisMaps,
    operation_words: ("maps", "drawn"),
    corpus_labels: &[
        CorpusLabel::versioned("arcgis-rest-layer"),
        CorpusLabel::versioned("arcgis-rest-mapserver"),
    ],
    drawer: Some(MapRenderer::Arcgis),
    terria_type: Some("esri-mapServer-group"),
    qgis_connection: Some(QgisConnection::Arcgis),
    qgis_layer: Some(QgisLayer::ArcgisMap),
    arcgis_type: Some(TYPE),
    ..KindProfile::ARCGIS
};

impl Kind for ArcgisMapServerKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, at: &Url) -> Option<DocumentClaim> {
        let list = doc.get("layers").is_some_and(serde_json::Value::is_array);
        let map = doc.text_member("mapName").is_some() && doc.has_member("capabilities");
        let drawn =
            doc.has_member("singleFusedMapCache") && (list || doc.has_member("supportedImageFormatTypes"));
        let old = list && doc.has_member("serviceDescription") && is_type_of(at, TYPE);
        let claimed = map || drawn || old || layer::owning_kind(doc, at) == Some(ID);
        (claimed && !is_other_type(at, TYPE))
            .then(|| DocumentClaim { version: server_version(doc), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let mut draft = service_draft(ID, doc, at);
        if layer::is_layer(doc) {
            return layer::read_layer(draft, doc, at);
        }
        add_layers(&mut draft, doc);
        if let Some(formats) = doc.text_member("supportedImageFormatTypes") {
            draft.resource.formats = formats.split(',').take(50).map(|f| f.trim().into()).collect();
        }
        DocumentReading {
            resources: vec![draft.finish()],
            targets: related_services(doc, at),
            document: Some("arcgis-rest-mapserver"),
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
