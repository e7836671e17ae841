//! Static STAC catalogues: catalogues, collections and items that link to each other.

use super::members::{MAX_TARGETS, ResourceDraft, document_links, title_member};
use super::stac::{self, StacType};
use super::{CorpusLabel, DescriptionRequest, DocumentClaim, DocumentReading, Kind, KindProfile};
use crate::formats::json::JsonDocument;
use crate::probe::CrawlTarget;
use crate::urls;
use geotrawl_model::{Dataset, DiscoveryMethod, Intent};
use serde_json::Value;
use url::Url;

/// A static catalogue.
pub struct StacCatalogKind;

const ID: &str = "stac-catalog";
const WAY: DiscoveryMethod = DiscoveryMethod::Borrowed("catalogue:stac");
/// Maximum number of assets requested per item.
const MAX_ASSETS: usize = 50;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "STAC catalogue",
    what: "A catalogue of scenes and other data in files that link to each other. Each collection is a dataset, a catalogue is a folder; children and items are requested next.",
    specification: "https://github.com/radiantearth/stac-spec",
    evidence: "A JSON object that has a stac_version and is a Catalog, a Collection or an Item.",
    false_positives: "Landing pages of STAC APIs, which are catalogues with conformance classes; item collections, which are GeoJSON.",
    request: DescriptionRequest::Page,
    protocol: Some("STAC:Catalog"),
    corpus_labels: &[
        CorpusLabel::versioned("stac-catalog"),
        CorpusLabel::versioned("stac-collection"),
        CorpusLabel::versioned("stac-item"),
    ],
    ..KindProfile::JSON_CATALOGUE
};

impl Kind for StacCatalogKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        stac::document_type(&doc.root).filter(|_| !stac::is_landing(&doc.root))?;
        Some(DocumentClaim { version: stac::stac_version(&doc.root).map(str::to_owned), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let root = &doc.root;
        let Some(sort) = stac::document_type(root) else { return DocumentReading::default() };
        let mut draft = ResourceDraft::new(ID, urls::endpoint_url(at));
        stac::describe_resource(&mut draft, doc);
        let mut targets = Vec::new();
        let mut children = 0_u64;
        for link in document_links(root) {
            let child = matches!(link.rel, "child" | "item" | "items");
            children += u64::from(link.rel == "child");
            if child && link.rel == "child" && sort == StacType::Catalog {
                draft.add_dataset(Dataset {
                    name: link.href.chars().take(1000).collect(),
                    title: title_member(&Value::String(link.title.to_owned()), "")
                        .or_else(|| crate::formats::xml::tidy_text(link.title, 1024)),
                    ..Dataset::default()
                });
            }
            if child
                && targets.len() < MAX_TARGETS
                && let Some(url) = urls::clean_link(link.href, at).filter(|url| stac::is_elsewhere(at, url))
            {
                let words = link.title.chars().take(200).collect();
                targets.push(CrawlTarget { words, ..CrawlTarget::new(url, Intent::Page, WAY) });
            }
        }
        match sort {
            StacType::Catalog => draft.resource.dataset_count = children,
            StacType::Collection | StacType::Item => {
                let dataset = stac::build_dataset(&mut draft, root);
                draft.add_dataset(dataset);
            }
        }
        if sort == StacType::Item {
            let assets = root.get("assets").and_then(Value::as_object);
            for asset in assets.into_iter().flat_map(|assets| assets.values()).take(MAX_ASSETS) {
                if let Some(href) = asset.get("href").and_then(Value::as_str) {
                    let words = title_member(asset, "title").unwrap_or_default();
                    super::members::add_target(href, at, &WAY, &words, &mut targets);
                }
            }
        }
        let document = match sort {
            StacType::Catalog => "stac-catalog",
            StacType::Collection => "stac-collection",
            StacType::Item => "stac-item",
        };
        DocumentReading {
            resources: vec![draft.finish()],
            targets,
            document: Some(document),
            ..DocumentReading::default()
        }
    }
}
