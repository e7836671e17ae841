//! TileJSON: the URLs and contents of a tile set.

use super::members::{ResourceDraft, parse_corners, prose_member, title_member};
use super::{
    CorpusLabel, DescriptionRequest, DocumentClaim, DocumentReading, Kind, KindProfile, MapRenderer,
    MetadataDepth,
};
use crate::formats::json::JsonDocument;
use crate::urls;
use geotrawl_model::Dataset;
use serde_json::Value;
use url::Url;

/// Description of a tile set.
pub struct TileJsonKind;

const ID: &str = "tilejson";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "TileJSON",
    what: "A description of a set of map tiles: templates, zoom levels, extent, layers. The set is one dataset.",
    specification: "https://github.com/mapbox/tilejson-spec",
    evidence: "A JSON object with tilejson as a version, and tiles, vector_layers or bounds.",
    false_positives: "Documents that only mention a TileJSON; styles, which list tiles inside their sources.",
    request: DescriptionRequest::Page,
    kept_bytes: 1 << 20,
    metadata: MetadataDepth::Terse,
    corpus_labels: &[CorpusLabel::versioned("tilejson")],
    drawer: Some(MapRenderer::Tiles),
    ..KindProfile::TILES
};

impl Kind for TileJsonKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        let version = doc.text_member("tilejson")?;
        let versioned = version.starts_with(|c: char| c.is_ascii_digit()) && version.len() <= 16;
        let list = |name: &str| doc.get(name).is_some_and(Value::is_array);
        (versioned && (list("tiles") || list("vector_layers") || list("bounds")))
            .then(|| DocumentClaim { version: Some(version.to_owned()), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, claim: DocumentClaim, at: &Url) -> DocumentReading {
        let root = &doc.root;
        let mut draft = ResourceDraft::new(ID, urls::endpoint_url(at));
        draft.resource.versions.extend(claim.version);
        draft.resource.title = title_member(root, "name");
        draft.resource.abstract_ = prose_member(root, "description");
        draft.resource.licence = super::members::stated_licence(title_member(root, "attribution"));
        draft.resource.formats = formats(root).into_iter().collect();
        draft.resource.crs = vec!["EPSG:3857".into()];
        let bbox = root.get("bounds").and_then(parse_corners).and_then(|written| draft.place_box(written));
        draft.resource.bbox = bbox;
        let layers =
            root.get("vector_layers").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let dataset = Dataset {
            name: title_member(root, "id").or_else(|| title_member(root, "name")).unwrap_or_default(),
            title: title_member(root, "name"),
            abstract_: prose_member(root, "description"),
            keywords: layers
                .iter()
                .take(100)
                .filter_map(|layer| title_member(layer, "id"))
                .map(Into::into)
                .collect(),
            bbox,
            ..Dataset::default()
        };
        draft.add_dataset(dataset);
        draft.note_syntax_issues(doc);
        DocumentReading {
            resources: vec![draft.finish()],
            document: Some("tilejson"),
            ..DocumentReading::default()
        }
    }
}

/// Returns the format of the tiles by the end of their URL template.
fn formats(root: &Value) -> Option<geotrawl_model::SharedText> {
    if let Some(format) = title_member(root, "format").filter(|f| f.len() <= 40) {
        return Some(format.into());
    }
    let template = root.pointer("/tiles/0")?.as_str()?;
    let path = template.split(['?', '#']).next()?;
    let (_, extension) = path.rsplit_once('.')?;
    (extension.len() <= 5 && extension.chars().all(char::is_alphanumeric)).then(|| extension.into())
}
