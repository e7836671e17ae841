//! Services that are identified by a dialogue of requests, simulated by tables of responses: checks
//! the requests and the findings.

#![expect(clippy::expect_used, reason = "a test that cannot build its answers has failed")]

use geotrawl_kinds::probe::{
    CrawlTarget, Finding, Probe, ProbeResponse, ProbeStep, ResponseBody, ResponseClass, ResponseHead,
};
use geotrawl_kinds::urls;
use geotrawl_model::{Intent, Resource};
use serde_json::{Value, json};
use url::Url;

/// Simulated server: addresses with status and body. All other addresses return 404.
struct AnswerTable(Vec<(&'static str, u16, Vec<u8>)>);

impl AnswerTable {
    fn json(pages: Vec<(&'static str, Value)>) -> Self {
        Self(pages.into_iter().map(|(url, body)| (url, 200, body.to_string().into_bytes())).collect())
    }

    /// Probes for a kind and returns the requests and the finding.
    fn ask(&self, kind: &str, url: &str) -> (Vec<String>, Finding) {
        let url = Url::parse(url).expect("an address");
        let (mut probe, mut ask) = Probe::start(Intent::Ask { kind: kind.to_owned() }, url);
        let mut requests = Vec::new();
        loop {
            requests.push(ask.url.to_string());
            assert!(requests.len() < 30, "never ends: {requests:?}");
            let answer = self.0.iter().find(|(address, ..)| *address == ask.url.as_str());
            let (status, body) =
                answer.map_or((404, Vec::new()), |(_, status, body)| (*status, body.clone()));
            let head = ResponseHead { url: Some(ask.url.clone()), status, ..ResponseHead::default() };
            match probe.handle_response(ProbeResponse {
                head: &head,
                body: ResponseBody::Whole(&body),
                truncated: false,
            }) {
                ProbeStep::Done(finding) => return (requests, *finding),
                ProbeStep::Ask(next) => ask = *next,
            }
        }
    }
}

fn kinds(finding: &Finding) -> Vec<&str> {
    finding.resources.iter().map(|f| f.resource.kind.as_str()).collect()
}

fn only(finding: Finding) -> Resource {
    assert_eq!(finding.resources.len(), 1, "{:?}", kinds(&finding));
    finding.resources.into_iter().next().expect("a resource").resource
}

fn link(rel: &str, href: &str) -> Value {
    json!({"rel": rel, "href": href, "type": "application/json"})
}

fn collection(id: &str) -> Value {
    json!({"id": id, "title": id, "extent": {"spatial": {"bbox": [[1, 2, 3, 4]]}},
           "links": [link("items", &format!("http://localhost/ogc/collections/{id}/items"))]})
}

#[test]
fn an_api_is_asked_for_its_classes_and_all_pages_of_its_collections() {
    let landing = json!({"title": "Data", "links": [
        link("service-desc", "/ogc/api"),
        link("conformance", "http://localhost:8080/ogc/conformance"),
        link("data", "/ogc/collections"),
        link("http://www.opengis.net/def/rel/ogc/1.0/processes", "/ogc/processes")]});
    let classes = json!({"conformsTo": [
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
        "http://www.opengis.net/spec/ogcapi-coverages-1/0.0/conf/core",
        "http://www.opengis.net/spec/ogcapi-processes-1/1.0/conf/core"]});
    let first = json!({"collections": [collection("a"), collection("b")],
                       "links": [link("next", "/ogc/collections?f=json&offset=2")]});
    let second = json!({"collections": [collection("c")], "links": []});
    let processes = json!({"processes": [{"id": "buffer", "version": "1.0", "links": []}], "links": []});
    let server = AnswerTable::json(vec![
        ("https://x.org/ogc?f=json", landing),
        ("https://x.org/ogc/conformance?f=json", classes),
        ("https://x.org/ogc/collections?f=json", first),
        ("https://x.org/ogc/collections?f=json&offset=2", second),
        ("https://x.org/ogc/processes?f=json", processes),
    ]);
    let (requests, finding) = server.ask("ogcapi-features", "https://x.org/ogc/collections/a/items?limit=1");
    assert_eq!(requests.len(), 5, "{requests:?}");
    // Coverages are in the conformance classes, but no collection has one.
    assert_eq!(kinds(&finding), ["ogcapi-features", "ogcapi-processes"]);
    let features = &finding.resources[0].resource;
    assert_eq!((features.url.as_str(), features.dataset_count), ("https://x.org/ogc", 3));
    assert_eq!(features.versions, ["1.0"]);
    assert_eq!(features.bbox, Some([1.0, 2.0, 3.0, 4.0].into()));
    assert_eq!(finding.resources[1].resource.datasets[0].name, "buffer");
}

#[test]
fn an_api_that_shows_pages_is_asked_in_another_spelling_once() {
    let landing = json!({"links": [link("service-desc", "api"), link("data", "collections")],
        "conformsTo": ["http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core"]});
    let page = b"<!DOCTYPE html><html><title>API</title><body>Welcome</body></html>".to_vec();
    let collections = json!({"collections": [collection("a")], "links": []});
    let server = AnswerTable(vec![
        ("https://x.org/ogcapi/?f=json", 200, page.clone()),
        ("https://x.org/ogcapi/?f=application/json", 200, landing.to_string().into_bytes()),
        ("https://x.org/ogcapi/collections?f=json", 200, collections.to_string().into_bytes()),
    ]);
    let (requests, finding) = server.ask("ogcapi-features", "https://x.org/ogcapi/");
    assert_eq!((requests.len(), kinds(&finding)), (3, vec!["ogcapi-features"]), "{requests:?}");
    let server = AnswerTable(vec![("https://x.org/ogcapi/?f=json", 200, page)]);
    let (requests, finding) = server.ask("ogcapi-features", "https://x.org/ogcapi/");
    assert_eq!((requests.len(), kinds(&finding)), (2, vec![]));
}

#[test]
fn arcgis_services_are_asked_once_and_errors_are_failures() {
    let map = json!({"currentVersion": 10.9, "mapName": "Roads", "layers": [{"id": 0, "name": "a"}],
        "singleFusedMapCache": false, "capabilities": "Map", "supportedExtensions": "WMSServer"});
    let server = AnswerTable::json(vec![
        ("https://x.org/arcgis/rest/services/A/Roads/MapServer?f=json", map),
        (
            "https://x.org/arcgis/rest/services/Secret/MapServer?f=json",
            json!({"error": {"code": 499, "message": "Token Required", "details": []}}),
        ),
    ]);
    let (requests, finding) = server
        .ask("arcgis-mapserver", "https://x.org/arcgis/rest/services/A/Roads/MapServer/3?f=html&token=x");
    assert_eq!(requests.len(), 1);
    let faces: Vec<String> = finding.targets.iter().map(|t| format!("{} {}", t.intent, t.url)).collect();
    assert_eq!(
        faces,
        [
            "ows:wms https://x.org/arcgis/services/A/Roads/MapServer/WMSServer",
            "ask:arcgis-directory https://x.org/arcgis/rest/services",
        ]
    );
    assert_eq!(only(finding).url, "https://x.org/arcgis/rest/services/A/Roads/MapServer");
    let (_, finding) = server.ask("arcgis-mapserver", "https://x.org/arcgis/rest/services/Secret/MapServer");
    assert_eq!((finding.verdict, kinds(&finding)), (ResponseClass::Login, vec![]));
    assert_eq!(finding.issues[0].code, "arcgis-error");
}

#[test]
fn old_arcgis_services_say_little_and_are_known_by_their_address() {
    let bare = json!({"serviceDescription": "", "layers": [0, {"id": 1, "name": "Wells"}], "tables": []});
    let server = AnswerTable::json(vec![
        ("https://x.org/rest/services/A/FeatureServer?f=json", bare.clone()),
        ("https://x.org/rest/services/A/MapServer?f=json", bare.clone()),
        ("https://x.org/rest/services/A/GPServer?f=json", bare),
    ]);
    for (kind, type_) in [("arcgis-featureserver", "FeatureServer"), ("arcgis-mapserver", "MapServer")] {
        let (_, finding) = server.ask(kind, &format!("https://x.org/rest/services/A/{type_}/1"));
        let service = only(finding);
        let names: Vec<&str> = service.datasets.iter().map(|d| d.name.as_str()).collect();
        assert_eq!((service.kind.as_str(), names), (kind, vec!["0", "1"]));
    }
    let (_, finding) = server.ask("arcgis-gpserver", "https://x.org/rest/services/A/GPServer");
    assert!(finding.resources.is_empty());
}

#[test]
fn a_directory_leads_to_its_services_and_folders() {
    let directory = json!({"currentVersion": 11.1, "folders": ["Water"], "services": [
        {"name": "Roads", "type": "MapServer"}, {"name": "Geometry", "type": "GeometryServer"}]});
    let inner = json!({"currentVersion": 11.1, "folders": [], "services": [
        {"name": "Water/Wells", "type": "FeatureServer"}, {"name": "Springs", "type": "ImageServer"}]});
    let server = AnswerTable::json(vec![
        ("https://x.org/arcgis/rest/services?f=json", directory),
        ("https://x.org/arcgis/rest/services/Water?f=json", inner),
    ]);
    let shown = |finding: &Finding| -> Vec<String> {
        let followed = finding
            .targets
            .iter()
            .filter(|t| !matches!(t.intent, Intent::Harvest { .. }) && t.way != "sibling");
        followed.map(|t| format!("{} {} {}", t.way, t.intent, t.url)).collect()
    };
    let (_, finding) = server.ask("arcgis-directory", "https://x.org/arcgis/rest/services/");
    assert_eq!(
        shown(&finding),
        [
            "catalogue:arcgis-directory ask:arcgis-mapserver https://x.org/arcgis/rest/services/Roads/MapServer",
            "catalogue:arcgis-directory ask:arcgis-geometryserver https://x.org/arcgis/rest/services/Geometry/GeometryServer",
            "catalogue:arcgis-directory ask:arcgis-directory https://x.org/arcgis/rest/services/Water",
        ]
    );
    let (_, finding) = server.ask("arcgis-directory", "https://x.org/arcgis/rest/services/Water");
    assert_eq!(
        shown(&finding),
        [
            "catalogue:arcgis-directory ask:arcgis-featureserver https://x.org/arcgis/rest/services/Water/Wells/FeatureServer",
            "catalogue:arcgis-directory ask:arcgis-imageserver https://x.org/arcgis/rest/services/Water/Springs/ImageServer",
        ]
    );
}

#[test]
fn a_stac_interface_lists_its_collections() {
    let collection = |id: &str| {
        json!({"stac_version": "1.0.0", "type": "Collection", "id": id, "description": "d", "license": "CC0-1.0",
               "extent": {"spatial": {"bbox": [[-10, 40, 10, 50]]}, "temporal": {"interval": [[null, null]]}}, "links": []})
    };
    let landing = json!({"stac_version": "1.0.0", "type": "Catalog", "id": "x", "title": "Scenes", "description": "d",
        "conformsTo": ["https://api.stacspec.org/v1.0.0/core"],
        "links": [link("data", "https://x.org/stac/v1/collections"), link("search", "https://x.org/stac/v1/search")]});
    let server = AnswerTable::json(vec![
        ("https://x.org/stac/v1", landing),
        (
            "https://x.org/stac/v1/collections",
            json!({"collections": [collection("a")], "links": [link("next", "https://x.org/stac/v1/collections?token=b")]}),
        ),
        ("https://x.org/stac/v1/collections?token=b", json!({"collections": [collection("b")], "links": []})),
    ]);
    let (requests, finding) = server.ask("stac-api", "https://x.org/stac/v1/search?limit=1");
    assert_eq!(requests.len(), 3, "{requests:?}");
    let api = only(finding);
    assert_eq!(
        (api.url.as_str(), api.dataset_count, api.title.as_deref()),
        ("https://x.org/stac/v1", 2, Some("Scenes"))
    );
    assert_eq!(api.bbox, Some([-10.0, 40.0, 10.0, 50.0].into()));
}

#[test]
fn sensors_are_counted_with_two_requests() {
    let sets: Vec<Value> = ["Things", "Locations", "Datastreams", "Sensors"]
        .iter()
        .map(|name| json!({"name": name, "url": format!("http://inner/v1.1/{name}")}))
        .collect();
    let streams = json!({"@iot.count": 4711, "@iot.nextLink": "http://inner/next", "value": [
        {"@iot.id": 1, "name": "Level of the lake", "description": "Hourly", "phenomenonTime": "2020-01-01T00:00:00Z/2021-01-01T00:00:00Z",
         "observedArea": {"type": "Point", "coordinates": [8.5, 47.3]}, "unitOfMeasurement": {"name": "metre"}}]});
    let server = AnswerTable::json(vec![
        ("https://x.org/FROST-Server/v1.1", json!({"value": sets})),
        ("https://x.org/FROST-Server/v1.1/Datastreams?$top=100&$count=true", streams),
    ]);
    let (requests, finding) =
        server.ask("sensorthings", "https://x.org/FROST-Server/v1.1/Things(1)/Locations?$top=1");
    assert_eq!(requests.len(), 2, "{requests:?}");
    let service = only(finding);
    assert_eq!((service.dataset_count, service.datasets.len()), (4711, 1));
    assert_eq!(service.versions, ["1.1"]);
    assert_eq!(service.bbox, Some([8.5, 47.3, 8.5, 47.3].into()));
}

#[test]
fn a_zarr_store_is_asked_at_the_known_places_only() {
    let server = AnswerTable::json(vec![(
        "https://x.org/a/sea.zarr/zarr.json",
        json!({"zarr_format": 3, "node_type": "group"}),
    )]);
    let (requests, finding) = server.ask("zarr", "https://x.org/a/sea.zarr/");
    assert_eq!(requests, ["https://x.org/a/sea.zarr/.zmetadata", "https://x.org/a/sea.zarr/zarr.json"]);
    assert_eq!(only(finding).url, "https://x.org/a/sea.zarr");
    let (requests, finding) = AnswerTable(Vec::new()).ask("zarr", "https://x.org/a/sea.zarr");
    assert_eq!((requests.len(), finding.verdict), (3, ResponseClass::Nothing));
}

#[test]
fn tiles_are_proven_by_one_of_them() {
    let picture = b"\x89PNG\r\n\x1a\n....".to_vec();
    let server = AnswerTable(vec![("https://x.org/4/8/5.png", 200, picture)]);
    let (requests, finding) = server.ask("xyz", "https://x.org/{z}/{x}/{y}.png");
    assert_eq!(requests, ["https://x.org/0/0/0.png", "https://x.org/4/8/5.png"]);
    assert_eq!(only(finding).url, "https://x.org/{z}/{x}/{y}.png");
    let page = b"<!DOCTYPE html><html><body>nothing here</body></html>".to_vec();
    let server = AnswerTable(vec![("https://x.org/0/0/0.png", 200, page)]);
    let (requests, finding) = server.ask("xyz", "https://x.org/{z}/{x}/{y}.png");
    assert_eq!((requests.len(), finding.verdict), (1, ResponseClass::Nothing));
}

#[test]
fn addresses_lead_to_the_right_questions() {
    let targets = |url: &str| -> Vec<String> {
        let mut out: Vec<CrawlTarget> = Vec::new();
        urls::append_targets(Url::parse(url).expect("an address"), "href".into(), "", &mut out);
        out.iter().map(|t| format!("{} {}", t.intent, t.url)).collect()
    };
    for (url, expected) in [
        (
            "https://x.org/arcgis/rest/services/A/Roads/MapServer/0/query?where=1",
            "ask:arcgis-mapserver https://x.org/arcgis/rest/services/A/Roads/MapServer",
        ),
        ("https://x.org/ArcGIS/rest/services/", "ask:arcgis-directory https://x.org/ArcGIS/rest/services"),
        (
            "https://x.org/server/rest/services/Folder?f=pjson",
            "ask:arcgis-directory https://x.org/server/rest/services/Folder",
        ),
        ("https://x.org/data/collections/lakes/items?f=json", "ask:ogcapi-features https://x.org/data"),
        ("https://x.org/api/stac/v1/collections/s2", "ask:stac-api https://x.org/api/stac/v1"),
        ("https://x.org/FROST-Server/v1.1/Things", "ask:sensorthings https://x.org/FROST-Server/v1.1"),
        ("https://x.org/era5.zarr/", "ask:zarr https://x.org/era5.zarr"),
        ("https://x.org/{z}/{x}/{y}.png", "ask:xyz https://x.org/%7Bz%7D/%7Bx%7D/%7By%7D.png"),
        ("https://x.org/osm/14/8529/5975.png", "ask:xyz https://x.org/osm/%7Bz%7D/%7Bx%7D/%7By%7D.png"),
        ("https://shop.org/collections/shoes", "page https://shop.org/collections/shoes"),
        ("https://x.org/blog/stac-in-practice", "page https://x.org/blog/stac-in-practice"),
        ("https://x.org/v1.0/release-notes", "page https://x.org/v1.0/release-notes"),
        ("https://x.org/stac/catalog.json", "page https://x.org/stac/catalog.json"),
    ] {
        assert_eq!(targets(url), [expected], "{url}");
    }
}
