//! TileJSON: where tiles are and what they show.

use super::members::{Draft, corners, prose, title};
use super::{Claim, CorpusLabel, Drawer, Kind, KindProfile, Metadata, Reading, Request};
use crate::formats::json::Doc;
use crate::urls;
use geotrawl_model::Dataset;
use serde_json::Value;
use url::Url;

/// A description of tiles.
pub struct TileJson;

const ID: &str = "tilejson";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "TileJSON",
    what: "A description of a set of map tiles: templates, zoom levels, extent, layers. The set is one dataset.",
    specification: "https://github.com/mapbox/tilejson-spec",
    evidence: "A JSON object with tilejson as a version, and tiles, vector_layers or bounds.",
    false_positives: "Documents that only mention a TileJSON; styles list tiles inside their sources.",
    request: Request::Page,
    kept_bytes: 1 << 20,
    metadata: Metadata::Terse,
    corpus_labels: &[CorpusLabel::versioned("tilejson")],
    drawer: Some(Drawer::Tiles),
    ..KindProfile::TILES
};

impl Kind for TileJson {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claims_json(&self, doc: &Doc, _at: &Url) -> Option<Claim> {
        let version = doc.text("tilejson")?;
        let versioned = version.starts_with(|c: char| c.is_ascii_digit()) && version.len() <= 16;
        let list = |name: &str| doc.get(name).is_some_and(Value::is_array);
        (versioned && (list("tiles") || list("vector_layers") || list("bounds")))
            .then(|| Claim { version: Some(version.to_owned()), oddity: None })
    }

    fn read_json(&self, doc: &Doc, claim: Claim, at: &Url) -> Reading {
        let root = &doc.root;
        let mut draft = Draft::new(ID, urls::endpoint(at));
        draft.resource.versions.extend(claim.version);
        draft.resource.title = title(root, "name");
        draft.resource.abstract_ = prose(root, "description");
        draft.resource.licence = super::members::licence(title(root, "attribution"));
        draft.resource.formats = formats(root).into_iter().collect();
        draft.resource.crs = vec!["EPSG:3857".into()];
        let bbox = root.get("bounds").and_then(corners).and_then(|written| draft.place(written));
        draft.resource.bbox = bbox;
        let layers =
            root.get("vector_layers").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let dataset = Dataset {
            name: title(root, "id").or_else(|| title(root, "name")).unwrap_or_default(),
            title: title(root, "name"),
            abstract_: prose(root, "description"),
            keywords: layers
                .iter()
                .take(100)
                .filter_map(|layer| title(layer, "id"))
                .map(Into::into)
                .collect(),
            bbox,
            ..Dataset::default()
        };
        draft.push(dataset);
        draft.note_form(doc);
        Reading { resources: vec![draft.finish()], document: Some("tilejson"), ..Reading::default() }
    }
}

/// What the tiles are, by the end of their template.
fn formats(root: &Value) -> Option<geotrawl_model::Shared> {
    if let Some(format) = title(root, "format").filter(|f| f.len() <= 40) {
        return Some(format.into());
    }
    let template = root.pointer("/tiles/0")?.as_str()?;
    let path = template.split(['?', '#']).next()?;
    let (_, extension) = path.rsplit_once('.')?;
    (extension.len() <= 5 && extension.chars().all(char::is_alphanumeric)).then(|| extension.into())
}
