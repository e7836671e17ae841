//! The services directory of an ArcGIS server: its folders and services.

use super::{MARKS, parse_address, server_version, service_url, start_service_probe};
use crate::formats::json::JsonDocument;
use crate::kinds::members::{MAX_TARGETS, ResourceDraft, text_member, title_member};
use crate::kinds::{
    CorpusLabel, DocumentClaim, DocumentReading, Kind, KindProfile, RubricRow, kind_of_arcgis_service,
};
use crate::probe::{CrawlTarget, ProbeRequest, ServiceProbe};
use crate::urls;
use geotrawl_model::{Dataset, DiscoveryMethod, Intent};
use serde_json::Value;
use url::Url;

/// A services directory.
pub struct ArcgisDirectoryKind;

const ID: &str = "arcgis-directory";
const WAY: DiscoveryMethod = DiscoveryMethod::Borrowed("catalogue:arcgis-directory");

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "ArcGIS services directory",
    what: "The list of the services of an ArcGIS server, or of one of its folders. Each service is a dataset and is probed next.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/catalog/",
    evidence: "A JSON object with currentVersion and a list of services with names and types.",
    false_positives: "Errors, which are JSON with status 200; the info page, which has a version but no services.",
    has_extent: false,
    rubric_row: RubricRow::Catalogues,
    corpus_labels: &[CorpusLabel::versioned("arcgis-rest-directory")],
    terria_type: Some("esri-group"),
    ..KindProfile::ARCGIS
};

impl Kind for ArcgisDirectoryKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        let services = doc.get("services")?.as_array()?;
        let folders = doc.get("folders").is_none_or(Value::is_array);
        let named = services
            .iter()
            .take(20)
            .all(|s| text_member(s, "name").is_some() && text_member(s, "type").is_some());
        let known = doc.has_member("currentVersion") || doc.has_member("specVersion");
        (known && folders && named).then(|| DocumentClaim { version: server_version(doc), oddity: None })
    }

    fn read_json(&self, doc: &JsonDocument, claim: DocumentClaim, at: &Url) -> DocumentReading {
        let here = service_url(at);
        let mut draft = ResourceDraft::new(ID, here.clone());
        let mut targets = Vec::new();
        draft.resource.versions.extend(claim.version.clone());
        draft.resource.title = parse_address(at).and_then(|a| a.name);
        draft.resource.software = claim.version.map(|version| format!("ArcGIS Server {version}"));
        let list =
            |name: &str| doc.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for service in list("services") {
            let (Some(name), Some(type_)) = (text_member(service, "name"), text_member(service, "type"))
            else {
                continue;
            };
            draft.add_dataset(Dataset {
                name: name.to_owned(),
                title: title_member(service, "title"),
                formats: vec![type_.into()],
                ..Dataset::default()
            });
            let kind = kind_of_arcgis_service(type_);
            // `Utilities` contains services of the server software, which hold no data.
            let utility = name.starts_with("Utilities/");
            if let (Some(kind), false, true) = (kind, utility, targets.len() < MAX_TARGETS) {
                let url = match text_member(service, "url").and_then(|url| urls::clean_link(url, at)) {
                    Some(url) => Some(urls::endpoint_url(&url)),
                    None => below(&here, name, Some(type_)),
                };
                if let Some(url) = url {
                    let intent = Intent::Ask { kind: kind.to_owned() };
                    targets
                        .push(CrawlTarget { words: name.to_owned(), ..CrawlTarget::new(url, intent, WAY) });
                }
            }
        }
        for folder in list("folders").iter().filter_map(Value::as_str).take(1000) {
            if !folder.eq_ignore_ascii_case("utilities")
                && let Some(url) = below(&here, folder, None)
            {
                let intent = Intent::Ask { kind: ID.to_owned() };
                targets.push(CrawlTarget { words: folder.to_owned(), ..CrawlTarget::new(url, intent, WAY) });
            }
        }
        if let Some(count) = doc.array_len("/services") {
            draft.resource.dataset_count = count;
        }
        draft.note_syntax_issues(doc);
        DocumentReading {
            resources: vec![draft.finish()],
            targets,
            document: Some("arcgis-rest-directory"),
            ..DocumentReading::default()
        }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        MARKS
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        parse_address(url).filter(|address| address.type_.is_none()).map(|address| address.root)
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        Some(start_service_probe(at))
    }
}

/// Returns the URL of a service or folder. Names of services include their folder.
fn below(here: &Url, name: &str, type_: Option<&str>) -> Option<Url> {
    let lower = here.path().to_ascii_lowercase();
    let end = lower.rfind("/services").map_or(lower.trim_end_matches('/').len(), |at| at + "/services".len());
    let mut url = here.clone();
    let mut path = here.path().get(..end)?.to_owned();
    let inside = here.path().get(end..).unwrap_or_default().trim_matches('/');
    // Some servers omit the folder.
    if !inside.is_empty() && !name.contains('/') {
        path.push('/');
        path.push_str(inside);
    }
    for part in name.split('/').chain(type_).filter(|part| !part.is_empty()) {
        if part == ".." || part.len() > 400 {
            return None;
        }
        path.push('/');
        path.push_str(part);
    }
    url.set_path(&path);
    Some(url)
}
