//! ArcGIS Online organisations, Portals and Hub sites.

use super::portal::{ACCEPT, ANSWER_BYTES, PortalProbe, PortalProof, portal_resource};
use super::{DocumentClaim, DocumentReading, Kind, KindProfile};
use crate::connectors::{arcgis_portal_base, is_arcgis_hub, page_value};
use crate::extract::config;
use crate::formats::json::JsonDocument;
use crate::formats::xml::tidy_text;
use crate::probe::{Finding, ProbeRequest, ProbeResponse, ProbeStep, ResponseClass, ServiceProbe};
use geotrawl_model::Resource;
use serde_json::Value;
use url::Url;

/// An ArcGIS portal.
pub struct ArcgisPortalKind;

static PROFILE: KindProfile = KindProfile {
    id: "arcgis-portal",
    name: "ArcGIS portal or Hub site",
    what: "An organisation of ArcGIS Online, an ArcGIS Enterprise portal, or a Hub site: items that are services, \
           files, web maps and apps.",
    specification: "https://developers.arcgis.com/rest/users-groups-and-items/portal-self/",
    evidence: "The portal's self-description (isPortal, portalHostname), a search response with nextStart, or \
               the search service of a Hub site.",
    false_positives: "ArcGIS servers without a portal; login pages in front of one; {\"error\": ...} with status 200.",
    lists_datasets: false,
    terria_type: Some("arcgis-portal-group"),
    ..KindProfile::JSON_CATALOGUE
};

impl Kind for ArcgisPortalKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        let root = &doc.root;
        let search =
            root.get("nextStart").is_some() && root.get("results").is_some() && root.get("query").is_some();
        (search || is_self(root)).then(DocumentClaim::default)
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let mut portal = portal_resource("arcgis-portal", &arcgis_portal_base(at));
        describe(&mut portal, &doc.root);
        let document = if is_self(&doc.root) { "arcgis-portal-self" } else { "arcgis-portal-search" };
        DocumentReading { resources: vec![portal], document: Some(document), ..DocumentReading::default() }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        &[
            "webmap=",
            "item.html?id=",
            ".maps.arcgis.com",
            ".hub.arcgis.com",
            ".opendata.arcgis.com",
            "/sharing/rest",
            "/portal/home",
        ]
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        let path = url.path().to_ascii_lowercase();
        if let Some(item) = item_of(url) {
            return Some(item);
        }
        // Items are read at their own URL; a service below `/rest/services` is not a portal.
        if path.contains("/rest/services") || path.contains("/content/items/") || path.ends_with("/data") {
            return None;
        }
        let host = url.host_str().unwrap_or_default();
        let online = [".maps.arcgis.com", ".hub.arcgis.com", ".opendata.arcgis.com"];
        if online.iter().any(|end| host.ends_with(end)) {
            let mut root = url.clone();
            root.set_path("/");
            root.set_query(None);
            return Some(root);
        }
        let portal = path.contains("/sharing/rest") || path.contains("/portal/home");
        portal.then(|| arcgis_portal_base(url))
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        let base = arcgis_portal_base(at);
        if at.path().contains("/content/items/") {
            let ask = ProbeRequest::get(at.clone(), ACCEPT, ANSWER_BYTES);
            return Some((Box::new(PortalItemProbe { at: at.clone(), hops: HOPS }), ask));
        }
        let url = if is_arcgis_hub(at) {
            base.join("api/search/v1").ok()?
        } else {
            base.join("sharing/rest/portals/self?f=json").ok()?
        };
        Some(PortalProbe { at: base, judge, otherwise: None }.start(url))
    }
}

/// Maximum length of the chain of items: an application leads to its map, which may be another
/// application's.
const HOPS: usize = 2;

/// Returns the URL of the item data that a viewer URL shows: `viewer.html?webmap=<id>`,
/// `item.html?id=<id>`.
fn item_of(url: &Url) -> Option<Url> {
    let host = url.host_str().unwrap_or_default();
    let lower = url.path().to_ascii_lowercase();
    let portal = host == "arcgis.com"
        || host.ends_with(".arcgis.com")
        || lower.contains("/home/")
        || lower.contains("/apps/");
    let wanted = |key: &str| key.eq_ignore_ascii_case("webmap") || key.eq_ignore_ascii_case("id");
    let (_, id) =
        url.query_pairs().find(|(key, value)| wanted(key) && is_item_id(value)).filter(|_| portal)?;
    item_data(url, &id)
}

fn item_data(at: &Url, id: &str) -> Option<Url> {
    arcgis_portal_base(at).join(&format!("sharing/rest/content/items/{id}/data?f=json")).ok()
}

fn is_item_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Reads an item of a portal: a web map names services, an application names a web map.
struct PortalItemProbe {
    at: Url,
    hops: usize,
}

impl ServiceProbe for PortalItemProbe {
    fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep {
        let answered = answer.head.url.clone().unwrap_or_else(|| self.at.clone());
        let doc = match page_value(answer) {
            Ok(doc) => doc,
            Err(issue) => {
                let issues = vec![issue];
                return ProbeStep::Done(Box::new(Finding {
                    verdict: ResponseClass::Nothing,
                    issues,
                    ..Finding::default()
                }));
            }
        };
        let map = ["/values/webmap", "/map/itemId", "/values/webscene", "/values/story/webmap"]
            .iter()
            .find_map(|place| doc.pointer(place)?.as_str())
            .filter(|id| is_item_id(id));
        if let Some(next) = map.and_then(|id| item_data(&self.at, id)).filter(|_| self.hops > 0) {
            self.hops -= 1;
            return ProbeStep::Ask(Box::new(ProbeRequest::get(next, ACCEPT, ANSWER_BYTES)));
        }
        let Some((viewer, targets)) = config::read_config(&doc, &answered) else {
            return ProbeStep::Done(Box::new(Finding {
                verdict: ResponseClass::Nothing,
                ..Finding::default()
            }));
        };
        let document = (viewer == "arcgis-webmap").then_some("arcgis-webmap");
        ProbeStep::Done(Box::new(Finding { targets, document, ..Finding::default() }))
    }
}

fn is_self(doc: &Value) -> bool {
    doc.get("portalHostname").is_some() && (doc.get("isPortal").is_some() || doc.get("portalName").is_some())
}

fn describe(portal: &mut Resource, doc: &Value) {
    let word = |name: &str, cap| doc.get(name).and_then(Value::as_str).and_then(|t| tidy_text(t, cap));
    portal.title = word("name", 512).or_else(|| word("portalName", 512));
    portal.abstract_ = word("description", 4096);
    portal.languages.extend(word("culture", 32));
    portal.versions.extend(word("currentVersion", 32));
    portal.dataset_count = doc.get("total").and_then(Value::as_u64).unwrap_or(0);
}

fn judge(at: &Url, doc: &Value) -> Option<PortalProof> {
    let mut portal = portal_resource("arcgis-portal", at);
    let rule = if is_self(doc) {
        describe(&mut portal, doc);
        "the portal's description of itself"
    } else if is_arcgis_hub(at) && doc.get("links").is_some_and(Value::is_array) {
        portal.title = doc.get("title").and_then(Value::as_str).and_then(|t| tidy_text(t, 512));
        portal.software = Some("ArcGIS Hub".to_owned());
        "the search service of a Hub site"
    } else {
        return None;
    };
    Some(PortalProof { resource: portal, rule: rule.to_owned(), targets: Vec::new() })
}
