//! Tests with hand-written events in the shapes of real code.
#![cfg(test)]

use super::sign::{AddressUse, ArgumentPath};
use super::tables::TABLES;
use super::testing::{
    assign_event, call_event, list_value, object_event, object_value, text_event, text_value,
};
use super::{is_relevant_assignment, is_relevant_call, is_relevant_member, recognise_events};
use crate::model::{AnalysisLevel, Sighting};
use crate::value::{CodeEvent, JsValue};
use std::rc::Rc;

fn sightings(events: &[CodeEvent]) -> Vec<Sighting> {
    recognise_events(events, AnalysisLevel::Fold).sightings
}

/// Returns what an event shows by itself: URL, kind, layers.
fn seen(event: CodeEvent) -> Vec<(String, String, String)> {
    sightings(&[event]).into_iter().map(|s| (s.url, s.says, s.layers.join(","))).collect()
}

fn only(event: CodeEvent) -> (String, String, String) {
    let mut all = seen(event);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

const URL: &str = "https://maps.example/geo";

/// Returns a URL for a use, and the kind it must get.
fn address_for(uses: AddressUse) -> (&'static str, Option<&'static str>) {
    match uses {
        AddressUse::Is(kind) => (URL, Some(kind)),
        AddressUse::Tiles => ("https://maps.example/{z}/{x}/{y}.png", Some("xyz")),
        AddressUse::VectorTiles => ("https://maps.example/{z}/{x}/{y}.pbf", Some("mvt")),
        AddressUse::Arcgis => ("https://maps.example/rest/services/a/MapServer", Some("arcgis-mapserver")),
        AddressUse::File => ("https://maps.example/points", Some("file")),
        AddressUse::Document => ("https://maps.example/basic", Some("document")),
        AddressUse::Item => ("0123456789abcdef0123456789abcdef", Some("arcgis-item")),
        AddressUse::Loaded | AddressUse::Opened => ("https://maps.example/geoserver/ows", Some("")),
        AddressUse::Picture => ("https://maps.example/x?request=GetMap", Some("wms")),
        AddressUse::Map | AddressUse::Bare => ("", None),
    }
}

/// Returns arguments with a value at a path.
fn arguments(spot: ArgumentPath, value: JsValue, layer: Option<&str>) -> Vec<JsValue> {
    let mut members = Vec::new();
    if let Some(layer) = layer {
        members.push((layer, text_value("ws:roads")));
    }
    let mut args = vec![text_value("title"); 2];
    let at = match spot {
        ArgumentPath::Arg(at) => {
            let at = usize::from(at);
            args.truncate(at);
            args.push(value);
            args.push(object_value(&members));
            return args;
        }
        ArgumentPath::In(at, name) => {
            members.push((name, value));
            at
        }
        ArgumentPath::Deep(at, outer, name) => {
            members.push((outer, object_value(&[(if name == "*" { "any" } else { name }, value)])));
            at
        }
        ArgumentPath::Each(at, outer, name) => {
            members.push((outer, list_value(vec![object_value(&[(name, value)])])));
            at
        }
    };
    args.truncate(usize::from(at));
    args.push(object_value(&members));
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
            let telling = is_relevant_call(&name);
            assert!(telling, "{name:?}");
            let Some(kind) = kind else {
                assert!(
                    sign.uses == AddressUse::Bare
                        || recognise_events(&[call_event(&name, vec![])], AnalysisLevel::Run).makes_maps,
                    "{name:?}"
                );
                continue;
            };
            for spot in sign.url {
                let mut args = arguments(*spot, text_value(url), sign.layers.first().copied());
                if sign.uses == AddressUse::Opened {
                    args[0] = text_value("GET");
                }
                let seen = sightings(&[call_event(&name, args)]);
                assert_eq!(seen.len(), 1, "{name:?} {spot:?} {seen:?}");
                assert_eq!(seen[0].says, kind, "{name:?} {spot:?}");
                if sign.uses != AddressUse::Item {
                    assert_eq!(seen[0].url, url, "{name:?}");
                }
                if !sign.layers.is_empty() {
                    assert_eq!(seen[0].layers, ["ws:roads"], "{name:?} {spot:?}");
                }
                // Unknown URLs must be reported.
                if sign.uses.needs_address() && !matches!(sign.uses, AddressUse::Item) && name.len() > 1 {
                    let open = recognise_events(
                        &[call_event(&name, arguments(*spot, JsValue::Unknown, None))],
                        AnalysisLevel::Fold,
                    );
                    assert!(open.undecided > 0 && open.sightings.is_empty(), "{name:?} {spot:?}");
                }
            }
        }
    }
}

#[test]
fn a_call_gives_address_layers_and_title() {
    let event = call_event(
        &["OpenLayers", "Layer", "WMS"],
        vec![
            text_value("Roads, all"),
            text_value("https://a.example/cgi?"),
            object_value(&[("layers", text_value("roads,rails"))]),
        ],
    );
    let seen = sightings(&[event]);
    assert_eq!(seen.len(), 1);
    assert_eq!((seen[0].title.as_str(), seen[0].rule.as_str()), ("Roads, all", "openlayers2:Layer.WMS"));
    assert_eq!(seen[0].layers, ["roads", "rails"]);
    let event = call_event(
        &["n", "default", "tileLayer", "wms"],
        vec![
            text_value("https://a.example/x"),
            object_value(&[("layers", text_value("a")), ("format", text_value("image/png"))]),
        ],
    );
    assert_eq!(only(event), ("https://a.example/x".into(), "wms".into(), "a".into()));
}

#[test]
fn several_hosts_are_one_source() {
    let urls = ["https://t1.maps.example/x", "https://t2.maps.example/x", "https://t3.maps.example/x"];
    let hosts = list_value(urls.iter().map(|url| text_value(url)).collect());
    let layer = call_event(
        &["OpenLayers", "Layer", "WMS"],
        vec![text_value("a"), hosts, object_value(&[("layers", text_value("b"))])],
    );
    let mut events = vec![layer];
    events.extend(urls.iter().map(|url| text_event(&format!("{url}/wms"))));
    events.extend(urls.iter().map(|url| text_event(url)));
    let urls: Vec<String> = sightings(&events).into_iter().map(|s| s.url).collect();
    assert_eq!(urls, ["https://t1.maps.example/x", "https://t1.maps.example/x/wms"]);
}

#[test]
fn shapes_tell_layers_without_names() {
    let wms = "https://a.example/srv";
    let u = |url: &str| ("url", text_value(url));
    for (members, url, says, layers) in [
        (vec![u(wms), ("params", object_value(&[("LAYERS", text_value("a,b"))]))], wms, "wms", "a,b"),
        (
            vec![
                ("urls", list_value(vec![text_value(wms)])),
                ("params", object_value(&[("layers", text_value("a"))])),
            ],
            wms,
            "wms",
            "a",
        ),
        (vec![u(wms), ("layers", text_value("a")), ("transparent", JsValue::Bool(true))], wms, "wms", "a"),
        (vec![u(wms), ("layers", text_value("a"))], wms, "wms", "a"),
        (vec![u(wms), ("matrixSet", text_value("m")), ("layer", text_value("a"))], wms, "wmts", "a"),
        (vec![u(wms), ("requestEncoding", text_value("REST")), ("layer", text_value("a"))], wms, "wmts", "a"),
        (vec![u(wms), ("tileMatrixSetID", text_value("m")), ("layer", text_value("a"))], wms, "wmts", "a"),
        (
            vec![u(wms), ("featureType", text_value("a")), ("featureNS", text_value("http://b.example"))],
            wms,
            "wfs",
            "a",
        ),
        (vec![u(wms), ("typeName", text_value("ws:a"))], wms, "wfs", "ws:a"),
        (vec![u(wms), ("collectionId", text_value("a"))], wms, "ogcapi-features", "a"),
        (vec![u(wms), ("type", text_value("wms")), ("name", text_value("n"))], wms, "wms", ""),
        (vec![u("/rel/srv"), ("typ", text_value("WFS"))], "/rel/srv", "wfs", ""),
        (vec![("src", text_value(wms)), ("type", text_value("WMTS"))], wms, "wmts", ""),
        (vec![u(wms), ("ptype", text_value("gxp_wmscsource"))], wms, "wms", ""),
        (
            vec![
                u(wms),
                ("params", object_value(&[("SERVICE", text_value("WFS")), ("typeName", text_value("t"))])),
            ],
            wms,
            "wfs",
            "t",
        ),
        (vec![u(wms), ("data", object_value(&[("request", text_value("GetFeature"))]))], wms, "wfs", ""),
        (vec![u(wms), ("params", JsValue::Unknown), ("serverType", text_value("geoserver"))], wms, "wms", ""),
        (vec![("service", text_value(wms)), ("layerNames", text_value("a"))], wms, "wms", "a"),
        (vec![("wmsUrl", text_value("/geo/x"))], "/geo/x", "wms", ""),
        (vec![("WFS_URL", text_value(wms))], wms, "wfs", ""),
        (
            vec![
                ("@@type", text_value("WMSLayer")),
                ("data", text_value(wms)),
                ("layers", list_value(vec![text_value("a")])),
            ],
            wms,
            "wms",
            "a",
        ),
        (
            vec![("urlTemplate", text_value("https://a.example/{level}/{row}/{col}"))],
            "https://a.example/{level}/{row}/{col}",
            "xyz",
            "",
        ),
        (
            vec![("type", text_value("geojson")), ("data", text_value("/api/points"))],
            "/api/points",
            "file",
            "",
        ),
        (
            vec![("type", text_value("vector")), u("https://a.example/t.json")],
            "https://a.example/t.json",
            "document",
            "",
        ),
    ] {
        assert_eq!(
            only(object_event(&members)),
            (url.to_owned(), says.to_owned(), layers.to_owned()),
            "{members:?}"
        );
        let member =
            |(name, _): &(&str, JsValue)| is_relevant_member(name) || matches!(*name, "type" | "data");
        assert!(members.iter().any(member), "{members:?}");
    }
}

#[test]
fn sources_of_styles_are_read_wherever_they_stand() {
    let tiles = |url: &str| list_value(vec![text_value(url)]);
    let source = |kind: &str, url: &str| object_value(&[("type", text_value(kind)), ("tiles", tiles(url))]);
    let style = object_event(&[(
        "sources",
        object_value(&[
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
                object_value(&[
                    ("type", text_value("vector")),
                    ("url", text_value("pmtiles://https://a.example/d.pmtiles")),
                ]),
            ),
            (
                "e",
                object_value(&[
                    ("type", text_value("vector")),
                    ("url", text_value("mapbox://mapbox.streets")),
                ]),
            ),
        ]),
    )]);
    let says: Vec<String> = seen(style).into_iter().map(|(_, says, _)| says).collect();
    assert_eq!(says, ["wms", "xyz", "mvt", "file"]);
    let added = call_event(
        &["t", "addSource"],
        vec![text_value("roads"), source("raster", "https://a.example/{z}/{x}/{y}.png")],
    );
    assert_eq!(sightings(&[added])[0].title, "roads");
}

#[test]
fn functions_that_make_tiles_are_read() {
    let returns = |url: &str| JsValue::Returns(Rc::new(text_value(url)));
    let tiles =
        object_event(&[("getTileUrl", returns("https://a.example/t/\u{FFFC}/\u{FFFC}/\u{FFFC}.png"))]);
    assert_eq!(only(tiles).0, "https://a.example/t/{z}/{x}/{y}.png");
    let wms = call_event(
        &["google", "maps", "ImageMapType"],
        vec![object_value(&[("getTileUrl", returns("https://a.example/x?REQUEST=GetMap&BBOX=\u{FFFC}"))])],
    );
    assert_eq!(only(wms).1, "wms");
}

#[test]
fn items_stand_in_their_portal() {
    let id = "0123456789abcdef0123456789abcdef";
    let item = call_event(
        &["esri", "WebMap"],
        vec![object_value(&[("portalItem", object_value(&[("id", text_value(id))]))])],
    );
    let portal = assign_event(&["esriConfig", "portalUrl"], text_value("https://p.example/portal"));
    let seen = sightings(&[item, portal]);
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].url, format!("https://p.example/portal/sharing/rest/content/items/{id}"));
}

#[test]
fn proxies_are_taken_off() {
    let events = [
        assign_event(&["OpenLayers", "ProxyHost"], text_value("/cgi-bin/p.py?u=")),
        call_event(
            &["fetch"],
            vec![text_value("/cgi-bin/p.py?u=https%3A%2F%2Fa.example%2Fgeoserver%2Fows%3Fservice%3DWFS")],
        ),
        text_event("/cgi-bin/p.py?u="),
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
    let event = call_event(&["r"], vec![text_value("https://a.example/rest/services/x/MapServer")]);
    assert_eq!(only(event).1, "arcgis-mapserver");
    let event = call_event(
        &[],
        vec![text_value("https://a.example/x"), object_value(&[("layers", text_value("a"))])],
    );
    assert_eq!(only(event).1, "wms");
    let options = object_value(&[("url", text_value("https://a.example/x")), ("layers", text_value("a"))]);
    let event = call_event(&["jsx"], vec![JsValue::Unknown, options]);
    assert_eq!(only(event).1, "wms");
}

#[test]
fn ext_makes_what_its_first_argument_says() {
    let event = call_event(
        &["Ext", "create"],
        vec![
            text_value("GeoExt.data.store.WmsCapabilities"),
            object_value(&[("url", text_value("https://a.example/x"))]),
        ],
    );
    assert_eq!(only(event).1, "wms");
}

#[test]
fn parameters_beside_an_address_say_the_service() {
    let asked = object_value(&[
        ("service", text_value("WFS")),
        ("typeName", text_value("ws:a")),
        ("request", text_value("GetFeature")),
    ]);
    let event = call_event(&["$", "get"], vec![text_value("https://a.example/x"), asked.clone()]);
    assert_eq!(only(event), ("https://a.example/x".into(), "wfs".into(), "ws:a".into()));
    let event = call_event(
        &["axios", "get"],
        vec![text_value("https://a.example/x"), object_value(&[("params", asked)])],
    );
    assert_eq!(only(event).1, "wfs");
    let event = text_event("https://a.example/x?service=WMS&request=GetMap&layers=ws%3Aa,b");
    assert_eq!(only(event).2, "ws:a,b");
}

#[test]
fn layers_of_other_things_are_no_wms() {
    let network = object_value(&[("layers", JsValue::Number(2.0)), ("format", text_value("float32"))]);
    let model = [
        ("url", text_value("https://a.example/v1")),
        ("layers", list_value(vec![object_value(&[])])),
        ("params", network),
    ];
    assert_eq!(seen(object_event(&model)), []);
    let shop =
        [("type", text_value("layers")), ("url", text_value("/v2/shelves")), ("format", text_value("json"))];
    assert_eq!(seen(object_event(&shop)), []);
}

#[test]
fn base_maps_that_libraries_bring_count_when_they_are_called() {
    let osm = "https://tile.openstreetmap.org/{z}/{x}/{y}.png";
    assert_eq!(seen(object_event(&[("url", text_value(osm)), ("attributions", text_value("a"))])), []);
    assert_eq!(only(call_event(&["L", "tileLayer"], vec![text_value(osm)])).1, "xyz");
}

#[test]
fn capabilities_that_a_script_reads_say_what_was_fetched() {
    let events = [
        call_event(&["ol", "format", "WMTSCapabilities"], vec![]),
        call_event(&["fetch"], vec![text_value("data/geo-capabilities.xml")]),
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
        assert_eq!(seen(text_event(text)), [], "{text}");
    }
    assert_eq!(only(text_event("/geoserver/ows")).1, "");
}

#[test]
fn an_object_read_by_a_call_is_not_read_again() {
    let options = object_value(&[
        ("url", text_value("https://a.example/x")),
        ("layers", text_value("a")),
        ("format", text_value("f")),
    ]);
    let JsValue::Object(inner) = options.clone() else { unreachable!() };
    let events = [
        call_event(&["Cesium", "Cesium3DTileset"], vec![options]),
        CodeEvent::Object { object: inner, place: crate::model::ScriptPosition::default() },
    ];
    let seen = sightings(&events);
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].says, "3dtiles");
}

#[test]
fn what_is_not_known_is_counted() {
    let layer = |url: JsValue| {
        object_event(&[("url", url), ("params", object_value(&[("LAYERS", text_value("a"))]))])
    };
    for (event, undecided) in [
        (layer(JsValue::Unknown), 1),
        (layer(text_value("\u{FFFC}/wms")), 1),
        (layer(text_value("https://a.example/wms")), 0),
        (layer(text_value("https://a.example/\u{FFFC}/wms")), 1),
        (call_event(&["VectorSource"], vec![object_value(&[("features", JsValue::Unknown)])]), 0),
        (call_event(&["ol", "source", "OSM"], vec![]), 0),
        (call_event(&["ol", "source", "TileWMS"], vec![JsValue::Unknown]), 1),
        (text_event("\u{FFFC}/geoserver/wms"), 1),
        (text_event("\u{FFFC}?&BBOX=\u{FFFC},\u{FFFC}"), 0),
    ] {
        let label = format!("{event:?}");
        assert_eq!(recognise_events(&[event], AnalysisLevel::Fold).undecided > 0, undecided > 0, "{label}");
    }
}

#[test]
fn maps_are_told_by_call_and_shape() {
    for (event, makes) in [
        (call_event(&["ol", "Map"], vec![JsValue::Unknown]), true),
        (call_event(&["L", "map"], vec![text_value("map")]), true),
        (call_event(&["Map"], vec![]), false),
        (call_event(&["fetch"], vec![text_value("/geoserver/wms")]), false),
        (
            object_event(&[
                ("target", text_value("map")),
                ("layers", JsValue::Unknown),
                ("view", JsValue::Unknown),
            ]),
            true,
        ),
        (
            object_event(&[
                ("container", text_value("map")),
                ("style", text_value("s.json")),
                ("zoom", JsValue::Number(1.0)),
            ]),
            true,
        ),
        (object_event(&[("url", text_value("/login")), ("type", text_value("POST"))]), false),
    ] {
        let label = format!("{event:?}");
        assert_eq!(recognise_events(&[event], AnalysisLevel::Fold).makes_maps, makes, "{label}");
    }
}

#[test]
fn telling_names_are_known() {
    for name in ["url", "urls", "LAYERS", "matrixSet", "wmsUrl", "WMS_URL", "portalItem", "tiles", "proxyUrl"]
    {
        assert!(is_relevant_member(name), "{name}");
    }
    for name in ["className", "children", "onClick", "type", "id", "e", "constructor"] {
        assert!(!is_relevant_member(name), "{name}");
    }
    assert!(
        is_relevant_assignment("ProxyHost")
            && is_relevant_assignment("url")
            && !is_relevant_assignment("innerHTML")
    );
    assert!(is_relevant_call(&["Ext", "create"]) && !is_relevant_call(&["Object", "create"]));
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
            text_event(&a),
            assign_event(&["x", keys[next(keys.len())]], text_value(&b)),
            object_event(&[
                (keys[next(keys.len())], text_value(&a)),
                (keys[next(keys.len())], text_value(&c)),
                ("layers", text_value(&b)),
            ]),
            call_event(
                &["L", "tileLayer", "wms"],
                vec![text_value(&b), object_value(&[("layers", text_value(&c))])],
            ),
            call_event(&["open"], vec![text_value("GET"), text_value(&c)]),
            call_event(
                &[],
                vec![
                    JsValue::Returns(Rc::new(text_value(&a))),
                    list_value(vec![text_value(&b), JsValue::Unknown]),
                ],
            ),
        ];
        for sighting in sightings(&events) {
            assert!(!sighting.url.is_empty());
        }
        let _ = crate::library::find_by_url(&a);
        let _ = crate::library::find_by_source(&a.repeat(400));
    }
}

#[test]
fn a_tower_of_objects_ends() {
    let mut value = text_value("https://a.example/wms");
    for _ in 0..2_000 {
        value = object_value(&[("url", value)]);
    }
    let JsValue::Object(tower) = value else { unreachable!() };
    let out = recognise_events(
        &[CodeEvent::Object { object: tower, place: crate::model::ScriptPosition::default() }],
        AnalysisLevel::Fold,
    );
    assert_eq!(out.sightings.len(), 0);
}
