//! Image services of ArcGIS.

use super::{MARKS, approach, draft, hint, is_other_type, version};
use super::{faces, time_of};
use crate::formats::json::Doc;
use crate::kinds::{Claim, CorpusLabel, Drawer, Kind, KindProfile, QgisConnection, Reading, RubricRow};
use crate::probe::{Ask, Dialogue};
use geotrawl_model::Dataset;
use url::Url;

/// Image services of ArcGIS.
pub struct ArcgisImageServer;

const ID: &str = "arcgis-imageserver";
const TYPE: &str = "ImageServer";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ArcGIS image service",
    what: "Rasters of an ArcGIS server, as pictures and as values. The service is one dataset.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/image-service/",
    evidence: "A JSON object with pixelSizeX and bandCount, pixelType or serviceDataType.",
    false_positives: "Map services have extents and time too, but no pixels.",
    protocol: Some("ESRI:ArcGIS:ImageServer"),
    rubric_row: RubricRow::Coverages,
    operation_words: ("maps", "drawn"),
    corpus_labels: &[CorpusLabel::versioned("arcgis-rest-imageserver")],
    drawer: Some(Drawer::Arcgis),
    terria_type: Some("esri-imageServer"),
    qgis_connection: Some(QgisConnection::Arcgis),
    arcgis_type: Some(TYPE),
    ..KindProfile::ARCGIS
};

impl Kind for ArcgisImageServer {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claims_json(&self, doc: &Doc, at: &Url) -> Option<Claim> {
        let claimed = doc.has("pixelSizeX")
            && ["bandCount", "pixelType", "serviceDataType"].iter().any(|name| doc.has(name));
        (claimed && !is_other_type(at, TYPE)).then(|| Claim { version: version(doc), oddity: None })
    }

    fn read_json(&self, doc: &Doc, _claim: Claim, at: &Url) -> Reading {
        let mut draft = draft(ID, doc, at);
        let dataset = Dataset {
            name: draft.resource.title.clone().unwrap_or_default(),
            title: draft.resource.title.clone(),
            abstract_: draft.resource.abstract_.clone(),
            bbox: draft.resource.bbox,
            crs: draft.resource.crs.clone().into(),
            time: time_of(&doc.root).into_iter().collect(),
            ..Dataset::default()
        };
        draft.push(dataset);
        Reading {
            resources: vec![draft.finish()],
            targets: faces(doc, at),
            document: Some("arcgis-rest-imageserver"),
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
