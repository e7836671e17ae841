//! Feature services of ArcGIS.

use super::{MARKS, approach, draft, hint, is_other_type, is_type_of, version};
use super::{add_layers, faces, layer};
use crate::formats::json::Doc;
use crate::kinds::{
    Claim, CorpusLabel, Drawer, Kind, KindProfile, QgisConnection, QgisLayer, Reading, RubricRow,
};
use crate::probe::{Ask, Dialogue};
use url::Url;

/// Feature services of ArcGIS.
pub struct ArcgisFeatureServer;

const ID: &str = "arcgis-featureserver";
const TYPE: &str = "FeatureServer";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ArcGIS feature service",
    what: "Features of an ArcGIS server, layer by layer, to query and to edit. A layer is a dataset.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/feature-service/",
    evidence: "A JSON object with layers and members of feature services such as hasVersionedData or supportedQueryFormats, and no map.",
    false_positives: "The answer to a query has features of its own; map services list layers too.",
    protocol: Some("ESRI:ArcGIS:FeatureServer"),
    rubric_row: RubricRow::Features,
    operation_words: ("features", "given"),
    corpus_labels: &[
        CorpusLabel::versioned("arcgis-rest-featureserver"),
        CorpusLabel::versioned("arcgis-rest-layer"),
    ],
    drawer: Some(Drawer::Arcgis),
    terria_type: Some("esri-featureServer-group"),
    qgis_connection: Some(QgisConnection::Arcgis),
    qgis_layer: Some(QgisLayer::ArcgisFeatures),
    arcgis_type: Some(TYPE),
    ..KindProfile::ARCGIS
};

impl Kind for ArcgisFeatureServer {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claims_json(&self, doc: &Doc, at: &Url) -> Option<Claim> {
        let list = doc.get("layers").is_some_and(serde_json::Value::is_array);
        let marks =
            ["hasVersionedData", "allowGeometryUpdates", "supportsDisconnectedEditing", "syncEnabled"];
        let map = doc.has("mapName") || doc.has("singleFusedMapCache");
        let service = list && !map && marks.iter().any(|mark| doc.has(mark)) && doc.has("capabilities");
        let old = list && !map && doc.has("serviceDescription") && is_type_of(at, TYPE);
        let claimed = service || old || layer::owner(doc, at) == Some(ID) || layer::is_query_result(doc);
        (claimed && !is_other_type(at, TYPE)).then(|| Claim { version: version(doc), oddity: None })
    }

    fn read_json(&self, doc: &Doc, _claim: Claim, at: &Url) -> Reading {
        let mut draft = draft(ID, doc, at);
        if layer::is_query_result(doc) {
            return Reading { document: Some("arcgis-rest-query-result"), ..Reading::default() };
        }
        if layer::is_layer(doc) {
            return layer::read(draft, doc, at);
        }
        add_layers(&mut draft, doc);
        if let Some(formats) = doc.text("supportedQueryFormats") {
            draft.resource.formats = formats.split(',').take(50).map(|f| f.trim().into()).collect();
        }
        Reading {
            resources: vec![draft.finish()],
            targets: faces(doc, at),
            document: Some("arcgis-rest-featureserver"),
            ..Reading::default()
        }
    }

    fn marks(&self) -> &'static [&'static str] {
        MARKS
    }

    fn hint(&self, url: &Url) -> Option<Url> {
        hint(url, TYPE)
    }

    fn approach(&self, at: &Url) -> Option<(Box<dyn Dialogue>, Ask)> {
        Some(approach(at))
    }
}
