use super::write::{RdfFormat, write_triples};
use super::*;
use geotrawl_model::{Contact, Record, Resource, Theme};
use oxttl::TurtleParser;
use quick_xml::Reader;
use quick_xml::events::Event;
use std::collections::HashSet;

fn place() -> CatalogueInfo {
    CatalogueInfo { base: "https://maps.example".into(), title: "Maps & more".into() }
}

fn service(url: &str, title: &str) -> DescribedRecord {
    let layer = |name: &str| Dataset {
        name: name.into(),
        bbox: Some([170.0, -10.0, -170.0, 10.0].into()),
        time: vec!["2020-01-01/2021-01-01".into()],
        ..Dataset::default()
    };
    let resource = Resource {
        kind: "wms".into(),
        url: url.into(),
        title: Some(title.into()),
        licence: Some("Ask first".into()),
        provider: Some("Office".into()),
        bbox: Some([5.0, 45.0, 11.0, 48.0].into()),
        keywords: vec!["roads".into(), "roads".into()],
        contact: Contact { email: Some("a b@office.example".into()), ..Contact::default() },
        dataset_count: 2,
        ..Resource::default()
    };
    let themes = vec![Theme { scheme: "eu-dcat".into(), term: "TRAN".into(), evidence: String::new() }];
    let record = Record { id: "r1".into(), resource, themes, ..Record::default() };
    DescribedRecord { record, layers: vec![layer("a b"), layer("a b"), layer("ü<>")] }
}

fn pages() -> DcatPage {
    let here = "https://maps.example/dcat?page=1".to_owned();
    let updated = jiff::Timestamp::UNIX_EPOCH;
    DcatPage {
        total: 3,
        limit: 2,
        updated,
        beside: vec![("next", "https://maps.example/dcat?page=2".into())],
        here,
    }
}

#[test]
fn turtle_comes_back_as_the_same_triples() {
    let hostile = service("http://h.example/wms?map=a|b{c}\"<>", "Ro\u{0}ads \"]]> <b> \u{202e}\n@en .");
    let triples = page_triples(&place(), &pages(), &[hostile]);
    let read: HashSet<Triple> = TurtleParser::new()
        .for_reader(write_triples(RdfFormat::Turtle, &triples).as_bytes())
        .map(Result::unwrap)
        .collect();
    assert_eq!(read, triples.iter().cloned().collect());
    assert_eq!(read.len(), triples.len(), "a graph is a set");
}

#[test]
fn a_service_serves_its_layers_and_a_file_is_a_dataset() {
    let triples = record_triples(&place(), &service("http://h.example/wms", "Roads"));
    let text = write_triples(RdfFormat::Turtle, &triples);
    for expected in [
        "dcat:DataService",
        "dcat:endpointURL <http://h.example/wms>",
        "dcat:servesDataset <https://maps.example/dcat/record/r1#layer-a%20b>",
        "data-theme/TRAN>",
        "POLYGON((5 45, 11 45, 11 48, 5 48, 5 45))",
        "MULTIPOLYGON(((170 -10, 180 -10",
        "dct:RightsStatement",
        "<mailto:a%20b@office.example>",
        "dct:PeriodOfTime",
    ] {
        assert!(text.contains(expected), "{expected} is missing in {text}");
    }
    let mut file = service("http://h.example/roads.geojson", "Roads");
    file.record.resource.kind = "geojson".into();
    file.record.resource.licence = Some("https://creativecommons.org/licenses/by/4.0/".into());
    let text = write_triples(RdfFormat::Turtle, &record_triples(&place(), &file));
    for expected in
        ["dcat:downloadURL <http://h.example/roads.geojson>", "application/geo+json>", "licenses/by/4.0/>"]
    {
        assert!(text.contains(expected), "{expected} is missing in {text}");
    }
}

#[test]
fn rdf_xml_is_well_formed_whatever_strangers_write() {
    let hostile = service("http://h.example/wms?a=1&b=<2>", "\u{1}\u{b}\u{fffe} <x> ]]> & \"'");
    let text = write_triples(RdfFormat::RdfXml, &page_triples(&place(), &pages(), &[hostile]));
    let mut reader = Reader::from_str(&text);
    while reader.read_event().unwrap() != Event::Eof {}
    assert!(!text.contains(['\u{1}', '\u{b}', '\u{fffe}']));
}

#[test]
fn json_ld_holds_every_triple() {
    let triples = page_triples(&place(), &pages(), &[service("http://h.example/wms", "Roads")]);
    let document: serde_json::Value =
        serde_json::from_str(&write_triples(RdfFormat::JsonLd, &triples)).unwrap();
    let nodes = document["@graph"].as_array().unwrap();
    let values =
        nodes.iter().flat_map(|node| node.as_object().unwrap().values().filter_map(|v| v.as_array()));
    assert_eq!(values.map(Vec::len).sum::<usize>(), triples.len());
    assert_eq!(
        nodes.len(),
        nodes.iter().map(|node| node["@id"].as_str().unwrap()).collect::<HashSet<_>>().len()
    );
}
