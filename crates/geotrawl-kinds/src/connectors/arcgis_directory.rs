//! Harvests the services directory of ArcGIS Server.
//!
//! State: empty for the root; `folder` (one level below it).

use super::fields::{LINE, address_member, text_member};
use super::json_page::{PageState, cut_before, page_request, parse_json, url_below, with_query};
use super::{CataloguePage, Connector, ConnectorDoc};
use crate::kinds;
use crate::probe::{CrawlTarget, ProbeRequest, ProbeResponse};
use geotrawl_model::{CatalogueRecord, Intent, Issue, RecordLink};
use serde_json::Value;
use url::Url;

/// The services directory of ArcGIS Server and ArcGIS Online.
pub struct ArcgisDirectoryConnector;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "arcgis-directory",
    name: "ArcGIS services directory",
    what: "Reads the root of an ArcGIS services directory and its folders, one level deep, and probes every \
           service as the type stated in the directory.",
    specification: "https://developers.arcgis.com/rest/services-reference/enterprise/catalog/",
    kinds: &["arcgis-directory"],
    incremental: false,
};

/// OGC services that the directory lists separately.
const FACES: &[(&str, &str)] = &[("WCSServer", "wcs"), ("WFSServer", "wfs"), ("WMSServer", "wms")];
/// Maximum number of folders and services followed per response.
const FOLDERS: usize = 1000;
const SERVICES: usize = 50_000;

impl Connector for ArcgisDirectoryConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn page_request(&self, at: &Url, state: &str, _since: Option<&str>) -> ProbeRequest {
        let state = PageState::parse(state);
        let mut url = directory(at);
        if let Some(folder) = state.get("folder")
            && let Ok(mut path) = url.path_segments_mut()
        {
            path.pop_if_empty().push(folder);
        }
        page_request(with_query(url, &[("f", "json")]))
    }

    fn parse_page(&self, at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        let state = PageState::parse(state);
        let doc = match parse_json(answer) {
            Ok(doc) => doc,
            // A folder that requires a login must not end the harvest of the others.
            Err(issue) if state.get("folder").is_some() => {
                return CataloguePage { issues: vec![issue], ..CataloguePage::default() };
            }
            Err(issue) => return CataloguePage { failure: Some(issue), ..CataloguePage::default() },
        };
        if let Some(error) = doc.get("error") {
            let said = text_member(error, &["message", "code"], LINE).unwrap_or_default();
            let issue = Issue::new("catalogue-refused", format!("the directory returned an error: {said}"));
            return match state.get("folder") {
                Some(_) => CataloguePage { issues: vec![issue], ..CataloguePage::default() },
                None => CataloguePage { failure: Some(issue), ..CataloguePage::default() },
            };
        }
        let services = doc.get("services").and_then(Value::as_array);
        let folders = doc.get("folders").and_then(Value::as_array);
        if services.is_none() && folders.is_none() {
            let issue = Issue::new("catalogue-refused", "the response lists neither services nor folders");
            return CataloguePage { failure: Some(issue), ..CataloguePage::default() };
        }
        let mut page = CataloguePage::default();
        let root = root(at);
        for service in services.into_iter().flatten().take(SERVICES) {
            add_service(&root, service, &mut page);
        }
        if state.get("folder").is_none() {
            let names = folders.into_iter().flatten().filter_map(Value::as_str);
            let names = names.filter(|name| !name.is_empty() && name.len() <= 256).take(FOLDERS);
            page.next = names.map(|name| PageState::default().with_value("folder", name).encode()).collect();
        }
        page
    }
}

/// Returns `.../rest/services`, without anything after it.
fn root(at: &Url) -> Url {
    let mut url = cut_before(at, &["/rest/services"]);
    if at.path().to_ascii_lowercase().contains("/rest/services") {
        url = url_below(&url, "rest/services");
    }
    url
}

/// Returns the URL of the root or folder that `at` belongs to.
fn directory(at: &Url) -> Url {
    let mut url = at.clone();
    url.set_query(None);
    url
}

fn add_service(root: &Url, service: &Value, page: &mut CataloguePage) {
    let Some(name) = text_member(service, &["name"], LINE) else { return };
    let Some(kind) = text_member(service, &["type"], 64) else { return };
    // The name includes the folder. A URL in the response is used only if it is on this server.
    let built = url_below(root, &format!("{name}/{kind}"));
    let given = address_member(service, &["url"]).and_then(|raw| root.join(&raw).ok());
    let url = given.filter(|url| url.host_str() == root.host_str()).unwrap_or(built);
    let face = FACES.iter().find(|(name, _)| name.eq_ignore_ascii_case(&kind));
    if let Some(asked) = kinds::kind_of_arcgis_service(&kind) {
        let intent = Intent::Ask { kind: asked.to_owned() };
        page.targets
            .push(CrawlTarget { words: name.clone(), ..CrawlTarget::new(url.clone(), intent, "catalogue") });
    } else if let Some((_, asked)) = face {
        // The OGC services are beside `rest`: `/arcgis/services/name/WFSServer`.
        let mut face = url.clone();
        face.set_path(&url.path().replacen("/rest/services", "/services", 1));
        let intent = Intent::Ows { kind: (*asked).to_owned(), siblings: false };
        page.targets.push(CrawlTarget { words: name.clone(), ..CrawlTarget::new(face, intent, "catalogue") });
    }
    let title = name.rsplit('/').next().map(|t| t.replace('_', " "));
    page.records.push(CatalogueRecord {
        id: format!("{name}/{kind}"),
        title,
        links: vec![RecordLink {
            url: url.into(),
            protocol: Some(format!("ESRI:ArcGIS:{kind}")),
            ..RecordLink::default()
        }],
        type_: Some("service".to_owned()),
        ..CatalogueRecord::default()
    });
}
