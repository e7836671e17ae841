use super::*;
use proptest::prelude::*;
use serde_json::json;

/// Reads a configuration: returns the viewer, and every target with its layers.
fn found(doc: &Value, at: &str) -> (&'static str, Vec<String>) {
    let (viewer, targets) = read_config(doc, &Url::parse(at).unwrap()).unwrap_or(("", Vec::new()));
    let text = |t: &CrawlTarget| {
        assert_eq!(t.way, format!("config:{viewer}"));
        let layers = if t.layers.is_empty() { String::new() } else { format!(" [{}]", t.layers.join(",")) };
        format!("{} {}{layers}", t.intent, t.url)
    };
    (viewer, targets.iter().map(text).collect())
}

fn check(viewer: &str, at: &str, doc: Value, expected: &[&str]) {
    let (got, targets) = found(&doc, at);
    assert_eq!(got, viewer, "{doc}");
    assert_eq!(targets, expected, "{viewer}");
}

#[test]
fn terria_catalogues_are_typed() {
    check(
        "terria",
        "https://t.org/app/config.json",
        json!({"initializationUrls": ["town", "https://x.org/init/more.json"], "parameters": {}}),
        &["page https://t.org/app/init/town.json", "page https://x.org/init/more.json"],
    );
    check(
        "terria",
        "https://t.org/init/a.json",
        json!({"catalog": [{"type": "group", "name": "g", "members": [
            {"type": "wms", "name": "a", "url": "https://x.org/maps/a", "layers": "l1,l2"},
            {"type": "wms-group", "url": "https://t.org/proxy/_1d/http://y.org/ows"},
            {"type": "esri-mapServer", "url": "https://x.org/arcgis/rest/services/A/MapServer/3"},
            {"type": "ckan-group", "url": "https://data.org/"},
            {"type": "csw-group", "url": "https://x.org/catalogue"},
            {"type": "3d-tiles", "url": "https://x.org/t/tileset.json"},
            {"type": "geojson", "url": "data/roads.json"}]}]}),
        &[
            "ows:wms https://x.org/maps/a [l1,l2]",
            "ows:wms+ http://y.org/ows",
            "ask:arcgis-mapserver https://x.org/arcgis/rest/services/A/MapServer",
            "ask:ckan https://data.org/",
            "ows:csw https://x.org/catalogue",
            "ask:3dtiles https://x.org/t/tileset.json",
            "file https://t.org/init/data/roads.json",
        ],
    );
}

#[test]
fn masterportal_services_are_typed() {
    check(
        "masterportal",
        "https://m.org/services.json",
        json!([
            {"id": "1", "name": "A", "url": "https://x.org/HH_WMS_A", "typ": "WMS", "layers": "a,b", "version": "1.3.0"},
            {"id": "2", "name": "A", "url": "https://x.org/HH_WMS_A", "typ": "WMS", "layers": "c"},
            {"id": "3", "url": "https://x.org/wfs_b", "typ": "WFS", "featureType": "b"},
            {"id": "4", "url": "https://x.org/datasets/v1/c", "typ": "OAF"},
            {"id": "5", "url": "https://x.org/sta", "typ": "SensorThings"}
        ]),
        &[
            "ows:wms https://x.org/HH_WMS_A [a,b,c]",
            "ows:wfs https://x.org/wfs_b [b]",
            "ask:ogcapi-features https://x.org/datasets/v1/c",
            "ask:sensorthings https://x.org/sta",
        ],
    );
}

#[test]
fn mapstore_layers_carry_their_names() {
    check(
        "mapstore",
        "https://m.org/rest/geostore/data/1",
        json!({"version": 2, "map": {"layers": [
            {"type": "wms", "name": "ws:roads", "title": "Roads", "url": ["https://a.x.org/gs", "https://b.x.org/gs"]},
            {"type": "osm", "name": "mapnik"}]},
            "catalogServices": {"services": {"c": {"type": "csw", "url": "/discovery/search"}}}}),
        &["ows:wms https://a.x.org/gs [ws:roads]", "ows:csw https://m.org/discovery/search"],
    );
}

#[test]
fn qwc2_themes_are_services() {
    check(
        "qwc2",
        "https://q.org/themes.json",
        json!({"themes": {"subdirs": [{"items": [{"id": "a", "title": "A", "url": "/ows/a",
            "sublayers": [{"name": "g", "sublayers": [{"name": "l1"}, {"name": "l2"}]}],
            "externalLayers": [{"name": "wms:https://x.org/other?#lx"}]}]}]}}),
        &["ows:wms+ https://q.org/ows/a [l1,l2]", "ows:wms https://x.org/other [lx]"],
    );
}

#[test]
fn c2cgeoportal_servers_have_their_layers() {
    check(
        "c2cgeoportal",
        "https://c.org/themes?version=2",
        json!({"ogcServers": {"main": {"url": "https://c.org/mapserv_proxy?ogcserver=main", "urlWfs": "https://c.org/wfs_proxy", "type": "mapserver"}},
            "themes": [{"children": [{"ogcServer": "main", "children": [{"type": "WMS", "layers": "a,b"}]}]}]}),
        &[
            "ows:wms https://c.org/mapserv_proxy?ogcserver=main [a,b]",
            "ows:wfs https://c.org/wfs_proxy [a,b]",
        ],
    );
}

#[test]
fn origo_sources_are_typed_by_their_layers() {
    check(
        "origo",
        "https://o.org/index.json",
        json!({"controls": [], "source": {"gs": {"url": "https://x.org/gs/town"}, "files": {"url": "data"}},
            "layers": [{"name": "roads__red", "source": "gs", "type": "WMS"}, {"name": "g", "source": "data/g.geojson", "type": "GEOJSON"}]}),
        &["file https://o.org/data/g.geojson", "ows:wms https://x.org/gs/town [roads]"],
    );
}

#[test]
fn oskari_lizmap_geomoose_owc_and_web_maps_are_read() {
    check(
        "oskari",
        "https://o.org/action?action_route=GetMapLayers",
        json!({"layers": [{"type": "wmslayer", "layerName": "a", "orgName": "T", "url": "https://x.org/svc,https://y.org/svc"}]}),
        &["ows:wms https://x.org/svc [a]"],
    );
    check(
        "lizmap",
        "https://l.org/index.php/lizmap/service/getProjectConfig?repository=r&project=p",
        json!({"options": {"projection": {}, "bbox": []}, "layers": {"roads": {"type": "layer"}, "g": {"type": "group"}}}),
        &["ows:wms+ https://l.org/index.php/lizmap/service?repository=r&project=p [roads]"],
    );
    check(
        "geomoose",
        "https://g.org/mapbook.json",
        json!({"map-sources": [{"name": "a", "type": "wms", "urls": ["https://x.org/a", "https://y.org/a"], "layers": [{"name": "l"}]}]}),
        &["ows:wms https://x.org/a [l]"],
    );
    check(
        "owc",
        "https://w.org/context.json",
        json!({"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"title": "A", "offerings": [
            {"code": "http://www.opengis.net/spec/owc-geojson/1.0/req/wms", "operations": [
                {"code": "GetCapabilities", "href": "https://x.org/a?REQUEST=GetCapabilities&SERVICE=WMS"}]}]}}]}),
        &["ows:wms https://x.org/a"],
    );
    check(
        "arcgis-webmap",
        "https://a.org/sharing/rest/content/items/x/data",
        json!({"operationalLayers": [{"layerType": "GroupLayer", "layers": [
            {"url": "https://x.org/arcgis/rest/services/A/FeatureServer/0", "layerType": "ArcGISFeatureLayer"}]},
            {"type": "WMS", "url": "https://x.org/maps", "layers": [{"name": "l"}]}],
            "baseMap": {"baseMapLayers": [{"url": "https://x.org/arcgis/rest/services/B/MapServer"}]}}),
        &[
            "ask:arcgis-mapserver https://x.org/arcgis/rest/services/B/MapServer",
            "ows:wms https://x.org/maps [l]",
            "ask:arcgis-featureserver https://x.org/arcgis/rest/services/A/FeatureServer",
        ],
    );
}

#[test]
fn configurations_of_nobody_are_read_by_their_shape() {
    check(
        "json",
        "https://n.org/app/layers.json",
        json!({"a": {"wmsUrl": "https://x.org/map", "wmsLayers": "l"}, "b": {"type": "WFS", "serviceUrl": "../svc/b?"},
            "c": ["https://x.org/data/roads.kml"], "d": {"type": "text", "url": "https://x.org/page"},
            "tiles": "https://{a-d}.x.org/wmts/1.0.0/roads/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.png"}),
        &[
            "ows:wmts https://a.x.org/wmts",
            "ows:wms https://x.org/map [l]",
            "ows:wfs https://n.org/svc/b",
            "file https://x.org/data/roads.kml",
        ],
    );
    assert_eq!(found(&json!({"url": "https://x.org/page", "n": 1}), "https://n.org/").0, "");
    assert_eq!(found(&json!([1, 2]), "https://n.org/").0, "");
}

#[test]
fn the_list_is_sorted_and_documented() {
    assert!(VIEWERS.windows(2).all(|pair| pair[0].id < pair[1].id));
    assert!(VIEWERS.iter().all(|viewer| viewer.what.len() > 10));
}

proptest! {
    #[test]
    fn any_json_is_read(text in r#"[\[\]{}",:a-z0-9 ]{0,80}"#, key in "(layers|source|themes|catalog|url|type|typ|ogcServers|offerings)", url in "[ -~]{0,30}") {
        let at = Url::parse("https://x.org/a.json").unwrap();
        let value = serde_json::from_str(&text).unwrap_or(Value::Null);
        read_config(&json!({key.clone(): value, "url": url, "type": "wms"}), &at);
        read_config(&json!([{"typ": "WMS", "id": 1, "url": url}]), &at);
        read_config(&json!({key: {"items": [{"url": url}]}, "source": {"a": {"url": url}}, "layers": [url], "controls": 1}), &at);
    }
}
