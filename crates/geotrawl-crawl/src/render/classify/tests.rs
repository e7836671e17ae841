use super::*;
use crate::render::result::RequestInitiator;
use proptest::prelude::*;

fn asked(url: &str, resource_type: &str) -> PageRequest {
    PageRequest {
        url: url.to_owned(),
        method: "GET".to_owned(),
        resource_type: resource_type.to_owned(),
        ..PageRequest::default()
    }
}

fn one(url: &str, resource_type: &str) -> Option<(String, String, Vec<String>, String)> {
    let mut found = classify_requests(&[asked(url, resource_type)]);
    assert!(found.len() <= 1);
    found.pop().map(|sighting| (sighting.url, sighting.says, sighting.layers, sighting.rule))
}

#[test]
fn requests_to_services_show_endpoint_kind_and_layers() {
    for (url, kind, endpoint, says, layers, rule) in [
        (
            "https://m.org/cgi-bin/mapserv?map=/a.map&SERVICE=WMS&REQUEST=GetMap&LAYERS=rivers,lakes&BBOX=0,0,1,1",
            "Image",
            "https://m.org/cgi-bin/mapserv?map=/a.map",
            "wms",
            "rivers lakes",
            "render:getmap",
        ),
        (
            "https://m.org/wmts?service=WMTS&request=GetTile&layer=ortho&tilematrix=3&tilerow=1&tilecol=2",
            "Image",
            "https://m.org/wmts",
            "wmts",
            "ortho",
            "render:gettile",
        ),
        (
            "https://m.org/geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=a:roads",
            "XHR",
            "https://m.org/geoserver/wfs",
            "wfs",
            "a:roads",
            "render:getfeature",
        ),
        (
            "https://m.org/ows?service=WMS&request=GetCapabilities",
            "Fetch",
            "https://m.org/ows",
            "wms",
            "",
            "render:getcapabilities",
        ),
        (
            "https://p.org/proxy?url=https%3A%2F%2Fm.org%2Fwms%3FSERVICE%3DWMS%26REQUEST%3DGetMap%26LAYERS%3Da",
            "Image",
            "https://m.org/wms",
            "wms",
            "a",
            "render:getmap",
        ),
        (
            "https://g.org/arcgis/rest/services/F/Roads/MapServer/export?bbox=1,2,3,4&layers=show:0,2&f=image",
            "Image",
            "https://g.org/arcgis/rest/services/F/Roads/MapServer",
            "arcgis-mapserver",
            "0 2",
            "render:arcgis-export",
        ),
        (
            "https://g.org/arcgis/rest/services/P/FeatureServer/3/query?where=1%3D1",
            "Fetch",
            "https://g.org/arcgis/rest/services/P/FeatureServer",
            "arcgis-featureserver",
            "3",
            "render:arcgis-query",
        ),
        (
            "https://g.org/arcgis/rest/services/B/VectorTileServer/tile/4/5/6.pbf",
            "Fetch",
            "https://g.org/arcgis/rest/services/B/VectorTileServer",
            "arcgis-vectortileserver",
            "",
            "render:arcgis-tile",
        ),
        (
            "https://a.org/api/collections/lakes/items?limit=10",
            "Fetch",
            "https://a.org/api",
            "ogcapi-features",
            "lakes",
            "render:ogcapi-features",
        ),
    ] {
        let (found, said, named, by) = one(url, kind).unwrap_or_else(|| panic!("{url}"));
        assert_eq!(
            (found.as_str(), said.as_str(), named.join(" ").as_str(), by.as_str()),
            (endpoint, says, layers, rule)
        );
    }
}

#[test]
fn what_is_posted_is_read() {
    let xml = "<?xml version='1.0'?><wfs:GetFeature service=\"WFS\"><wfs:Query typeName=\"a:roads\"/></wfs:GetFeature>";
    let post = |body: &str| PageRequest {
        post_data: Some(body.to_owned()),
        method: "POST".to_owned(),
        ..asked("https://m.org/ows", "XHR")
    };
    let found = classify_requests(&[post(xml)]);
    assert_eq!((found[0].says.as_str(), found[0].layers[0].as_str()), ("wfs", "a:roads"));
    let found = classify_requests(&[post("SERVICE=WMS&REQUEST=GetMap&LAYERS=x")]);
    assert_eq!(
        (found[0].says.as_str(), found[0].layers[0].as_str(), found[0].url.as_str()),
        ("wms", "x", "https://m.org/ows")
    );
}

#[test]
fn many_tiles_are_one_template() {
    let mut requests = Vec::new();
    for server in ["a", "b", "c"] {
        for n in 0..30 {
            requests.push(asked(
                &format!("https://{server}.tile.org/base/6/{}/{}.png?v=2", 30 + n, 20 + n),
                "Image",
            ));
        }
    }
    let found = classify_requests(&requests);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].url.as_str(), found[0].says.as_str()),
        ("https://a.tile.org/base/{z}/{x}/{y}.png?v=2", "xyz")
    );
    assert_eq!(found[0].reason, "the page requested 90 of its tiles");
    for (url, kind, template, says) in [
        ("https://t.org/v/3/4/5.pbf?key=k", "Fetch", "https://t.org/v/{z}/{x}/{y}.pbf?key=k", "mvt"),
        ("https://t.org/9/266/180@2x.webp", "Fetch", "https://t.org/{z}/{x}/{y}@2x.webp", "xyz"),
        ("https://t.org/t?x=1&y=2&z=3&s=Ga", "Image", "https://t.org/t?x={x}&y={y}&z={z}&s=Ga", "xyz"),
        (
            "https://t.org/wmts/o/default/EPSG:3857/7/40/60.jpeg",
            "Image",
            "https://t.org/wmts/o/default/EPSG:3857/{z}/{y}/{x}.jpeg",
            "xyz",
        ),
        ("https://t.org/tile/7/40/60", "Image", "https://t.org/tile/{z}/{x}/{y}", "xyz"),
    ] {
        let (found, said, ..) = one(url, kind).unwrap_or_else(|| panic!("{url}"));
        assert_eq!((found.as_str(), said.as_str()), (template, says));
    }
    assert_eq!(one("https://news.org/2024/11/16", "Fetch"), None, "a date");
    assert_eq!(one("https://news.org/7/11/16", "XHR"), None, "a single one without a suffix");
}

#[test]
fn files_and_descriptions_are_told_apart_and_the_rest_is_dropped() {
    for (url, says) in [
        ("https://d.org/style.json", "maplibre-style"),
        ("https://d.org/styles/basic/style.json?key=1", "maplibre-style"),
        ("https://d.org/data/tiles.json", "tilejson"),
        ("https://d.org/city/tileset.json", "3dtiles"),
        ("https://d.org/world.pmtiles", "pmtiles"),
        ("https://d.org/roads.geojson", "geojson"),
        ("https://d.org/a.kml", "kml"),
        ("https://d.org/dem.tif", "geotiff"),
        ("https://d.org/config.json", ""),
    ] {
        assert_eq!(one(url, "Fetch").map(|found| found.1).as_deref(), Some(says), "{url}");
    }
    for (url, kind) in [
        ("https://d.org/app.js", "Script"),
        ("https://d.org/logo.png", "Image"),
        ("https://d.org/fonts/Noto/0-255.pbf", "Fetch"),
        ("https://d.org/sprite@2x.json", "Fetch"),
        ("https://d.org/", "Document"),
        ("https://d.org/a.woff2", "Font"),
        ("not an address", "Fetch"),
    ] {
        assert_eq!(one(url, kind), None, "{url}");
    }
}

#[test]
fn a_sighting_says_where_the_request_was_made() {
    let initiator = Some(RequestInitiator { url: "https://d.org/app.js".to_owned(), line: 3, column: 14 });
    let found = classify_requests(&[PageRequest { initiator, ..asked("https://d.org/a.kml", "XHR") }]);
    assert_eq!(
        (found[0].line, found[0].column, found[0].original.as_deref()),
        (3, 14, Some("https://d.org/app.js"))
    );
    assert_eq!(found[0].level, AnalysisLevel::Render);
}

#[test]
fn a_page_shows_a_bounded_number_of_services() {
    let requests: Vec<PageRequest> = (0..5000)
        .map(|n| asked(&format!("https://h{n}.org/wms?REQUEST=GetMap&SERVICE=WMS"), "Image"))
        .collect();
    assert_eq!(classify_requests(&requests).len(), MOST);
}

proptest! {
    #[test]
    fn strange_requests_do_no_harm(url in "(https?://)?[a-z0-9./{}%?&=:@é-]{0,80}", post in proptest::option::of("[<a-zA-Z:=\"' >/&é]{0,80}"), kind in "(Image|XHR|Script)") {
        let seen = PageRequest { post_data: post, ..asked(&url, &kind) };
        prop_assert!(classify_requests(&[seen.clone(), seen]).len() <= 1);
    }
}
