//! Vector tile services of ArcGIS.

use super::{MARKS, approach, draft, hint, is_other_type, version};
use crate::formats::json::Doc;
use crate::kinds::members::add_target;
use crate::kinds::{Claim, Drawer, Kind, KindProfile, Reading, RubricRow};
use crate::probe::{Ask, Dialogue};
use geotrawl_model::Dataset;
use serde_json::Value;
use url::Url;

/// Vector tile services of ArcGIS.
pub struct ArcgisVectorTileServer;

const ID: &str = "arcgis-vectortileserver";
const TYPE: &str = "VectorTileServer";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ArcGIS vector tile service",
    what: "Vector tiles of an ArcGIS server with their styles. The service is one dataset.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/vector-tile-service/",
    evidence: "A JSON object with tiles, tileInfo and defaultStyles.",
    false_positives: "TileJSON lists tiles too, and says so.",
    rubric_row: RubricRow::Tiles,
    operation_words: ("tiles", "given"),
    drawer: Some(Drawer::Arcgis),
    arcgis_type: Some(TYPE),
    ..KindProfile::ARCGIS
};

impl Kind for ArcgisVectorTileServer {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claims_json(&self, doc: &Doc, at: &Url) -> Option<Claim> {
        let tiles = doc.get("tiles").is_some_and(Value::is_array);
        let claimed = tiles && doc.has("tileInfo") && (doc.has("defaultStyles") || doc.has("resourceInfo"));
        (claimed && !is_other_type(at, TYPE)).then(|| Claim { version: version(doc), oddity: None })
    }

    fn read_json(&self, doc: &Doc, _claim: Claim, at: &Url) -> Reading {
        let mut draft = draft(ID, doc, at);
        let name = draft.resource.title.clone().unwrap_or_default();
        draft.resource.formats = vec!["application/vnd.mapbox-vector-tile".into()];
        draft.push(Dataset {
            name,
            title: draft.resource.title.clone(),
            bbox: draft.resource.bbox,
            ..Dataset::default()
        });
        let resource = draft.finish();
        let mut targets = Vec::new();
        if let (Some(styles), Ok(base)) =
            (doc.text("defaultStyles"), Url::parse(&format!("{}/", resource.url)))
        {
            let path = format!("{}/root.json", styles.trim_end_matches('/'));
            add_target(&path, &base, &"sibling".into(), "", &mut targets);
        }
        Reading {
            resources: vec![resource],
            targets,
            document: Some("arcgis-rest-vectortileserver"),
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
