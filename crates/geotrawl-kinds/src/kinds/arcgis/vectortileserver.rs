//! Vector tile services of ArcGIS.

use super::{MARKS, is_other_type, server_version, service_draft, service_probe_url, start_service_probe};
use crate::formats::json::JsonDocument;
use crate::kinds::members::add_target;
use crate::kinds::{DocumentClaim, DocumentReading, Kind, KindProfile, MapRenderer, RubricRow};
use crate::probe::{ProbeRequest, ServiceProbe};
use geotrawl_model::Dataset;
use serde_json::Value;
use url::Url;

/// Vector tile services of ArcGIS.
pub struct ArcgisVectorTileServerKind;

const ID: &str = "arcgis-vectortileserver";
const TYPE: &str = "VectorTileServer";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ArcGIS vector tile service",
    what: "Vector tiles of an ArcGIS server with their styles. The service is one dataset.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/vector-tile-service/",
    evidence: "A JSON object with tiles, tileInfo and defaultStyles.",
    false_positives: "TileJSON, which also lists tiles and declares its format.",
    rubric_row: RubricRow::Tiles,
    operation_words: ("tiles", "returned"),
    drawer: Some(MapRenderer::Arcgis),
    arcgis_type: Some(TYPE),
    ..KindProfile::ARCGIS
};

impl Kind for ArcgisVectorTileServerKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, at: &Url) -> Option<DocumentClaim> {
        let tiles = doc.get("tiles").is_some_and(Value::is_array);
        let claimed = tiles
            && doc.has_member("tileInfo")
            && (doc.has_member("defaultStyles") || doc.has_member("resourceInfo"));
        (claimed && !is_other_type(at, TYPE))
            .then(|| DocumentClaim { version: server_version(doc), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let mut draft = service_draft(ID, doc, at);
        let name = draft.resource.title.clone().unwrap_or_default();
        draft.resource.formats = vec!["application/vnd.mapbox-vector-tile".into()];
        draft.add_dataset(Dataset {
            name,
            title: draft.resource.title.clone(),
            bbox: draft.resource.bbox,
            ..Dataset::default()
        });
        let resource = draft.finish();
        let mut targets = Vec::new();
        if let (Some(styles), Ok(base)) =
            (doc.text_member("defaultStyles"), Url::parse(&format!("{}/", resource.url)))
        {
            let path = format!("{}/root.json", styles.trim_end_matches('/'));
            add_target(&path, &base, &"sibling".into(), "", &mut targets);
        }
        DocumentReading {
            resources: vec![resource],
            targets,
            document: Some("arcgis-rest-vectortileserver"),
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
