//! Map services of ArcGIS.

use super::{MARKS, approach, draft, hint, is_other_type, is_type_of, version};
use super::{add_layers, faces, layer};
use crate::formats::json::Doc;
use crate::kinds::{
    Claim, CorpusLabel, Drawer, Kind, KindProfile, Metadata, QgisConnection, QgisLayer, Reading, RubricRow,
};
use crate::probe::{Ask, Dialogue};
use url::Url;

/// Map services of ArcGIS.
pub struct ArcgisMapServer;

const ID: &str = "arcgis-mapserver";
const TYPE: &str = "MapServer";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ArcGIS map service",
    what: "Maps drawn by an ArcGIS server, with layers that can be queried. A layer is a dataset.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/map-service/",
    evidence: "A JSON object with mapName, or with layers and singleFusedMapCache; a layer's description with its parent.",
    false_positives: "Feature services list layers too, but draw no map; errors come with status 200.",
    protocol: Some("ESRI:ArcGIS:MapServer"),
    metadata: Metadata::Full,
    rubric_row: RubricRow::ArcgisMaps,
    operation_words: ("maps", "drawn"),
    corpus_labels: &[
        CorpusLabel::versioned("arcgis-rest-layer"),
        CorpusLabel::versioned("arcgis-rest-mapserver"),
    ],
    drawer: Some(Drawer::Arcgis),
    terria_type: Some("esri-mapServer-group"),
    qgis_connection: Some(QgisConnection::Arcgis),
    qgis_layer: Some(QgisLayer::ArcgisMap),
    arcgis_type: Some(TYPE),
    ..KindProfile::ARCGIS
};

impl Kind for ArcgisMapServer {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claims_json(&self, doc: &Doc, at: &Url) -> Option<Claim> {
        let list = doc.get("layers").is_some_and(serde_json::Value::is_array);
        let map = doc.text("mapName").is_some() && doc.has("capabilities");
        let drawn = doc.has("singleFusedMapCache") && (list || doc.has("supportedImageFormatTypes"));
        let old = list && doc.has("serviceDescription") && is_type_of(at, TYPE);
        let claimed = map || drawn || old || layer::owner(doc, at) == Some(ID);
        (claimed && !is_other_type(at, TYPE)).then(|| Claim { version: version(doc), oddity: None })
    }

    fn read_json(&self, doc: &Doc, _claim: Claim, at: &Url) -> Reading {
        let mut draft = draft(ID, doc, at);
        if layer::is_layer(doc) {
            return layer::read(draft, doc, at);
        }
        add_layers(&mut draft, doc);
        if let Some(formats) = doc.text("supportedImageFormatTypes") {
            draft.resource.formats = formats.split(',').take(50).map(|f| f.trim().into()).collect();
        }
        Reading {
            resources: vec![draft.finish()],
            targets: faces(doc, at),
            document: Some("arcgis-rest-mapserver"),
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
