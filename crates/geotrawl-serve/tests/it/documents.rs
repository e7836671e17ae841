//! Snapshots of complete documents of every standard.

use crate::common::{Engine, TestRequest, TestResponse, TestServer, test_server};
use crate::trust::add_service;
use geotrawl_model::Resource;
use geotrawl_standards::described::DescribedRecord;
use geotrawl_standards::records::CatalogueInfo;
use geotrawl_standards::schemaorg;
use serde_json::{Value, json};

/// Requests by the name of their snapshot. `{service}` and `{file}` are the ids of the two records.
const DOCUMENTS: &[(&str, &str)] = &[
    ("csw-2-capabilities", "/csw?service=CSW&version=2.0.2&request=GetCapabilities"),
    ("csw-2-describe-record", "/csw?service=CSW&version=2.0.2&request=DescribeRecord"),
    ("csw-2-domain", "/csw?service=CSW&version=2.0.2&request=GetDomain&propertyName=dc:type"),
    (
        "csw-2-records",
        "/csw?service=CSW&version=2.0.2&request=GetRecords&typeNames=csw:Record&resultType=results&elementSetName=full",
    ),
    (
        "csw-2-record-iso",
        "/csw?service=CSW&version=2.0.2&request=GetRecordById&id={service}&elementSetName=full&outputSchema=http://www.isotc211.org/2005/gmd",
    ),
    ("csw-2-exception", "/csw?service=CSW&version=2.0.2&request=Nonsense"),
    ("csw-3-capabilities", "/csw?service=CSW&version=3.0.0&request=GetCapabilities"),
    (
        "csw-3-records",
        "/csw?service=CSW&version=3.0.0&request=GetRecords&typeNames=csw:Record&elementSetName=full",
    ),
    ("csw-3-record", "/csw?service=CSW&version=3.0.0&request=GetRecordById&id={file}&elementSetName=full"),
    ("csw-3-exception", "/csw?service=CSW&version=3.0.0&request=Nonsense"),
    ("oai-identify", "/oai?verb=Identify"),
    ("oai-formats", "/oai?verb=ListMetadataFormats"),
    ("oai-sets", "/oai?verb=ListSets"),
    ("oai-identifiers", "/oai?verb=ListIdentifiers&metadataPrefix=oai_dc"),
    ("oai-error", "/oai?verb=Nonsense"),
    ("records-landing", "/records"),
    ("records-landing-html", "/records?f=html"),
    ("records-api", "/records/api"),
    ("records-conformance", "/records/conformance"),
    ("records-collections", "/records/collections"),
    ("records-collection", "/records/collections/catalogue"),
    ("records-queryables", "/records/collections/catalogue/queryables"),
    ("records-sortables", "/records/collections/catalogue/sortables"),
    ("records-items", "/records/collections/catalogue/items"),
    ("records-items-html", "/records/collections/catalogue/items?f=html"),
    ("records-item-service", "/records/collections/catalogue/items/{service}"),
    ("records-item-file", "/records/collections/catalogue/items/{file}"),
    ("records-item-html", "/records/collections/catalogue/items/{service}?f=html"),
    ("stac-landing", "/stac"),
    ("stac-api", "/stac/api"),
    ("stac-conformance", "/stac/conformance"),
    ("stac-queryables", "/stac/queryables"),
    ("stac-collections", "/stac/collections"),
    ("stac-collection", "/stac/collections/maps"),
    ("stac-search", "/stac/search"),
    ("stac-item", "/stac/collections/maps/items/{service}"),
    ("dcat-json-ld", "/dcat.jsonld"),
    ("dcat-turtle", "/dcat.ttl"),
    ("dcat-rdf-xml", "/dcat.rdf"),
    ("dcat-record", "/dcat/record/{service}?f=ttl"),
    ("opensearch-description", "/opensearch"),
    ("opensearch-atom", "/opensearch/search?q=rivers"),
    ("opensearch-json", "/opensearch/search?q=rivers&f=json"),
    ("opensearch-html", "/opensearch/search?q=rivers&f=html"),
    ("opensearch-suggestions", "/opensearch/suggest?q=riv"),
    ("status-feed", "/feeds/status.atom"),
    ("robots", "/robots.txt"),
    ("sitemap-index", "/sitemap.xml"),
    ("sitemap-page", "/sitemap/1.xml"),
    ("problem", "/records/collections/none"),
];

/// A service and a file with all possible metadata.
fn described() -> [Resource; 2] {
    let layer = json!({
        "name": "rivers", "title": "Rivers <of the country>", "abstract": "All rivers", "keywords": ["river"],
        "bbox": [5.0, 47.0, 15.0, 55.0], "crs": ["EPSG:4326", "EPSG:3857"], "formats": ["image/png"],
        "time": ["2020-01-01/2024-12-31/P1D"],
    });
    let service = json!({
        "kind": "wms", "url": "http://water.example/wms?map=a&b=1", "versions": ["1.1.1", "1.3.0"],
        "title": "Rivers & lakes", "abstract": "Rivers and lakes of the country, as surveyed.",
        "keywords": ["rivers", "hydrography"], "provider": "Office for Water", "licence": "CC BY 4.0",
        "contact": {
            "person": "Ann Example", "organisation": "Office for Water", "email": "ann@water.example",
            "phone": "+49 30 1", "url": "http://water.example/",
        },
        "bbox": [5.0, 47.0, 15.0, 55.0], "crs": ["EPSG:4326"], "languages": ["en"],
        "software": "GeoServer", "formats": ["image/png"],
        "datasets": [layer, { "name": "lakes" }], "dataset_count": 2,
        "issues": [{ "code": "bbox-inverted", "message": "The box is inverted." }],
    });
    let file = json!({
        "kind": "geojson", "url": "http://files.example/paths.geojson", "title": "Paths",
        "bbox": [-10.0, 35.5, 4.25, 44.0], "dataset_count": 1, "datasets": [{ "name": "paths" }],
    });
    [service, file].map(|resource| serde_json::from_value(resource).unwrap())
}

fn stocked() -> (TestServer, [String; 2]) {
    let world = test_server(Engine::Embedded);
    let ids = described().map(|resource| add_service(&world, resource));
    world.app.index.apply_changes(world.app.store.as_ref()).unwrap();
    (world, ids)
}

/// Returns the status, the media type and the body, formatted with one element or member per line.
fn shown(answer: &TestResponse) -> String {
    let (media, text) = (answer.header("content-type"), answer.text());
    let body = match serde_json::from_str::<Value>(&text) {
        Ok(json) if media.contains("json") => serde_json::to_string_pretty(&json).unwrap(),
        _ if media.contains("xml") || media.contains("html") => text.replace("><", ">\n<"),
        _ => text,
    };
    format!("{} {media}\n\n{body}", answer.status.as_u16()).replace(env!("CARGO_PKG_VERSION"), "[version]")
}

#[tokio::test]
async fn every_document_is_as_it_was() {
    let (world, [service, file]) = stocked();
    for (name, path) in DOCUMENTS {
        let path = path.replace("{service}", &service).replace("{file}", &file);
        let answer = world.send(TestRequest::get(&path)).await;
        insta::assert_snapshot!(*name, shown(&answer), &path);
    }
}

#[tokio::test]
async fn every_format_of_harvesters_is_as_it_was() {
    let (world, [service, _]) = stocked();
    let formats = world.send(TestRequest::get("/oai?verb=ListMetadataFormats")).await.text();
    let prefixes: Vec<&str> =
        formats.split("<metadataPrefix>").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
    assert!(prefixes.len() >= 2, "{prefixes:?}");
    let identifiers =
        world.send(TestRequest::get("/oai?verb=ListIdentifiers&metadataPrefix=oai_dc")).await.text();
    let identifier = identifiers
        .split("<identifier>")
        .filter_map(|rest| rest.split('<').next())
        .find(|identifier| identifier.ends_with(&service))
        .unwrap();
    for prefix in prefixes {
        let path = format!("/oai?verb=GetRecord&metadataPrefix={prefix}&identifier={identifier}");
        let answer = world.send(TestRequest::get(&path)).await;
        insta::assert_snapshot!(format!("oai-record-{prefix}"), shown(&answer), &path);
    }
}

/// The page of a record contains structured data if the web application is built in.
#[test]
fn the_words_of_schema_org_are_as_they_were() {
    let (world, ids) = stocked();
    let place = CatalogueInfo { base: "http://maps.example".into(), title: "Geotrawl".into() };
    for (name, id) in ["service", "file"].into_iter().zip(ids) {
        let mut record = world.app.store.find_record(&id).unwrap().unwrap();
        let layers = std::mem::take(&mut record.resource.datasets);
        insta::assert_json_snapshot!(
            format!("schema-org-{name}"),
            schemaorg::build_json_ld(&place, &DescribedRecord { record, layers })
        );
    }
}
