//! Styles of Mapbox GL and MapLibre: how maps look, and where their data come from.

use super::members::{Draft, MAX_TARGETS, add_target, title};
use super::{Claim, CorpusLabel, Family, Kind, KindProfile, Reading, Request, xyz};
use crate::formats::json::Doc;
use crate::probe::Target;
use crate::urls;
use geotrawl_model::{Dataset, Way};
use serde_json::Value;
use url::Url;

/// A style.
pub struct MaplibreStyle;

const ID: &str = "maplibre-style";
const WAY: Way = Way::Borrowed("config:maplibre-style");

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "MapLibre or Mapbox style",
    what: "The style of a map drawn in the browser. Each of its sources is a dataset, and is requested in turn.",
    specification: "https://maplibre.org/maplibre-style-spec/",
    evidence: "A JSON object with version 8 (or 7), an object of sources and a list of layers.",
    false_positives: "Viewer configurations have layers and sources too, but no version of the style specification.",
    family: Family::Wms,
    request: Request::Page,
    has_extent: false,
    corpus_labels: &[CorpusLabel::versioned("mapbox-style")],
    ..KindProfile::ARCGIS
};

impl Kind for MaplibreStyle {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claims_json(&self, doc: &Doc, _at: &Url) -> Option<Claim> {
        let version = doc.get("version")?.as_u64().filter(|v| matches!(v, 7 | 8))?;
        let sources = doc.get("sources")?.as_object()?;
        let typed = sources.values().all(Value::is_object);
        let layers = doc.get("layers").and_then(Value::as_array);
        let styled = layers.is_some_and(|list| list.iter().take(20).all(|layer| layer.get("id").is_some()));
        (typed && styled).then(|| Claim { version: Some(version.to_string()), oddity: None })
    }

    fn read_json(&self, doc: &Doc, claim: Claim, at: &Url) -> Reading {
        let mut draft = Draft::new(ID, urls::endpoint(at));
        draft.resource.versions.extend(claim.version);
        draft.resource.title = title(&doc.root, "name");
        draft.resource.provider = title(&doc.root, "owner");
        let mut targets = Vec::new();
        let sources = doc.get("sources").and_then(Value::as_object);
        for (name, source) in sources.into_iter().flatten() {
            let bbox = source.get("bounds").and_then(super::members::corners).and_then(|b| draft.place(b));
            draft.push(Dataset {
                name: name.chars().take(200).collect(),
                title: title(source, "attribution"),
                bbox,
                formats: title(source, "type").into_iter().map(Into::into).collect(),
                ..Dataset::default()
            });
            source_targets(source, at, name, &mut targets);
        }
        draft.note_form(doc);
        Reading {
            resources: vec![draft.finish()],
            targets,
            document: Some("mapbox-style"),
            ..Reading::default()
        }
    }
}

/// Where a source's data are: another document, tiles, or a file.
fn source_targets(source: &Value, at: &Url, name: &str, out: &mut Vec<Target>) {
    let direct = ["url", "data"].iter().filter_map(|member| source.get(*member).and_then(Value::as_str));
    for address in direct {
        // `mapbox://` addresses need a key, and belong to nobody else.
        let address =
            address.strip_prefix("pmtiles://").or_else(|| address.strip_prefix("cog://")).unwrap_or(address);
        if !address.starts_with("mapbox:") {
            add_target(address, at, &WAY, name, out);
        }
    }
    let tiles = source.get("tiles").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    // Several templates are doors to the same tiles.
    if let Some(template) = tiles.iter().find_map(Value::as_str)
        && out.len() < MAX_TARGETS
    {
        if template.contains("{bbox-epsg-3857}") {
            add_target(&template.replace("{bbox-epsg-3857}", "0,0,1,1"), at, &WAY, name, out);
        } else if let Some(target) = xyz::target(template, at, WAY, name) {
            out.push(target);
        } else {
            add_target(template, at, &WAY, name, out);
        }
    }
}
