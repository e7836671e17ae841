//! Portal kinds: documents that prove them, look-alikes that do not, addresses that lead to them,
//! and the one request that identifies each.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot read its fixtures has failed")]

use geotrawl_kinds::formats::json::JsonDocument;
use geotrawl_kinds::kinds::{self, read_document};
use geotrawl_kinds::probe::{Probe, ProbeResponse, ProbeStep, ResponseBody, ResponseHead};
use geotrawl_kinds::urls;
use geotrawl_model::{Intent, Resource};
use std::path::Path;
use url::Url;

const KINDS: &[&str] = &["arcgis-portal", "ckan", "dcat", "geonetwork", "geonode", "opendatasoft", "socrata"];

fn at() -> Url {
    Url::parse("https://x.example/some/document").expect("an address")
}

/// Returns the resource that a fixture proves, if it proves the kind.
fn proven(kind: &str, path: &Path) -> Option<Resource> {
    let bytes = std::fs::read(path).expect("a fixture");
    if path.extension().is_some_and(|e| e == "xml") {
        let (_, _, reading) = read_document(&mut bytes.as_slice(), None, at().as_str())?;
        return reading.resources.into_iter().find(|r| r.kind == kind);
    }
    let doc = JsonDocument::from_reader(&mut bytes.as_slice()).expect("JSON");
    let readings = kinds::read_json(&doc, &at());
    readings.into_iter().flat_map(|(_, reading)| reading.resources).find(|r| r.kind == kind)
}

#[test]
fn documents_prove_portals_and_look_alikes_do_not() {
    for kind in KINDS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds").join(kind);
        let mut counts = [0, 0];
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|n| n.to_str()).expect("a name").to_owned();
            let found = proven(kind, &path);
            assert_eq!(found.is_some(), name.starts_with("is-"), "{kind}/{name}");
            counts[usize::from(found.is_some())] += 1;
        }
        assert!(counts[0] > 0 && counts[1] > 0, "{kind} needs both");
    }
}

#[test]
fn a_catalogue_is_read_with_its_datasets() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds/dcat");
    let found = proven("dcat", &folder.join("is-data.json")).expect("a catalogue");
    assert_eq!(found.dataset_count, 2);
    assert_eq!(found.versions, ["1.1"]);
    assert_eq!(found.bbox.map(<[f64; 4]>::from), Some([5.0, 45.0, 11.0, 48.0]));
    let found = proven("dcat", &folder.join("is-catalogue.jsonld.json")).expect("a catalogue");
    assert_eq!((found.title.as_deref(), found.dataset_count), (Some("Town"), 1));
    let found = proven("dcat", &folder.join("is-rdf.xml")).expect("a catalogue");
    assert_eq!((found.title.as_deref(), found.dataset_count), (Some("Town"), 1));
}

#[test]
fn turtle_is_a_catalogue_only_when_it_holds_one() {
    let read = |text: &str| kinds::dcat::read_turtle(text.as_bytes(), &at()).map(|r| r.resources.len());
    assert_eq!(
        read("@prefix dcat: <http://www.w3.org/ns/dcat#> .\n<a> a dcat:Dataset ; dcat:keyword \"x\" ."),
        Some(1)
    );
    assert_eq!(
        read(
            "@prefix dcat: <http://www.w3.org/ns/dcat#> .\n<a> a <http://www.w3.org/2002/07/owl#Ontology> ."
        ),
        None
    );
    assert_eq!(read("Text that speaks of http://www.w3.org/ns/dcat#"), None);
}

#[test]
fn only_strong_signs_are_followed() {
    for (url, expected) in [
        ("https://x.org/data/api/3/action/package_search?q=a", Some(("ckan", "https://x.org/data/"))),
        (
            "https://x.org/dataset/roads/resource/12345678-1234-1234-1234-123456789abc",
            Some(("ckan", "https://x.org/")),
        ),
        (
            "https://x.org/dataset/roads/resource/12345678-1234-1234-1234-123456789abc/download/roads.zip",
            None,
        ),
        (
            "https://x.org/fr/dataset/roads/resource/12345678-1234-1234-1234-123456789abc",
            Some(("ckan", "https://x.org/")),
        ),
        ("https://x.org/dataset/roads", None),
        ("https://x.org/api/3/users", None),
        (
            "https://data.x.org/api/views/abcd-1234/rows.csv?accessType=DOWNLOAD",
            Some(("socrata", "https://data.x.org/")),
        ),
        ("https://data.x.org/resource/abcd-1234.json", Some(("socrata", "https://data.x.org/"))),
        ("https://data.x.org/resource/overview", None),
        (
            "https://data.x.org/explore/dataset/roads/information/",
            Some(("opendatasoft", "https://data.x.org/")),
        ),
        ("https://data.x.org/explore/dataset/roads/download?format=shp", None),
        (
            "https://x.org/geonetwork/srv/eng/catalog.search",
            Some(("geonetwork", "https://x.org/geonetwork/")),
        ),
        ("https://x.org/geonetwork/srv/api/records/1/attachments/a.pdf", None),
        ("https://x.org/layers/geonode:roads", Some(("geonode", "https://x.org/"))),
        (
            "https://town.maps.arcgis.com/home/item.html?id=1",
            Some(("arcgis-portal", "https://town.maps.arcgis.com/")),
        ),
        (
            "https://gis.x.org/portal/sharing/rest/portals/self",
            Some(("arcgis-portal", "https://gis.x.org/portal/")),
        ),
        ("https://town.maps.arcgis.com/sharing/rest/content/items/1/data", None),
        ("https://x.org/sharing/recipes", None),
    ] {
        let hints = urls::probe_hints(&Url::parse(url).expect("an address"));
        let ours = hints.iter().find(|(kind, _)| KINDS.contains(kind));
        assert_eq!(ours.map(|(kind, at)| (*kind, at.as_str())), expected, "{url}");
    }
}

/// Probes an address with the given responses. Returns the requests, and the kind and count that
/// were found.
fn ask(kind: &str, url: &str, answers: &[(u16, &str)]) -> (Vec<String>, Option<(String, u64)>) {
    let intent = Intent::Ask { kind: kind.to_owned() };
    let (mut probe, mut request) = Probe::start(intent, Url::parse(url).expect("an address"));
    let mut asked = Vec::new();
    for (status, body) in answers {
        asked.push(request.url.to_string());
        let head =
            ResponseHead { url: Some(request.url.clone()), status: *status, ..ResponseHead::default() };
        match probe.handle_response(ProbeResponse {
            head: &head,
            body: ResponseBody::Whole(body.as_bytes()),
            truncated: false,
        }) {
            ProbeStep::Ask(next) => request = *next,
            ProbeStep::Done(finding) => {
                let found =
                    finding.resources.first().map(|f| (f.resource.kind.clone(), f.resource.dataset_count));
                return (asked, found);
            }
        }
    }
    panic!("{kind} wants more than {} answers", answers.len());
}

#[test]
fn one_question_settles_it() {
    let yes = |kind: &str, count: u64| Some((kind.to_owned(), count));
    for (kind, url, answers, request, found) in [
        (
            "ckan",
            "https://x.org/data/",
            vec![(200, r#"{"success":true,"result":{"ckan_version":"2.9"}}"#)],
            "https://x.org/data/api/3/action/status_show",
            yes("ckan", 0),
        ),
        ("ckan", "https://x.org/", vec![(200, "<html>")], "https://x.org/api/3/action/status_show", None),
        (
            "socrata",
            "https://d.x.org/",
            vec![(200, r#"{"results":[{"resource":{"id":"a"},"permalink":"b"}],"resultSetSize":9}"#)],
            "https://d.x.org/api/catalog/v1?domains=d.x.org&limit=1",
            yes("socrata", 9),
        ),
        (
            "socrata",
            "https://d.x.org/",
            vec![(200, r#"{"results":[],"resultSetSize":0}"#)],
            "https://d.x.org/api/catalog/v1?domains=d.x.org&limit=1",
            None,
        ),
        (
            "opendatasoft",
            "https://d.x.org/",
            vec![(200, r#"{"total_count":5,"results":[{"dataset_id":"a","metas":{}}]}"#)],
            "https://d.x.org/api/explore/v2.1/catalog/datasets?limit=1",
            yes("opendatasoft", 5),
        ),
        (
            "geonetwork",
            "https://x.org/gn/",
            vec![(404, ""), (200, r#"{"summary":{"@count":"8"}}"#)],
            "https://x.org/gn/srv/api/site",
            yes("geonetwork", 8),
        ),
        (
            "geonode",
            "https://x.org/",
            vec![(200, r#"{"data":[{"type":"OGC:WMS","url":"https://x.org/gs/ows"}]}"#)],
            "https://x.org/api/ows_endpoints/",
            yes("geonode", 0),
        ),
        (
            "arcgis-portal",
            "https://t.maps.arcgis.com/",
            vec![(200, r#"{"portalHostname":"x","isPortal":false}"#)],
            "https://t.maps.arcgis.com/sharing/rest/portals/self?f=json",
            yes("arcgis-portal", 0),
        ),
        (
            "arcgis-portal",
            "https://t.maps.arcgis.com/",
            vec![(200, r#"{"error":{"code":498}}"#)],
            "https://t.maps.arcgis.com/sharing/rest/portals/self?f=json",
            None,
        ),
        (
            "arcgis-portal",
            "https://d.hub.arcgis.com/",
            vec![(200, r#"{"title":"Hub","links":[]}"#)],
            "https://d.hub.arcgis.com/api/search/v1",
            yes("arcgis-portal", 0),
        ),
    ] {
        let (asked, got) = ask(kind, url, &answers);
        assert_eq!(asked.first().map(String::as_str), Some(request), "{kind}");
        assert_eq!(got, found, "{kind} {url}");
    }
}

#[test]
fn an_application_leads_to_the_services_of_its_map() {
    let id = "0123456789abcdef0123456789abcdef";
    let url = format!("https://t.maps.arcgis.com/sharing/rest/content/items/{id}/data?f=json");
    let intent = Intent::Ask { kind: "arcgis-portal".to_owned() };
    let (mut probe, ask) = Probe::start(intent, Url::parse(&url).expect("an address"));
    let mut answer = |url: &Url, body: &str| {
        let head = ResponseHead { url: Some(url.clone()), status: 200, ..ResponseHead::default() };
        probe.handle_response(ProbeResponse {
            head: &head,
            body: ResponseBody::Whole(body.as_bytes()),
            truncated: false,
        })
    };
    let app = r#"{"values":{"webmap":"abcdefabcdefabcdefabcdefabcdefab"}}"#;
    let ProbeStep::Ask(next) = answer(&ask.url, app) else { panic!("the map is asked for") };
    assert!(next.url.path().contains("abcdefabcdef"));
    let map =
        r#"{"operationalLayers":[{"url":"https://x.org/arcgis/rest/services/A/MapServer"}],"version":"2.0"}"#;
    let ProbeStep::Done(finding) = answer(&next.url, map) else { panic!("two requests are enough") };
    assert_eq!(finding.document, Some("arcgis-webmap"));
    assert_eq!(finding.targets[0].url.as_str(), "https://x.org/arcgis/rest/services/A/MapServer");
    assert_eq!(finding.targets[0].way, "config:arcgis-webmap");
}
