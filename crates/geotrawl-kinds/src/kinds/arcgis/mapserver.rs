//! Map services of ArcGIS.

use super::{MARKS, approach, draft, hint, is_other_type, is_type_of, version};
use super::{add_layers, faces, layer};
use crate::formats::json::Doc;
use crate::kinds::{Claim, Kind, KindDoc, Reading};
use crate::probe::{Ask, Dialogue};
use url::Url;

/// Map services of ArcGIS.
pub struct ArcgisMapServer;

const ID: &str = "arcgis-mapserver";
const TYPE: &str = "MapServer";

static DOC: KindDoc = KindDoc {
    id: ID,
    name: "ArcGIS map service",
    what: "Maps drawn by an ArcGIS server, with layers that can be queried. A layer is a dataset.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/map-service/",
    evidence: "A JSON object with mapName, or with layers and singleFusedMapCache; a layer's description with its parent.",
    impostors: "Feature services list layers too, but draw no map; errors come with status 200.",
};

impl Kind for ArcgisMapServer {
    fn doc(&self) -> &'static KindDoc {
        &DOC
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
