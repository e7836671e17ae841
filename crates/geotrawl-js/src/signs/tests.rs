//! Events made by hand, in the shapes that real code has.
#![cfg(test)]

use super::sign::{Spot, Use};
use super::tables::TABLES;
use super::testing::{assign, call, list, literal, object, plain, text};
use super::{recognise, telling_assignment, telling_call, telling_member};
use crate::model::{Level, Sighting};
use crate::value::{Event, Value};
use std::rc::Rc;

fn sightings(events: &[Event]) -> Vec<Sighting> {
    recognise(events, Level::Fold).sightings
}

/// What each event says alone: address, kind, layers.
fn seen(event: Event) -> Vec<(String, String, String)> {
    sightings(&[event]).into_iter().map(|s| (s.url, s.says, s.layers.join(","))).collect()
}

fn only(event: Event) -> (String, String, String) {
    let mut all = seen(event);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

const URL: &str = "https://maps.example/geo";

/// The address for a use, and what it must be said to be.
fn address_for(uses: Use) -> (&'static str, Option<&'static str>) {
    match uses {
        Use::Is(kind) => (URL, Some(kind)),
        Use::Tiles => ("https://maps.example/{z}/{x}/{y}.png", Some("xyz")),
        Use::VectorTiles => ("https://maps.example/{z}/{x}/{y}.pbf", Some("mvt")),
        Use::Arcgis => ("https://maps.example/rest/services/a/MapServer", Some("arcgis-mapserver")),
        Use::File => ("https://maps.example/points", Some("file")),
        Use::Document => ("https://maps.example/basic", Some("document")),
        Use::Item => ("0123456789abcdef0123456789abcdef", Some("arcgis-item")),
        Use::Loaded | Use::Opened => ("https://maps.example/geoserver/ows", Some("")),
        Use::Picture => ("https://maps.example/x?request=GetMap", Some("wms")),
        Use::Map | Use::Bare => ("", None),
    }
}

/// Arguments that have a value at a spot.
fn arguments(spot: Spot, value: Value, layer: Option<&str>) -> Vec<Value> {
    let mut members = Vec::new();
    if let Some(layer) = layer {
        members.push((layer, text("ws:roads")));
    }
    let mut args = vec![text("title"); 2];
    let at = match spot {
        Spot::Arg(at) => {
            let at = usize::from(at);
            args.truncate(at);
            args.push(value);
            args.push(object(&members));
            return args;
        }
        Spot::In(at, name) => {
            members.push((name, value));
            at
        }
        Spot::Deep(at, outer, name) => {
            members.push((outer, object(&[(if name == "*" { "any" } else { name }, value)])));
            at
        }
        Spot::Each(at, outer, name) => {
            members.push((outer, list(vec![object(&[(name, value)])])));
            at
        }
    };
    args.truncate(usize::from(at));
    args.push(object(&members));
    args
}

#[test]
fn every_row_is_read_as_it_says() {
    for table in TABLES {
        for sign in table.signs {
            let (url, kind) = address_for(sign.uses);
            let mut name = sign.tail.to_vec();
            if let Some(root) = table.roots.first()
                && !table.roots.contains(&name[0])
            {
                name.insert(0, root);
            }
            let telling = telling_call(&name);
            assert!(telling, "{name:?}");
            let Some(kind) = kind else {
                assert!(
                    sign.uses == Use::Bare || recognise(&[call(&name, vec![])], Level::Run).makes_maps,
                    "{name:?}"
                );
                continue;
            };
            for spot in sign.url {
                let mut args = arguments(*spot, text(url), sign.layers.first().copied());
                if sign.uses == Use::Opened {
                    args[0] = text("GET");
                }
                let seen = sightings(&[call(&name, args)]);
                assert_eq!(seen.len(), 1, "{name:?} {spot:?} {seen:?}");
                assert_eq!(seen[0].says, kind, "{name:?} {spot:?}");
                if sign.uses != Use::Item {
                    assert_eq!(seen[0].url, url, "{name:?}");
                }
                if !sign.layers.is_empty() {
                    assert_eq!(seen[0].layers, ["ws:roads"], "{name:?} {spot:?}");
                }
                // What is not known is said to be so.
                if sign.uses.needs_address() && !matches!(sign.uses, Use::Item) && name.len() > 1 {
                    let open = recognise(&[call(&name, arguments(*spot, Value::Unknown, None))], Level::Fold);
                    assert!(open.undecided > 0 && open.sightings.is_empty(), "{name:?} {spot:?}");
                }
            }
        }
    }
}

#[test]
fn a_call_gives_address_layers_and_title() {
    let event = call(
        &["OpenLayers", "Layer", "WMS"],
        vec![text("Roads, all"), text("https://a.example/cgi?"), object(&[("layers", text("roads,rails"))])],
    );
    let seen = sightings(&[event]);
    assert_eq!(seen.len(), 1);
    assert_eq!((seen[0].title.as_str(), seen[0].rule.as_str()), ("Roads, all", "openlayers2:Layer.WMS"));
    assert_eq!(seen[0].layers, ["roads", "rails"]);
    let event = call(
        &["n", "default", "tileLayer", "wms"],
        vec![text("https://a.example/x"), object(&[("layers", text("a")), ("format", text("image/png"))])],
    );
    assert_eq!(only(event), ("https://a.example/x".into(), "wms".into(), "a".into()));
}

#[test]
fn several_hosts_are_one_source() {
    let urls = ["https://t1.maps.example/x", "https://t2.maps.example/x", "https://t3.maps.example/x"];
    let hosts = list(urls.iter().map(|url| text(url)).collect());
    let layer =
        call(&["OpenLayers", "Layer", "WMS"], vec![text("a"), hosts, object(&[("layers", text("b"))])]);
    let mut events = vec![layer];
    events.extend(urls.iter().map(|url| plain(&format!("{url}/wms"))));
    events.extend(urls.iter().map(|url| plain(url)));
    let urls: Vec<String> = sightings(&events).into_iter().map(|s| s.url).collect();
    assert_eq!(urls, ["https://t1.maps.example/x", "https://t1.maps.example/x/wms"]);
}

#[test]
fn shapes_tell_layers_without_names() {
    let wms = "https://a.example/srv";
    let u = |url: &str| ("url", text(url));
    for (members, url, says, layers) in [
        (vec![u(wms), ("params", object(&[("LAYERS", text("a,b"))]))], wms, "wms", "a,b"),
        (
            vec![("urls", list(vec![text(wms)])), ("params", object(&[("layers", text("a"))]))],
            wms,
            "wms",
            "a",
        ),
        (vec![u(wms), ("layers", text("a")), ("transparent", Value::Bool(true))], wms, "wms", "a"),
        (vec![u(wms), ("layers", text("a"))], wms, "wms", "a"),
        (vec![u(wms), ("matrixSet", text("m")), ("layer", text("a"))], wms, "wmts", "a"),
        (vec![u(wms), ("requestEncoding", text("REST")), ("layer", text("a"))], wms, "wmts", "a"),
        (vec![u(wms), ("tileMatrixSetID", text("m")), ("layer", text("a"))], wms, "wmts", "a"),
        (vec![u(wms), ("featureType", text("a")), ("featureNS", text("http://b.example"))], wms, "wfs", "a"),
        (vec![u(wms), ("typeName", text("ws:a"))], wms, "wfs", "ws:a"),
        (vec![u(wms), ("collectionId", text("a"))], wms, "ogcapi-features", "a"),
        (vec![u(wms), ("type", text("wms")), ("name", text("n"))], wms, "wms", ""),
        (vec![u("/rel/srv"), ("typ", text("WFS"))], "/rel/srv", "wfs", ""),
        (vec![("src", text(wms)), ("type", text("WMTS"))], wms, "wmts", ""),
        (vec![u(wms), ("ptype", text("gxp_wmscsource"))], wms, "wms", ""),
        (
            vec![u(wms), ("params", object(&[("SERVICE", text("WFS")), ("typeName", text("t"))]))],
            wms,
            "wfs",
            "t",
        ),
        (vec![u(wms), ("data", object(&[("request", text("GetFeature"))]))], wms, "wfs", ""),
        (vec![u(wms), ("params", Value::Unknown), ("serverType", text("geoserver"))], wms, "wms", ""),
        (vec![("service", text(wms)), ("layerNames", text("a"))], wms, "wms", "a"),
        (vec![("wmsUrl", text("/geo/x"))], "/geo/x", "wms", ""),
        (vec![("WFS_URL", text(wms))], wms, "wfs", ""),
        (
            vec![("@@type", text("WMSLayer")), ("data", text(wms)), ("layers", list(vec![text("a")]))],
            wms,
            "wms",
            "a",
        ),
        (
            vec![("urlTemplate", text("https://a.example/{level}/{row}/{col}"))],
            "https://a.example/{level}/{row}/{col}",
            "xyz",
            "",
        ),
        (vec![("type", text("geojson")), ("data", text("/api/points"))], "/api/points", "file", ""),
        (
            vec![("type", text("vector")), u("https://a.example/t.json")],
            "https://a.example/t.json",
            "document",
            "",
        ),
    ] {
        assert_eq!(
            only(literal(&members)),
            (url.to_owned(), says.to_owned(), layers.to_owned()),
            "{members:?}"
        );
        let member = |(name, _): &(&str, Value)| telling_member(name) || matches!(*name, "type" | "data");
        assert!(members.iter().any(member), "{members:?}");
    }
}

#[test]
fn sources_of_styles_are_read_wherever_they_stand() {
    let tiles = |url: &str| list(vec![text(url)]);
    let source = |kind: &str, url: &str| object(&[("type", text(kind)), ("tiles", tiles(url))]);
    let style = literal(&[(
        "sources",
        object(&[
            (
                "a",
                source(
                    "raster",
                    "https://a.example/wms?bbox={bbox-epsg-3857}&request=GetMap&service=WMS&layers=x",
                ),
            ),
            ("b", source("raster", "https://a.example/{z}/{x}/{y}.png")),
            ("c", source("vector", "https://a.example/{z}/{x}/{y}.pbf")),
            (
                "d",
                object(&[("type", text("vector")), ("url", text("pmtiles://https://a.example/d.pmtiles"))]),
            ),
            ("e", object(&[("type", text("vector")), ("url", text("mapbox://mapbox.streets"))])),
        ]),
    )]);
    let says: Vec<String> = seen(style).into_iter().map(|(_, says, _)| says).collect();
    assert_eq!(says, ["wms", "xyz", "mvt", "file"]);
    let added =
        call(&["t", "addSource"], vec![text("roads"), source("raster", "https://a.example/{z}/{x}/{y}.png")]);
    assert_eq!(sightings(&[added])[0].title, "roads");
}

#[test]
fn functions_that_make_tiles_are_read() {
    let returns = |url: &str| Value::Returns(Rc::new(text(url)));
    let tiles = literal(&[("getTileUrl", returns("https://a.example/t/\u{FFFC}/\u{FFFC}/\u{FFFC}.png"))]);
    assert_eq!(only(tiles).0, "https://a.example/t/{z}/{x}/{y}.png");
    let wms = call(
        &["google", "maps", "ImageMapType"],
        vec![object(&[("getTileUrl", returns("https://a.example/x?REQUEST=GetMap&BBOX=\u{FFFC}"))])],
    );
    assert_eq!(only(wms).1, "wms");
}

#[test]
fn items_stand_in_their_portal() {
    let id = "0123456789abcdef0123456789abcdef";
    let item = call(&["esri", "WebMap"], vec![object(&[("portalItem", object(&[("id", text(id))]))])]);
    let portal = assign(&["esriConfig", "portalUrl"], text("https://p.example/portal"));
    let seen = sightings(&[item, portal]);
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].url, format!("https://p.example/portal/sharing/rest/content/items/{id}"));
}

#[test]
fn proxies_are_taken_off() {
    let events = [
        assign(&["OpenLayers", "ProxyHost"], text("/cgi-bin/p.py?u=")),
        call(
            &["fetch"],
            vec![text("/cgi-bin/p.py?u=https%3A%2F%2Fa.example%2Fgeoserver%2Fows%3Fservice%3DWFS")],
        ),
        plain("/cgi-bin/p.py?u="),
    ];
    let seen = sightings(&events);
    assert_eq!(seen.len(), 1);
    assert_eq!(
        (seen[0].url.as_str(), seen[0].says.as_str()),
        ("https://a.example/geoserver/ows?service=WFS", "wfs")
    );
}

#[test]
fn minified_calls_are_told_by_their_arguments() {
    let event = call(&["r"], vec![text("https://a.example/rest/services/x/MapServer")]);
    assert_eq!(only(event).1, "arcgis-mapserver");
    let event = call(&[], vec![text("https://a.example/x"), object(&[("layers", text("a"))])]);
    assert_eq!(only(event).1, "wms");
    let options = object(&[("url", text("https://a.example/x")), ("layers", text("a"))]);
    let event = call(&["jsx"], vec![Value::Unknown, options]);
    assert_eq!(only(event).1, "wms");
}

#[test]
fn ext_makes_what_its_first_argument_says() {
    let event = call(
        &["Ext", "create"],
        vec![text("GeoExt.data.store.WmsCapabilities"), object(&[("url", text("https://a.example/x"))])],
    );
    assert_eq!(only(event).1, "wms");
}

#[test]
fn parameters_beside_an_address_say_the_service() {
    let asked =
        object(&[("service", text("WFS")), ("typeName", text("ws:a")), ("request", text("GetFeature"))]);
    let event = call(&["$", "get"], vec![text("https://a.example/x"), asked.clone()]);
    assert_eq!(only(event), ("https://a.example/x".into(), "wfs".into(), "ws:a".into()));
    let event = call(&["axios", "get"], vec![text("https://a.example/x"), object(&[("params", asked)])]);
    assert_eq!(only(event).1, "wfs");
    let event = plain("https://a.example/x?service=WMS&request=GetMap&layers=ws%3Aa,b");
    assert_eq!(only(event).2, "ws:a,b");
}

#[test]
fn layers_of_other_things_are_no_wms() {
    let network = object(&[("layers", Value::Number(2.0)), ("format", text("float32"))]);
    let model =
        [("url", text("https://a.example/v1")), ("layers", list(vec![object(&[])])), ("params", network)];
    assert_eq!(seen(literal(&model)), []);
    let shop = [("type", text("layers")), ("url", text("/v2/shelves")), ("format", text("json"))];
    assert_eq!(seen(literal(&shop)), []);
}

#[test]
fn base_maps_that_libraries_bring_count_when_they_are_called() {
    let osm = "https://tile.openstreetmap.org/{z}/{x}/{y}.png";
    assert_eq!(seen(literal(&[("url", text(osm)), ("attributions", text("a"))])), []);
    assert_eq!(only(call(&["L", "tileLayer"], vec![text(osm)])).1, "xyz");
}

#[test]
fn capabilities_that_a_script_reads_say_what_was_fetched() {
    let events = [
        call(&["ol", "format", "WMTSCapabilities"], vec![]),
        call(&["fetch"], vec![text("data/geo-capabilities.xml")]),
    ];
    assert_eq!(sightings(&events)[0].says, "wmts");
}

#[test]
fn texts_that_are_no_service_are_dropped() {
    for text in [
        "http://www.opengis.net/wms",
        "https://www.openstreetmap.org/copyright",
        "https://a.example/about",
        "layers/icon.png",
        "wms layers",
    ] {
        assert_eq!(seen(plain(text)), [], "{text}");
    }
    assert_eq!(only(plain("/geoserver/ows")).1, "");
}

#[test]
fn an_object_read_by_a_call_is_not_read_again() {
    let options =
        object(&[("url", text("https://a.example/x")), ("layers", text("a")), ("format", text("f"))]);
    let Value::Object(inner) = options.clone() else { unreachable!() };
    let events = [
        call(&["Cesium", "Cesium3DTileset"], vec![options]),
        Event::Object { object: inner, place: crate::model::Place::default() },
    ];
    let seen = sightings(&events);
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].says, "3dtiles");
}

#[test]
fn what_is_not_known_is_counted() {
    let layer = |url: Value| literal(&[("url", url), ("params", object(&[("LAYERS", text("a"))]))]);
    for (event, undecided) in [
        (layer(Value::Unknown), 1),
        (layer(text("\u{FFFC}/wms")), 1),
        (layer(text("https://a.example/wms")), 0),
        (layer(text("https://a.example/\u{FFFC}/wms")), 1),
        (call(&["VectorSource"], vec![object(&[("features", Value::Unknown)])]), 0),
        (call(&["ol", "source", "OSM"], vec![]), 0),
        (call(&["ol", "source", "TileWMS"], vec![Value::Unknown]), 1),
        (plain("\u{FFFC}/geoserver/wms"), 1),
        (plain("\u{FFFC}?&BBOX=\u{FFFC},\u{FFFC}"), 0),
    ] {
        let label = format!("{event:?}");
        assert_eq!(recognise(&[event], Level::Fold).undecided > 0, undecided > 0, "{label}");
    }
}

#[test]
fn maps_are_told_by_call_and_shape() {
    for (event, makes) in [
        (call(&["ol", "Map"], vec![Value::Unknown]), true),
        (call(&["L", "map"], vec![text("map")]), true),
        (call(&["Map"], vec![]), false),
        (call(&["fetch"], vec![text("/geoserver/wms")]), false),
        (literal(&[("target", text("map")), ("layers", Value::Unknown), ("view", Value::Unknown)]), true),
        (
            literal(&[("container", text("map")), ("style", text("s.json")), ("zoom", Value::Number(1.0))]),
            true,
        ),
        (literal(&[("url", text("/login")), ("type", text("POST"))]), false),
    ] {
        let label = format!("{event:?}");
        assert_eq!(recognise(&[event], Level::Fold).makes_maps, makes, "{label}");
    }
}

#[test]
fn telling_names_are_known() {
    for name in ["url", "urls", "LAYERS", "matrixSet", "wmsUrl", "WMS_URL", "portalItem", "tiles", "proxyUrl"]
    {
        assert!(telling_member(name), "{name}");
    }
    for name in ["className", "children", "onClick", "type", "id", "e", "constructor"] {
        assert!(!telling_member(name), "{name}");
    }
    assert!(telling_assignment("ProxyHost") && telling_assignment("url") && !telling_assignment("innerHTML"));
    assert!(telling_call(&["Ext", "create"]) && !telling_call(&["Object", "create"]));
}

#[test]
fn strange_texts_do_no_harm() {
    const PIECES: &[&str] = &[
        "http://",
        "https:",
        "//",
        "/",
        "?",
        "&",
        "=",
        "%",
        "%3A",
        "%2",
        "{z}",
        "{",
        "}",
        "${x}",
        "\u{FFFC}",
        "é",
        "日本",
        " ",
        "wms",
        "MapServer",
        "request",
        "GetMap",
        "service=WMS",
        "bbox",
        "proxy",
        "url=",
        "http%3A%2F%2F",
        ".",
        "..",
        ":",
        "@",
        "a",
        "1",
        "example",
        ".json",
        "pmtiles://",
        "\n",
        "\"",
        "\0",
        "0123456789abcdef0123456789abcdef",
        "[",
        "]",
        "(",
    ];
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |most: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % most as u64).unwrap()
    };
    let keys = [
        "url",
        "urls",
        "params",
        "LAYERS",
        "type",
        "tiles",
        "portalItem",
        "wmsUrl",
        "proxyUrl",
        "getTileUrl",
    ];
    for _ in 0..3_000 {
        let mut word = || (0..next(9)).map(|_| PIECES[next(PIECES.len())]).collect::<String>();
        let (a, b, c) = (word(), word(), word());
        let events = [
            plain(&a),
            assign(&["x", keys[next(keys.len())]], text(&b)),
            literal(&[
                (keys[next(keys.len())], text(&a)),
                (keys[next(keys.len())], text(&c)),
                ("layers", text(&b)),
            ]),
            call(&["L", "tileLayer", "wms"], vec![text(&b), object(&[("layers", text(&c))])]),
            call(&["open"], vec![text("GET"), text(&c)]),
            call(&[], vec![Value::Returns(Rc::new(text(&a))), list(vec![text(&b), Value::Unknown])]),
        ];
        for sighting in sightings(&events) {
            assert!(!sighting.url.is_empty());
        }
        let _ = crate::library::by_url(&a);
        let _ = crate::library::by_source(&a.repeat(400));
    }
}

#[test]
fn a_tower_of_objects_ends() {
    let mut value = text("https://a.example/wms");
    for _ in 0..2_000 {
        value = object(&[("url", value)]);
    }
    let Value::Object(tower) = value else { unreachable!() };
    let out =
        recognise(&[Event::Object { object: tower, place: crate::model::Place::default() }], Level::Fold);
    assert_eq!(out.sightings.len(), 0);
}
