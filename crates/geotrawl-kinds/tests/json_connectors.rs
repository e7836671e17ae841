//! Recorded catalogues, harvested from the first page to the last: in `connectors/<id>/`, every
//! `*.harvest.json` maps requests to recorded files, and the snapshot holds the result. A request
//! that is not recorded fails the test, and so does a harvest that does not end.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot read its fixtures has failed")]

use geotrawl_kinds::connectors::{self, ConnectorHandle, ConnectorSet, DeclarativeConnector};
use geotrawl_kinds::probe::{Probe, ProbeResponse, ResponseBody, ResponseHead};
use geotrawl_model::Intent;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use url::Url;

/// Connectors for JSON (or RDF) that are tested here.
const CONNECTORS: &[&str] = &[
    "arcgis-directory",
    "arcgis-portal",
    "ckan",
    "dcat",
    "geonetwork",
    "geonode",
    "ogcapi-records",
    "opendatasoft",
    "sensorthings",
    "socrata",
    "stac",
];

/// Connectors that are defined in files.
const DECLARED: &[&str] = &["observations", "scene-list", "station-api"];

fn folder(id: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/connectors").join(id)
}

/// Returns the connectors with those of the guide's examples.
fn connectors() -> ConnectorSet {
    let read = |id: &&str| {
        let text = std::fs::read_to_string(folder("declarative").join(format!("{id}.toml"))).expect("a file");
        DeclarativeConnector::parse(&text).unwrap_or_else(|problem| panic!("{}", problem.in_file(id)))
    };
    ConnectorSet::new(DECLARED.iter().map(read).collect())
}

fn connector(id: &str) -> ConnectorHandle {
    connectors().by_id(id).unwrap_or_else(|| panic!("{id} is not in the list"))
}

fn harvests(id: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder(id))
        .map(|entries| entries.filter_map(|e| e.ok().map(|e| e.path())).collect())
        .unwrap_or_default();
    files.retain(|f| f.to_str().is_some_and(|f| f.ends_with(".harvest.json")));
    files.sort();
    files
}

/// Runs one recorded harvest and returns the content of every page.
fn run(id: &str, script: &Path) -> Value {
    let home = script.parent().expect("a folder");
    let text = std::fs::read_to_string(script).expect("a script");
    let script: Value = serde_json::from_str(&text).expect("a script in JSON");
    let word = |name: &str| script.get(name).and_then(Value::as_str);
    let at = Url::parse(word("at").expect("at")).expect("an address");
    let connector = connector(id);
    let mut queue = VecDeque::from([String::new()]);
    let mut seen: BTreeSet<String> = BTreeSet::from([String::new()]);
    let mut pages = Vec::new();
    while let Some(state) = queue.pop_front() {
        assert!(pages.len() < 50, "the harvest does not end");
        let since = word("since").filter(|_| state.is_empty());
        let ask = connector.page_request(&at, &state, since);
        let recorded = script["answers"].as_array().expect("answers").iter().find(|answer| {
            let body = answer.get("post").and_then(Value::as_str);
            let posts = match (&ask.post, body) {
                (None, None) => true,
                (Some(post), Some(piece)) => post.body.contains(piece),
                _ => false,
            };
            posts && answer["url"].as_str() == Some(ask.url.as_str())
        });
        let recorded = recorded.unwrap_or_else(|| {
            panic!("{id}: nobody recorded {} {:?}", ask.url, ask.post.as_ref().map(|p| &p.body))
        });
        let body = match recorded.get("file").and_then(Value::as_str) {
            Some(file) => std::fs::read(home.join(file)).expect(file),
            None => recorded.get("body").map(|b| b.to_string().into_bytes()).unwrap_or_default(),
        };
        let status = recorded.get("status").and_then(Value::as_u64).unwrap_or(200) as u16;
        let head = ResponseHead { url: Some(ask.url.clone()), status, ..ResponseHead::default() };
        let page = connector.parse_page(
            &at,
            &state,
            ProbeResponse { head: &head, body: ResponseBody::Whole(&body), truncated: false },
        );
        let targets: Vec<String> = page.targets.iter().map(|t| format!("{} {}", t.intent, t.url)).collect();
        let mut shown = json!({"ask": ask.url.as_str(), "records": page.records, "next": page.next});
        for (name, value) in [
            ("total", json!(page.total)),
            ("targets", json!(targets)),
            ("issues", json!(page.issues)),
            ("failure", json!(page.failure)),
            ("post", json!(ask.post.map(|p| p.body))),
        ] {
            if !value.is_null() && value != json!([]) {
                shown[name] = value;
            }
        }
        pages.push(shown);
        for next in page.next {
            if seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    Value::Array(pages)
}

#[test]
fn every_connector_is_recorded_and_documented() {
    for id in CONNECTORS {
        assert!(!harvests(id).is_empty(), "tests/connectors/{id} has no *.harvest.json");
        let doc = connector(id).doc();
        assert!(doc.what.len() > 20 && doc.specification.starts_with("https://"), "{id}");
    }
}

#[test]
fn recorded_catalogues_are_read_to_their_end() {
    for id in CONNECTORS {
        for script in harvests(id) {
            let name = script.file_name().and_then(|n| n.to_str()).expect("a name");
            let name = name.trim_end_matches(".harvest.json");
            insta::assert_json_snapshot!(format!("connector-{id}-{name}"), run(id, &script));
        }
    }
}

/// Reads one response.
fn page(id: &str, state: &str, body: &Value) -> connectors::CataloguePage {
    let at = Url::parse("https://x.example/").expect("an address");
    let body = body.to_string();
    let head = ResponseHead { url: Some(at.clone()), status: 200, ..ResponseHead::default() };
    connector(id).parse_page(
        &at,
        state,
        ProbeResponse { head: &head, body: ResponseBody::Whole(body.as_bytes()), truncated: false },
    )
}

#[test]
fn where_a_search_ends_the_next_slice_begins() {
    let item = |i: u64| json!({"id": format!("{i:032x}"), "type": "WMS", "title": "x", "modified": 1_700_000_000_000_u64 + i});
    let list: Vec<Value> = (0..100).map(item).collect();
    let body = json!({"total": 25_000, "start": 9901, "num": 100, "nextStart": 10_001, "results": list});
    let read = page("arcgis-portal", "org=a&start=9901", &body);
    assert!(
        read.next[0].contains("since=1700000000099") && read.next[0].contains("start=1"),
        "{:?}",
        read.next
    );
    // No progress is possible if everything changed at the same moment.
    let read = page("arcgis-portal", "org=a&start=9901&since=1700000000099", &body);
    assert_eq!(read.next, Vec::<String>::new());
    let set = |i: u64| json!({"dataset_id": format!("s{i}"), "metas": {"default": {"title": "x", "modified": format!("2026-01-01T00:{:02}:00+00:00", i % 60)}}});
    let list: Vec<Value> = (0..100).map(set).collect();
    let read = page("opendatasoft", "offset=9900", &json!({"total_count": 12_000, "results": list}));
    assert!(
        read.next[0].contains("since=2026-01-01T00%3A39") && read.next[0].contains("offset=0"),
        "{:?}",
        read.next
    );
    let entry = |i: u64| json!({"resource": {"id": format!("s{i}")}});
    let list: Vec<Value> = (0..1000).map(entry).collect();
    let read = page("socrata", "offset=9000", &json!({"resultSetSize": 12_000, "results": list}));
    assert_eq!(read.issues[0].code, "paging-window");
}

/// `data.json` of any length, generated while it is read.
struct EndlessCatalogue {
    left: u32,
    ready: Vec<u8>,
}

impl std::io::Read for EndlessCatalogue {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if self.ready.is_empty() {
            if self.left == 0 {
                return Ok(0);
            }
            self.left -= 1;
            let id = self.left;
            self.ready = match id {
                0 => b"{\"identifier\":\"last\",\"title\":\"x\"}]}".to_vec(),
                _ => format!("{{\"identifier\":\"{id}\",\"title\":\"x\",\"distribution\":[{{\"downloadURL\":\"http://x.org/{id}.zip\"}}]}},").into_bytes(),
            };
        }
        let length = out.len().min(self.ready.len());
        out[..length].copy_from_slice(&self.ready[..length]);
        self.ready.drain(..length);
        Ok(length)
    }
}

#[test]
fn a_very_long_catalogue_is_read_in_parts() {
    let at = Url::parse("https://x.example/data.json").expect("an address");
    let head = ResponseHead { status: 200, ..ResponseHead::default() };
    let read = |state: &str| {
        let ready =
            b"{\"conformsTo\":\"https://project-open-data.cio.gov/v1.1/schema\",\"dataset\":[".to_vec();
        let mut stream = EndlessCatalogue { left: 50_010, ready };
        let answer = ProbeResponse { head: &head, body: ResponseBody::Stream(&mut stream), truncated: false };
        connector("dcat").parse_page(&at, state, answer)
    };
    let first = read("");
    assert_eq!((first.records.len(), first.next.len()), (50_000, 1));
    let second = read(&first.next[0]);
    assert_eq!((second.records.len(), second.next.len()), (10, 0));
    assert_eq!(second.records[9].id, "last");
}

#[test]
fn connectors_of_files_are_read_to_their_end() {
    for id in DECLARED {
        let script = folder("declarative").join(format!("{id}.harvest.json"));
        insta::assert_json_snapshot!(format!("declarative-{id}"), run(id, &script));
    }
    let url = Url::parse("https://mirror.example.org/x").expect("an address");
    assert_eq!(connectors().declared_for(&url).map(DeclarativeConnector::id), Some("scene-list"));
    assert!(ConnectorSet::default().declared_for(&url).is_none(), "sets know nothing of each other");
    // Without a connector set that contains the connector, the probe reads an ordinary page.
    let harvest = || Intent::Harvest { connector: "scene-list".into(), page: 0, state: String::new() };
    let (_, declared) = Probe::start_with_connectors(&connectors(), harvest(), url.clone(), None);
    let (_, page) = Probe::start(harvest(), url.clone());
    assert_eq!(declared, connector("scene-list").page_request(&url, "", None));
    assert_eq!((page.url, page.accept), (url.clone(), Probe::start(Intent::Page, url).1.accept));
}

#[test]
fn the_guide_shows_the_examples_as_they_are_tested() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/connectors.md");
    let guide = std::fs::read_to_string(guide).expect("the guide");
    for id in ["scene-list", "station-api"] {
        let text = std::fs::read_to_string(folder("declarative").join(format!("{id}.toml"))).expect("a file");
        assert!(guide.contains(text.trim()), "docs/guide/connectors.md does not show {id}.toml as it is");
    }
}

#[test]
fn mistakes_in_a_file_are_named() {
    let good = std::fs::read_to_string(folder("declarative").join("station-api.toml")).expect("a file");
    for (from, to, expected) in [
        (
            "id = \"station-api\"",
            "id = \"ckan\"",
            "a.toml: id: \"ckan\" is the id of a connector that is built in",
        ),
        ("id = \"station-api\"", "id = 7", "a.toml: id: must be a string, not integer"),
        ("format = \"json\"", "format = \"csv\"", "a.toml: format: \"csv\" is not one of json, xml, html"),
        ("format = \"json\"", "format = ", "a.toml: line 7: "),
        ("by = \"cursor\"", "by = \"page\"", "a.toml: paging.cursor: is allowed only with by = \"cursor\""),
        (
            "&after={cursor}",
            "",
            "a.toml: request.url: must contain {cursor}, otherwise every page would be the first",
        ),
        ("{cursor}", "{curser}", "a.toml: request.url: {curser} is not one of"),
        ("changed={since}", "changed=x{since}", "a.toml: request.url: {since} must be the whole value"),
        ("id = \"code\"", "", "a.toml: records.id: is missing"),
        (
            "title = \"names/en\"",
            "titel = \"names/en\"",
            "a.toml: records.titel: is unknown here; known keys are",
        ),
        ("\"names/en\"", "\"names//en\"", "a.toml: records.title: \"names//en\" has an empty piece"),
        (
            "\"lat\", \"lon\", \"lat\"]",
            "\"lat\"]",
            "a.toml: records.bbox: must be one path, or the paths of west",
        ),
        (
            "layers={}",
            "layers=",
            "a.toml: records.links[1].template: must be an http or https URL that contains {}",
        ),
        ("size = 2", "size = -2", "a.toml: paging.size: must not be negative"),
        ("[records]", "[recordz]", "a.toml: recordz: is unknown here"),
    ] {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good, "{from}");
        let problem = DeclarativeConnector::parse(&text).expect_err(to).in_file("a.toml").to_string();
        assert!(problem.starts_with(expected), "{problem}");
    }
}

/// Generates arbitrary JSON with member names that connectors look for.
fn json_of_any_shape() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[ -~äß]{0,12}".prop_map(Value::from),
        Just(json!("http://x.org/wms?")),
        Just(json!("{\"type\":\"Point\",\"coordinates\":[1e400,\"x\"]}")),
        Just(json!("POLYGON((1 2, 3")),
    ];
    let key = prop_oneof![
        Just("results"),
        Just("result"),
        Just("value"),
        Just("features"),
        Just("hits"),
        Just("links"),
        Just("href"),
        Just("rel"),
        Just("collections"),
        Just("dataset"),
        Just("@graph"),
        Just("@type"),
        Just("@id"),
        Just("id"),
        Just("resource"),
        Just("resources"),
        Just("url"),
        Just("bbox"),
        Just("extent"),
        Just("spatial"),
        Just("coordinates"),
        Just("geometry"),
        Just("properties"),
        Just("services"),
        Just("folders"),
        Just("name"),
        Just("type"),
        Just("metadata"),
        Just("summary"),
        Just("@count"),
        Just("link"),
        Just("metas"),
        Just("tags"),
        Just("distribution"),
        Just("temporal"),
        Just("interval"),
        Just("contacts"),
        Just("nextStart"),
        Just("total"),
    ];
    leaf.prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..6)
                .prop_map(|pairs| pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn hostile_json_never_panics(doc in json_of_any_shape(), state in "[a-z0-9=&%:/.]{0,20}", status in prop_oneof![Just(200_u16), Just(404), Just(500)]) {
        let at = Url::parse("https://x.org/a/").expect("an address");
        let body = doc.to_string();
        let head = ResponseHead { url: Some(at.clone()), status, ..ResponseHead::default() };
        for id in CONNECTORS.iter().chain(DECLARED) {
            for state in ["", state.as_str(), "org=x&start=1", "page=2", "v=3", "c=a", "next=http://x.org/"] {
                let ask = connector(id).page_request(&at, state, Some("2026-01-01T00:00:00Z"));
                prop_assert!(ask.max_bytes > 0);
                let answer = ProbeResponse { head: &head, body: ResponseBody::Whole(body.as_bytes()), truncated: true };
                let page = connector(id).parse_page(&at, state, answer);
                for next in &page.next {
                    let _ = connector(id).page_request(&at, next, None);
                }
            }
        }
    }

    #[test]
    fn hostile_bytes_never_panic(body in prop::collection::vec(any::<u8>(), 0..300), start in prop_oneof![
        Just("<?xml version='1.0'?><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><a><b>"),
        Just("@prefix a: <http://x.org/> . a:b a a:c ; "),
        Just("{\"dataset\":[{\"title\":"),
        Just(""),
    ]) {
        let at = Url::parse("https://x.org/a/").expect("an address");
        let head = ResponseHead { status: 200, ..ResponseHead::default() };
        let body = [start.as_bytes(), &body].concat();
        for id in CONNECTORS.iter().chain(DECLARED) {
            connector(id).parse_page(&at, "", ProbeResponse { head: &head, body: ResponseBody::Whole(&body), truncated: false });
        }
    }
}
