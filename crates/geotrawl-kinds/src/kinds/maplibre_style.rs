//! Mapbox GL and MapLibre styles: how maps look and where their data come from.

use super::members::{MAX_TARGETS, ResourceDraft, add_target, title_member};
use super::{
    CorpusLabel, DescriptionRequest, DocumentClaim, DocumentReading, Family, Kind, KindProfile, xyz,
};
use crate::formats::json::JsonDocument;
use crate::probe::CrawlTarget;
use crate::urls;
use geotrawl_model::{Dataset, DiscoveryMethod};
use serde_json::Value;
use url::Url;

/// A style.
pub struct MaplibreStyleKind;

const ID: &str = "maplibre-style";
const WAY: DiscoveryMethod = DiscoveryMethod::Borrowed("config:maplibre-style");

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "MapLibre or Mapbox style",
    what: "The style of a map drawn in the browser. Each of its sources is a dataset, and is requested in turn.",
    specification: "https://maplibre.org/maplibre-style-spec/",
    evidence: "A JSON object with version 8 (or 7), an object of sources and a list of layers.",
    false_positives: "Viewer configurations have layers and sources too, but no version of the style specification.",
    family: Family::Wms,
    request: DescriptionRequest::Page,
    has_extent: false,
    corpus_labels: &[CorpusLabel::versioned("mapbox-style")],
    ..KindProfile::ARCGIS
};

impl Kind for MaplibreStyleKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        let version = doc.get("version")?.as_u64().filter(|v| matches!(v, 7 | 8))?;
        let sources = doc.get("sources")?.as_object()?;
        let typed = sources.values().all(Value::is_object);
        let layers = doc.get("layers").and_then(Value::as_array);
        let styled = layers.is_some_and(|list| list.iter().take(20).all(|layer| layer.get("id").is_some()));
        (typed && styled).then(|| DocumentClaim { version: Some(version.to_string()), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, claim: DocumentClaim, at: &Url) -> DocumentReading {
        let mut draft = ResourceDraft::new(ID, urls::endpoint_url(at));
        draft.resource.versions.extend(claim.version);
        draft.resource.title = title_member(&doc.root, "name");
        draft.resource.provider = title_member(&doc.root, "owner");
        let mut targets = Vec::new();
        let sources = doc.get("sources").and_then(Value::as_object);
        for (name, source) in sources.into_iter().flatten() {
            let bbox =
                source.get("bounds").and_then(super::members::parse_corners).and_then(|b| draft.place_box(b));
            draft.add_dataset(Dataset {
                name: name.chars().take(200).collect(),
                title: title_member(source, "attribution"),
                bbox,
                formats: title_member(source, "type").into_iter().map(Into::into).collect(),
                ..Dataset::default()
            });
            source_targets(source, at, name, &mut targets);
        }
        draft.note_syntax_issues(doc);
        DocumentReading {
            resources: vec![draft.finish()],
            targets,
            document: Some("mapbox-style"),
            ..DocumentReading::default()
        }
    }
}

/// Appends the targets of a source: another document, tiles, or a file.
fn source_targets(source: &Value, at: &Url, name: &str, out: &mut Vec<CrawlTarget>) {
    let direct = ["url", "data"].iter().filter_map(|member| source.get(*member).and_then(Value::as_str));
    for address in direct {
        // `mapbox://` URLs require a key and are only on that host.
        let address =
            address.strip_prefix("pmtiles://").or_else(|| address.strip_prefix("cog://")).unwrap_or(address);
        if !address.starts_with("mapbox:") {
            add_target(address, at, &WAY, name, out);
        }
    }
    let tiles = source.get("tiles").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    // Several templates are aliases of the same tiles.
    if let Some(template) = tiles.iter().find_map(Value::as_str)
        && out.len() < MAX_TARGETS
    {
        if template.contains("{bbox-epsg-3857}") {
            add_target(&template.replace("{bbox-epsg-3857}", "0,0,1,1"), at, &WAY, name, out);
        } else if let Some(target) = xyz::tile_target(template, at, WAY, name) {
            out.push(target);
        } else {
            add_target(template, at, &WAY, name, out);
        }
    }
}
