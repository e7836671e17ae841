//! TopoJSON: GeoJSON with shared lines.

use super::members::{ResourceDraft, parse_corners, parse_float, title_member};
use super::{
    CorpusLabel, DescriptionFormat, DocumentClaim, DocumentReading, Kind, KindProfile, MapRenderer, QgisLayer,
};
use crate::formats::json::JsonDocument;
use crate::urls;
use geotrawl_model::Dataset;
use serde_json::Value;
use url::Url;

/// A topology.
pub struct TopoJsonKind;

const ID: &str = "topojson";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "TopoJSON",
    what: "Geometries that share their lines. Each named object is a dataset.",
    specification: "https://github.com/topojson/topojson-specification",
    evidence: "A JSON object of type Topology with objects and arcs.",
    false_positives: "GeoJSON, which has other types; network topologies, which have no arcs.",
    description: DescriptionFormat::Json,
    extensions: &["topojson"],
    fixed_crs: true,
    corpus_labels: &[CorpusLabel::plain("topojson")],
    drawer: Some(MapRenderer::Files),
    qgis_layer: Some(QgisLayer::Vector),
    ..KindProfile::TEXT_FILE
};

impl Kind for TopoJsonKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        let topology = doc.text_member("type") == Some("Topology");
        let arcs = doc.get("arcs").is_some_and(Value::is_array) || !doc.complete;
        (topology && arcs && doc.get("objects").is_some_and(Value::is_object)).then(DocumentClaim::default)
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let root = &doc.root;
        let mut draft = ResourceDraft::new(ID, urls::endpoint_url(at));
        draft.resource.title = title_member(root, "name").or_else(|| title_member(root, "title"));
        let written = root.get("bbox").and_then(parse_corners).or_else(|| measured(doc));
        let bbox = written.and_then(|written| draft.place_box(written));
        draft.resource.bbox = bbox;
        for (name, object) in root.get("objects").and_then(Value::as_object).into_iter().flatten() {
            let own = object.get("bbox").and_then(parse_corners).and_then(|written| draft.place_box(written));
            draft.add_dataset(Dataset {
                name: name.chars().take(1000).collect(),
                bbox: own.or(bbox),
                formats: title_member(object, "type").into_iter().map(Into::into).collect(),
                ..Dataset::default()
            });
        }
        draft.note_syntax_issues(doc);
        DocumentReading {
            resources: vec![draft.finish()],
            document: Some("topojson"),
            ..DocumentReading::default()
        }
    }
}

/// Returns the extent of the arcs and points, with the transform applied if there is one.
fn measured(doc: &JsonDocument) -> Option<[f64; 4]> {
    if !doc.complete {
        return None;
    }
    let pair = |pointer: &str| {
        let list = doc.root.pointer(pointer)?.as_array()?;
        Some((parse_float(list.first()?)?, parse_float(list.get(1)?)?))
    };
    let Some(((kx, ky), (dx, dy))) = pair("/transform/scale").zip(pair("/transform/translate")) else {
        return join(doc.arcs, doc.coordinates);
    };
    let grid = join(doc.delta_arcs, doc.coordinates)?;
    let (left, right) = (grid[0] * kx + dx, grid[2] * kx + dx);
    let (below, above) = (grid[1] * ky + dy, grid[3] * ky + dy);
    Some([left.min(right), below.min(above), left.max(right), below.max(above)])
}

fn join(a: Option<[f64; 4]>, b: Option<[f64; 4]>) -> Option<[f64; 4]> {
    match (a, b) {
        (Some(a), Some(b)) => Some([a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]),
        (a, b) => a.or(b),
    }
}
