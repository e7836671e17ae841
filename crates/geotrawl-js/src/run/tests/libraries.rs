//! One test per family of calls.

use super::*;

#[test]
fn openlayers_two_layers_are_written_down() {
    assert_runs(
        "var base = 'https://a.example/'; var map = new OpenLayers.Map('map');\
         map.addLayer(new OpenLayers.Layer.WMS('Roads, all', base + 'wms', {layers: 'roads'}));",
        "OpenLayers.Layer.WMS",
        "https://a.example/wms",
    );
}

#[test]
fn openlayers_sources_are_written_down() {
    assert_runs(
        "const l = new ol.layer.Tile({source: new ol.source.TileWMS({url: ['https://a.', 'example/ows'].join(''), params: {LAYERS: 'x'}})});",
        "ol.source.TileWMS",
        "https://a.example/ows",
    );
}

#[test]
fn leaflet_calls_are_written_down() {
    assert_runs(
        "var m = L.map('map').setView([1,2], 3); L.tileLayer.wms('/geoserver/wms', {layers:'a:b'}).addTo(m);",
        "L.tileLayer.wms",
        "/geoserver/wms",
    );
}

#[test]
fn classes_derived_of_leaflet_report_their_base() {
    let script = "L.TileLayer.Mine = L.TileLayer.WMS.extend({initialize: function(u, o){ L.TileLayer.WMS.prototype.initialize.call(this, u + '/wms', o); }});\
                  L.tileLayer.mine = function(u, o){ return new L.TileLayer.Mine(u, o); };\
                  L.tileLayer.mine('https://a.example', {layers: 'q'});";
    assert_runs(script, "L.TileLayer.WMS", "https://a.example/wms");
}

#[test]
fn callbacks_of_events_run() {
    assert_runs(
        "const map = new maplibregl.Map({container: 'm'}); map.on('load', () => { map.addSource('w', {type: 'raster', tiles: [host + '/wms?bbox={bbox-epsg-3857}']}); }); var host = 'https://a.example';",
        "maplibregl.Map.addSource",
        "https://a.example/wms?bbox={bbox-epsg-3857}",
    );
}

#[test]
fn amd_modules_are_named_by_their_ids() {
    assert_runs(
        "require(['esri/Map', 'esri/layers/MapImageLayer', 'dojo/domReady!'], function(a, b){ new b({url: 'https://a.example/arcgis/rest/services/X/MapServer'}); });",
        "esri.layers.MapImageLayer",
        "https://a.example/arcgis/rest/services/X/MapServer",
    );
}

#[test]
fn amd_modules_of_the_page_are_used() {
    let ran = ran(&[
        "require(['app/config', 'esri/layers/FeatureLayer'], function(config, F){ new F(config.url + '/0'); });",
        "define('app/config', [], function(){ return {url: 'https://a.example/FeatureServer'}; });",
    ]);
    assert_call(&ran, "esri.layers.FeatureLayer", "https://a.example/FeatureServer/0");
}

#[test]
fn dojo_and_esri_of_old_are_written_down() {
    assert_runs(
        "dojo.require('esri.map'); function init(){ var m = new esri.Map('map'); m.addLayer(new esri.layers.ArcGISDynamicMapServiceLayer('https://a.example/MapServer')); } dojo.addOnLoad(init);",
        "esri.layers.ArcGISDynamicMapServiceLayer",
        "https://a.example/MapServer",
    );
}

#[test]
fn jquery_runs_its_callbacks_and_extends_for_real() {
    assert_runs(
        "$(document).ready(function(){ var o = $.extend({}, {u: 'https://a.example/wms'}, {layers: 'a'}); $.each(['x'], function(i, v){ L.tileLayer.wms(o.u, {layers: v}); }); });",
        "L.tileLayer.wms",
        "https://a.example/wms",
    );
}

#[test]
fn jquery_plug_ins_are_written_down() {
    assert_runs(
        "$('#map').geomap({services: [{type: 'tiled', src: 'https://a.example/t/{z}'}]});",
        "$.geomap",
        "https://a.example/t/{z}",
    );
}

#[test]
fn configurations_are_answered_from_documents() {
    let mut app = app(&[
        "$.getJSON('config.json', function(c){ L.tileLayer.wms(c.wms, {layers: c.layers}); });\
         fetch('./other.json').then(r => r.json()).then(c => { c.list.forEach(u => new ol.source.XYZ({url: u})); });\
         var x = new XMLHttpRequest(); x.open('GET', '/x.json'); x.onload = function(){ new ol.source.ImageWMS(JSON.parse(x.responseText)); }; x.send();\
         axios.get('ax.json').then(function(r){ new ol.source.TileWMS(r.data); });",
    ]);
    app.documents = vec![
        document(
            "https://maps.example.org/viewer/config.json",
            r#"{"wms":"https://a.example/wms","layers":"l"}"#,
        ),
        document(
            "https://maps.example.org/viewer/other.json",
            r#"{"list":["https://b.example/{z}/{x}/{y}.png"]}"#,
        ),
        document("https://maps.example.org/x.json", r#"{"url":"https://c.example/wms"}"#),
        document("https://maps.example.org/viewer/ax.json", r#"{"url":"https://d.example/wms"}"#),
    ];
    let ran = run(&app, &patient());
    assert_call(&ran, "L.tileLayer.wms", "https://a.example/wms");
    assert_call(&ran, "ol.source.XYZ", "https://b.example/{z}/{x}/{y}.png");
    assert_call(&ran, "ol.source.ImageWMS", "https://c.example/wms");
    assert_call(&ran, "ol.source.TileWMS", "https://d.example/wms");
}

#[test]
fn configurations_that_are_not_there_are_wanted() {
    let ran = ran(&["fetch('settings/config.json').then(r => r.json()).then(c => L.tileLayer.wms(c.url));"]);
    assert_eq!(
        ran.wants.first().map(|want| want.url.as_str()),
        Some("https://maps.example.org/viewer/settings/config.json")
    );
}

#[test]
fn tile_functions_are_asked() {
    assert_runs(
        "new google.maps.ImageMapType({getTileUrl: function(c, z){ return 'https://a.example/' + z + '/' + c.x + '/' + c.y + '.png'; }});",
        "google.maps.ImageMapType",
        "https://a.example/{z}/{x}/{y}.png",
    );
    assert_runs(
        "new ol.source.Vector({url: function(extent){ return 'https://a.example/wfs?bbox=' + extent.join(','); }});",
        "ol.source.Vector",
        "https://a.example/wfs?bbox={z},{x},{y},{r}",
    );
}

#[test]
fn ext_classes_are_created_by_name() {
    assert_runs(
        "Ext.onReady(function(){ Ext.create('GeoExt.data.store.WmsCapabilities', {url: 'https://a.example/wms?'}); });",
        "GeoExt.data.store.WmsCapabilities",
        "https://a.example/wms?",
    );
}

#[test]
fn angular_injects_stand_ins() {
    assert_runs(
        "angular.module('a', []).controller('c', ['$scope', '$http', function(s, h){ h.get('/config/layers').success(function(){}); L.tileLayer('https://a.example/{z}'); }]);",
        "L.tileLayer",
        "https://a.example/{z}",
    );
}

#[test]
fn components_of_vue_are_mounted() {
    assert_runs(
        "new Vue({el: '#a', data: {u: 'https://a.example/wms'}, mounted: function(){ this.go(); }, methods: {go: function(){ L.tileLayer.wms(this.u); }}});",
        "L.tileLayer.wms",
        "https://a.example/wms",
    );
}

#[test]
fn promises_of_libraries_are_kept() {
    assert_runs(
        "arcgisUtils.createMap('abc', 'map').then(function(r){ r.map.addLayer(new esri.layers.FeatureLayer('https://a.example/FeatureServer/1')); });",
        "esri.layers.FeatureLayer",
        "https://a.example/FeatureServer/1",
    );
    assert_runs(
        "(async () => { const p = await Cesium.ArcGisMapServerImageryProvider.fromUrl('https://a.example/MapServer'); viewer.add(p); })();",
        "Cesium.ArcGisMapServerImageryProvider.fromUrl",
        "https://a.example/MapServer",
    );
}

#[test]
fn modules_and_their_imports_run() {
    let mut app = app(&[]);
    app.scripts = vec![
        AppScript { url: None, source: "import {URL_OF} from './conf.js'; import TileWMS from 'ol/source/TileWMS.js'; import * as E from '@arcgis/core/layers/WMSLayer'; import {fromLonLat} from 'ol/proj'; new TileWMS({url: URL_OF, params: {LAYERS: 'x'}}); const {X} = await import('./late.js'); new TileWMS({url: X}); const L = (await import('leaflet')).default; L.tileLayer.wms('https://c.example/wms');".into(), module: true, line: 1 },
        AppScript { url: Some("https://maps.example.org/viewer/conf.js".into()), source: "export const URL_OF = 'https://a.example' + '/wms';".into(), module: true, line: 1 },
        AppScript { url: Some("https://maps.example.org/viewer/late.js".into()), source: "export const X = 'https://b.example/wms';".into(), module: true, line: 1 },
    ];
    let ran = run(&app, &patient());
    assert_call(&ran, "ol.source.TileWMS", "https://a.example/wms");
    assert_call(&ran, "ol.source.TileWMS", "https://b.example/wms");
    assert_call(&ran, "L.tileLayer.wms", "https://c.example/wms");
}

#[test]
fn an_error_does_not_end_the_script() {
    assert_runs(
        "null.x(); var q = undefined.y; missing.thing(); L.tileLayer('https://a.example/{z}');",
        "L.tileLayer",
        "https://a.example/{z}",
    );
}

#[test]
fn objects_of_bundles_are_told_of() {
    let ran = ran(&[
        "!function(){function n(o){this.o=o} var t='https://a.example'; new n({url:t+'/ows',params:{LAYERS:'r'}})}();",
    ]);
    let found = ran.events.iter().any(|event| matches!(event, CodeEvent::Object { object, place } if object.get("url").and_then(JsValue::as_text) == Some("https://a.example/ows") && place.offset > 0));
    assert!(found, "{:#?}", ran.events);
}

#[test]
fn requests_of_images_are_written_down() {
    assert_runs(
        "var i = new Image(); i.src = 'https://a.example/wms?REQUEST=GetMap';",
        "request",
        "https://a.example/wms?REQUEST=GetMap",
    );
    assert_runs(
        "var i = document.createElement('img'); i.setAttribute('src', '/t/1/2/3.png');",
        "request",
        "/t/1/2/3.png",
    );
}

#[test]
fn scripts_that_are_added_are_wanted() {
    let ran = ran(&[
        "var s = document.createElement('script'); s.src = 'js/layers.js'; document.head.appendChild(s);",
    ]);
    assert_eq!(
        ran.wants.first().map(|want| want.url.as_str()),
        Some("https://maps.example.org/viewer/js/layers.js")
    );
}

#[test]
fn assignments_of_proxies_are_written_down() {
    let ran = ran(&[
        "OpenLayers.ProxyHost = '/cgi-bin/proxy.cgi?url='; esriConfig.defaults.io.proxyUrl = '/proxy.jsp';",
    ]);
    let names: Vec<String> = ran
        .events
        .iter()
        .filter_map(|event| match event {
            CodeEvent::Assign { name, .. } => {
                Some(name.iter().map(|part| &**part).collect::<Vec<_>>().join("."))
            }
            _ => None,
        })
        .collect();
    assert_eq!(names, ["OpenLayers.ProxyHost", "esriConfig.defaults.io.proxyUrl"]);
}

#[test]
fn elements_give_their_data() {
    let mut app = app(&[
        "var el = document.getElementById('map'); L.tileLayer.wms(el.dataset.wmsUrl); L.tileLayer(JSON.parse(document.querySelector('#conf').textContent).url);",
    ]);
    app.elements = vec![
        crate::model::PageElement {
            tag: "div".into(),
            attributes: vec![
                ("id".into(), "map".into()),
                ("data-wms-url".into(), "https://a.example/wms".into()),
            ],
            text: String::new(),
        },
        crate::model::PageElement {
            tag: "script".into(),
            attributes: vec![("id".into(), "conf".into())],
            text: r#"{"url":"https://b.example/{z}"}"#.into(),
        },
    ];
    let ran = run(&app, &patient());
    assert_call(&ran, "L.tileLayer.wms", "https://a.example/wms");
    assert_call(&ran, "L.tileLayer", "https://b.example/{z}");
}

#[test]
fn custom_elements_are_connected() {
    assert_runs(
        "customElements.define('my-map', class extends HTMLElement { connectedCallback(){ L.tileLayer('https://a.example/{z}/{x}'); } });",
        "L.tileLayer",
        "https://a.example/{z}/{x}",
    );
}

#[test]
fn starters_and_load_handlers_run() {
    assert_runs(
        "window.onload = function(){ L.tileLayer('https://a.example/{z}'); };",
        "L.tileLayer",
        "https://a.example/{z}",
    );
    assert_runs(
        "document.addEventListener('DOMContentLoaded', () => setTimeout(() => L.tileLayer('https://a.example/{z}'), 500));",
        "L.tileLayer",
        "https://a.example/{z}",
    );
    assert_runs(
        "function initMap(){ L.tileLayer('https://a.example/{z}'); }",
        "L.tileLayer",
        "https://a.example/{z}",
    );
}

#[test]
fn import_maps_lead_to_modules_of_the_page() {
    let mut app = app(&[]);
    app.scripts = vec![
        AppScript {
            url: None,
            source: "import { u } from 'app/conf.js'; import L from 'leaflet'; L.tileLayer.wms(u);".into(),
            module: true,
            line: 1,
        },
        AppScript {
            url: Some("https://maps.example.org/viewer/js/conf.js".into()),
            source: "export const u = 'https://a.example/wms';".into(),
            module: true,
            line: 1,
        },
    ];
    app.elements = vec![crate::model::PageElement {
        tag: "script".into(),
        attributes: vec![("type".into(), "importmap".into())],
        text: r#"{"imports": {"app/": "./js/", "leaflet": "https://cdn.example/leaflet.js"}}"#.into(),
    }];
    assert_call(&run(&app, &patient()), "L.tileLayer.wms", "https://a.example/wms");
}

#[test]
fn functions_that_nothing_calls_are_called_at_last() {
    assert_runs(
        "var App = {add: function(map){ this.go(map); }, go: function(map){ L.tileLayer.wms('https://a.example/wms', {layers: 'x'}).addTo(map); }};",
        "L.tileLayer.wms",
        "https://a.example/wms",
    );
}

#[test]
fn system_modules_and_message_channels_run() {
    assert_runs(
        "System.register(['leaflet'], function(e){ var L; return {setters: [function(m){ L = m; }], execute: function(){ L.tileLayer('https://a.example/{z}'); }}; });",
        "L.tileLayer",
        "https://a.example/{z}",
    );
    assert_runs(
        "var c = new MessageChannel(); c.port1.onmessage = function(){ L.tileLayer('https://a.example/{z}'); }; c.port2.postMessage(1);",
        "L.tileLayer",
        "https://a.example/{z}",
    );
}

#[test]
fn answers_that_are_unknown_leave_holes() {
    let ran = ran(&[
        "fetch('/api/config').then(r => r.json()).then(c => L.tileLayer.wms(c.host + '/wms', {layers: 'a'}));",
    ]);
    assert_call(&ran, "L.tileLayer.wms", "\u{FFFC}/wms");
}
