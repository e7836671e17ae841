//! Checks that every endpoint in a configuration, a catalogue page or a record of the public corpus
//! becomes a target. The corpus is not part of the project; without it, the test reports that it
//! was skipped.

use geotrawl_kinds::connectors::link_targets;
use geotrawl_kinds::corpus::{ABSENT, corpus_folder};
use geotrawl_kinds::extract::config;
use geotrawl_kinds::formats::json::JsonDocument;
use geotrawl_kinds::kinds::{self, dcat::read_turtle};
use geotrawl_kinds::probe::CrawlTarget;
use geotrawl_kinds::urls;
use geotrawl_model::{Intent, RecordLink};
use serde_json::Value;
use url::Url;

/// Labelled endpoints that are not endpoints, with the reason.
const NOT_ENDPOINTS: &[(&str, &str)] = &[
    (
        "http://www.opengis.net/spec/owc-geojson/1.0/req/csw",
        "the name of a requirement class, not an address",
    ),
    ("https://sgx.geodatenzentrum.de/gdz_basemapde_vektor/fonts/", "glyphs of a style: no geospatial data"),
    (
        "https://maps.example.com/mapserver/ONLINERESOURCE/?template=openlayers",
        "a page that shows a map, no service",
    ),
];

/// Endpoints that other readers handle: kinds and file types that are not in this crate's lists
/// yet.
const ELSEWHERE: &[(&str, &str)] = &[
    ("/ONLINERESOURCE/ogcapi/", "OGC API by its address: the kind's own hint"),
    ("{z}/{x}/{reverseY}", "tiles by a template: the kind xyz"),
    ("/strassen/tiles/", "tiles by a template: the kind xyz"),
    (".gml", "GML files are not read yet"),
    (".geojson", "GeoJSON files are not read yet"),
];

fn is_wanted(kind: &str) -> bool {
    matches!(kind, "json-config-ows" | "terria-init-json" | "mapbox-style" | "ogcapi-record" | "rdf-xml")
        || kind.starts_with("dcat-")
        || kind.starts_with("ckan-")
}

/// Returns the addresses that the label names.
fn endpoints(expected: &Value) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let text = |v: &Value| v.as_str().map(str::to_owned);
    for endpoint in expected["endpoints"].as_array().into_iter().flatten() {
        out.extend(text(&endpoint["url"]));
    }
    out.extend(expected["geo_resource_urls"].as_array().into_iter().flatten().filter_map(text));
    for pair in expected["resources"].as_array().into_iter().flatten() {
        out.extend(pair.get(1).and_then(text));
    }
    for link in expected["links"].as_array().into_iter().flatten() {
        let rel = link.get(0).and_then(Value::as_str);
        if matches!(rel, Some("enclosure" | "service")) {
            out.extend(link.get(1).and_then(text));
        }
    }
    out
}

/// Returns all targets of a document, whichever reader finds them.
fn targets(doc: &JsonDocument, at: &Url) -> Vec<CrawlTarget> {
    let mut out: Vec<CrawlTarget> =
        config::read_config(&doc.root, at).map(|(_, targets)| targets).unwrap_or_default();
    for (_, reading) in kinds::read_json(doc, at) {
        out.extend(reading.targets);
    }
    // The links of a single record are read like those of a catalogue.
    for link in doc.root["links"].as_array().into_iter().flatten() {
        if let Some(url) = link["href"].as_str() {
            let protocol = link["protocol"].as_str().or_else(|| link["type"].as_str()).map(str::to_owned);
            let link = RecordLink { url: url.to_owned(), protocol, ..RecordLink::default() };
            link_targets(at, &link, "", &mut out);
        }
    }
    out
}

/// How an endpoint is covered by the targets.
#[derive(PartialEq)]
enum EndpointMatch {
    No,
    /// Through the service that it belongs to.
    Above,
    /// Directly, or without its request parameters.
    Exactly,
}

fn asked(endpoint: &str, targets: &[CrawlTarget], at: &Url) -> EndpointMatch {
    let host = endpoint.replace("{s}", "a");
    let Some(url) = urls::clean_attribute(&host, at) else { return EndpointMatch::No };
    let (service, page) = (urls::endpoint_url(&url), urls::canonical_url(&url));
    if targets.iter().any(|target| target.url == service || target.url == page) {
        return EndpointMatch::Exactly;
    }
    let above = targets.iter().any(|target| {
        target.url.path().len() > 1
            && target.url.host() == url.host()
            && url.path().starts_with(target.url.path())
            && matches!(target.intent, Intent::Ask { .. } | Intent::Ows { .. })
    });
    if above { EndpointMatch::Above } else { EndpointMatch::No }
}

/// Documents labelled as DCAT that contain neither a catalogue nor a dataset.
const NOT_DCAT: &[(&str, &str)] = &[
    ("dcat-jsonld-0031472c68", "a JSON-LD context, without any node"),
    ("dcat-jsonld-83bd8ff4c2", "a JSON-LD context, without any node"),
    ("dcat-jsonld-48e5a2636e", "a schema.org CreativeWork whose context declares the prefix dcat"),
    ("dcat-turtle-6e47940ef9", "SHACL shapes for schema.org"),
    ("dcat-turtle-8f98a36fb4", "SHACL shapes for schema.org"),
    ("dcat-turtle-41f4085d4a", "an ontology that declares the prefix dcat"),
];

#[test]
fn catalogues_of_the_corpus_are_known_and_counted() {
    let Some(corpus) = corpus_folder(env!("CARGO_MANIFEST_DIR")) else {
        println!("{ABSENT}");
        return;
    };
    let manifest = std::fs::read_to_string(corpus.join("manifest.jsonl")).expect("a manifest");
    let at = Url::parse("https://corpus.example/data.json").expect("an address");
    let mut counts = (0, 0);
    for line in manifest.lines() {
        let row: Value = serde_json::from_str(line).expect("a row");
        let (id, label) = (row["id"].as_str().unwrap_or_default(), row["kind"].as_str().unwrap_or_default());
        let bytes = std::fs::read(corpus.join(row["file"].as_str().expect("a file"))).expect("a file");
        let Some(doc) = JsonDocument::from_reader(&mut bytes.as_slice()) else { continue };
        let ours = ["arcgis-portal", "ckan", "dcat", "geonetwork", "geonode", "opendatasoft", "socrata"];
        let found: Vec<_> = kinds::read_json(&doc, &at).into_iter().flat_map(|(_, r)| r.resources).collect();
        let found = found.iter().find(|r| ours.contains(&r.kind.as_str()));
        let expected = label.split('-').next().filter(|kind| matches!(*kind, "ckan" | "dcat"));
        let expected = expected.filter(|_| !NOT_DCAT.iter().any(|(known, _)| *known == id));
        assert_eq!(found.map(|r| r.kind.as_str()), expected, "{id}");
        counts.0 += 1;
        counts.1 += usize::from(expected.is_some());
        let said = row["expected"].get("datasets").or_else(|| row["expected"].get("count"));
        if let (Some(found), Some(said)) = (found, said.and_then(Value::as_u64)) {
            assert_eq!(found.dataset_count, said, "{id}");
        }
    }
    eprintln!("{} of {} JSON documents are catalogues, no other is taken for one", counts.1, counts.0);
}

#[test]
fn every_endpoint_of_the_corpus_becomes_a_target() {
    let Some(corpus) = corpus_folder(env!("CARGO_MANIFEST_DIR")) else {
        println!("{ABSENT}");
        return;
    };
    let manifest = std::fs::read_to_string(corpus.join("manifest.jsonl")).expect("a manifest");
    let at = Url::parse("https://corpus.example/app/config.json").expect("an address");
    let (mut expected, mut found, mut above, mut elsewhere, mut misses) = (0, 0, 0, 0, Vec::new());
    for line in manifest.lines() {
        let row: Value = serde_json::from_str(line).expect("a row");
        let kind = row["kind"].as_str().unwrap_or_default();
        if !is_wanted(kind) {
            continue;
        }
        let bytes = std::fs::read(corpus.join(row["file"].as_str().expect("a file"))).expect("a file");
        if kind == "dcat-turtle" {
            assert!(read_turtle(&bytes, &at).is_none(), "shapes and ontologies only speak of DCAT");
            continue;
        }
        let Some(doc) = JsonDocument::from_reader(&mut bytes.as_slice()) else { continue };
        let targets = targets(&doc, &at);
        for endpoint in endpoints(&row["expected"]) {
            if NOT_ENDPOINTS.iter().any(|(known, _)| endpoint.starts_with(known)) {
                continue;
            }
            expected += 1;
            let how = asked(&endpoint, &targets, &at);
            if how != EndpointMatch::No {
                found += 1;
                above += usize::from(how == EndpointMatch::Above);
            } else if ELSEWHERE.iter().any(|(piece, _)| endpoint.contains(piece)) {
                elsewhere += 1;
                eprintln!("left to another reader: {endpoint}");
            } else {
                misses.push(format!("{} {endpoint}", row["id"].as_str().unwrap_or_default()));
            }
        }
    }
    eprintln!(
        "{found} of {expected} endpoints became targets ({above} at the service above them), {elsewhere} are left \
         to other readers"
    );
    assert!(misses.is_empty(), "{} missed:\n{}", misses.len(), misses.join("\n"));
}
