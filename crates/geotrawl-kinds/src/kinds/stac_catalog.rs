//! STAC catalogues of files: catalogues, collections and items that link to each other.

use super::members::{Draft, MAX_TARGETS, links, title};
use super::stac::{self, Sort};
use super::{Claim, CorpusLabel, Kind, KindProfile, Reading, Request};
use crate::formats::json::Doc;
use crate::probe::Target;
use crate::urls;
use geotrawl_model::{Dataset, Intent, Way};
use serde_json::Value;
use url::Url;

/// A static catalogue.
pub struct StacCatalog;

const ID: &str = "stac-catalog";
const WAY: Way = Way::Borrowed("catalogue:stac");
/// Assets requested of one item.
const MAX_ASSETS: usize = 50;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "STAC catalogue",
    what: "A catalogue of scenes and other data in files that link to each other. A collection is a dataset, a catalogue is a folder; children and items are requested in turn.",
    specification: "https://github.com/radiantearth/stac-spec",
    evidence: "A JSON object with stac_version that is a Catalog, a Collection or an item.",
    false_positives: "The landing page of a STAC interface is a catalogue with conformance classes; item collections are GeoJSON.",
    request: Request::Page,
    protocol: Some("STAC:Catalog"),
    corpus_labels: &[
        CorpusLabel::versioned("stac-catalog"),
        CorpusLabel::versioned("stac-collection"),
        CorpusLabel::versioned("stac-item"),
    ],
    ..KindProfile::JSON_CATALOGUE
};

impl Kind for StacCatalog {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claims_json(&self, doc: &Doc, _at: &Url) -> Option<Claim> {
        stac::sort(&doc.root).filter(|_| !stac::is_landing(&doc.root))?;
        Some(Claim { version: stac::version(&doc.root).map(str::to_owned), oddity: None })
    }

    fn read_json(&self, doc: &Doc, _claim: Claim, at: &Url) -> Reading {
        let root = &doc.root;
        let Some(sort) = stac::sort(root) else { return Reading::default() };
        let mut draft = Draft::new(ID, urls::endpoint(at));
        stac::describe(&mut draft, doc);
        let mut targets = Vec::new();
        let mut children = 0_u64;
        for link in links(root) {
            let child = matches!(link.rel, "child" | "item" | "items");
            children += u64::from(link.rel == "child");
            if child && link.rel == "child" && sort == Sort::Catalog {
                draft.push(Dataset {
                    name: link.href.chars().take(1000).collect(),
                    title: title(&Value::String(link.title.to_owned()), "")
                        .or_else(|| crate::formats::xml::tidy(link.title, 1024)),
                    ..Dataset::default()
                });
            }
            if child
                && targets.len() < MAX_TARGETS
                && let Some(url) = urls::clean(link.href, at).filter(|url| stac::is_elsewhere(at, url))
            {
                let words = link.title.chars().take(200).collect();
                targets.push(Target { words, ..Target::new(url, Intent::Page, WAY) });
            }
        }
        match sort {
            Sort::Catalog => draft.resource.dataset_count = children,
            Sort::Collection | Sort::Item => {
                let dataset = stac::dataset(&mut draft, root);
                draft.push(dataset);
            }
        }
        if sort == Sort::Item {
            let assets = root.get("assets").and_then(Value::as_object);
            for asset in assets.into_iter().flat_map(|assets| assets.values()).take(MAX_ASSETS) {
                if let Some(href) = asset.get("href").and_then(Value::as_str) {
                    let words = title(asset, "title").unwrap_or_default();
                    super::members::add_target(href, at, &WAY, &words, &mut targets);
                }
            }
        }
        let document = match sort {
            Sort::Catalog => "stac-catalog",
            Sort::Collection => "stac-collection",
            Sort::Item => "stac-item",
        };
        Reading { resources: vec![draft.finish()], targets, document: Some(document), ..Reading::default() }
    }
}
