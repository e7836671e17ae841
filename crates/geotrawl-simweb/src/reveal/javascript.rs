//! Discovery through JavaScript: inline and external, plain and minified.

use super::{RevealDocument, RevealForm, RevealWay, ShownResource, UrlForm};
use std::fmt::Write as _;

/// An inline script, for services of these kinds.
pub(super) const fn inline_for(
    tag: &'static str,
    kinds: &'static [&'static str],
    write: fn(&ShownResource, &mut String),
) -> RevealWay {
    RevealWay {
        tag,
        surface: false,
        level: Some(2),
        kinds,
        url: UrlForm::Endpoint,
        form: RevealForm::Body(write),
    }
}

const fn inline(tag: &'static str, write: fn(&ShownResource, &mut String)) -> RevealWay {
    inline_for(tag, WMS, write)
}

pub(super) const WMS: &[&str] = &["wms"];

const fn external(
    tag: &'static str,
    path: fn(usize) -> String,
    write: fn(&ShownResource) -> RevealDocument,
) -> RevealWay {
    RevealWay {
        tag,
        surface: false,
        level: Some(2),
        kinds: WMS,
        url: UrlForm::Endpoint,
        form: RevealForm::Document { path, link: script_tag, in_head: false, write },
    }
}

pub(super) static WAYS: &[RevealWay] = &[
    inline("js:openlayers2", openlayers2),
    inline("js:openlayers", openlayers),
    inline("js:leaflet", leaflet),
    inline("js:arcgis3", arcgis3),
    inline("js:arcgis4", arcgis4),
    inline("js:cesium", cesium),
    inline("js:maplibre", maplibre),
    inline("js:google-maps", google_maps),
    inline("js:concatenated", concatenated),
    external("js:external", |n| format!("/assets/js/karte-{n}.js"), external_file),
    external("js:minified", |n| format!("/static/bundle.{n:08x}.min.js"), minified),
];

/// Escapes text for a string literal, so that it ends neither the literal nor the script.
pub(super) fn escape_literal(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace("</", "<\\/")
}

/// Splits a URL so that the surface scan for URLs does not recognise it.
pub(super) fn host_and_rest(url: &str) -> (String, String) {
    let rest = url.strip_prefix("http://").unwrap_or(url);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    (escape_literal(host), escape_literal(path))
}

fn script_tag(s: &ShownResource, out: &mut String) {
    let _ = writeln!(out, "<div id=\"map{}\"></div><script src=\"{}\"></script>", s.number, s.document);
}

fn openlayers2(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<script type=\"text/javascript\">\nvar map{0} = new OpenLayers.Map('map{0}');\nmap{0}.addLayer(new OpenLayers.Layer.WMS(\"{1}\",\n  \"{2}\",\n  {{layers: '{3}', format: 'image/png'}}, {{isBaseLayer: true}}));\n</script>",
        s.number,
        escape_literal(&s.title),
        escape_literal(&s.url),
        escape_literal(&s.layer)
    );
}

fn openlayers(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<script>\nconst layer{0} = new ol.layer.Tile({{ source: new ol.source.TileWMS({{ url: '{1}', params: {{ 'LAYERS': '{2}', 'TILED': true }}, serverType: 'geoserver' }}) }});\n</script>",
        s.number,
        escape_literal(&s.url),
        escape_literal(&s.layer)
    );
}

fn leaflet(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<script>L.tileLayer.wms(\"{}\", {{layers: \"{}\", format: \"image/png\", transparent: true, attribution: \"{}\"}}).addTo(map);</script>",
        escape_literal(&s.url),
        escape_literal(&s.layer),
        escape_literal(&s.title)
    );
}

fn arcgis3(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<script>require([\"esri/map\",\"esri/layers/WMSLayer\"],function(Map,WMSLayer){{var l=new WMSLayer(\"{}\",{{format:\"png\",visibleLayers:[\"{}\"]}});new Map(\"map\").addLayer(l);}});</script>",
        escape_literal(&s.url),
        escape_literal(&s.layer)
    );
}

fn arcgis4(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<script type=\"module\">import WMSLayer from \"@arcgis/core/layers/WMSLayer.js\";\nconst layer = new WMSLayer({{ url: \"{}\", sublayers: [{{ name: \"{}\" }}] }});</script>",
        escape_literal(&s.url),
        escape_literal(&s.layer)
    );
}

fn cesium(s: &ShownResource, out: &mut String) {
    let _ = writeln!(
        out,
        "<script>viewer.imageryLayers.addImageryProvider(new Cesium.WebMapServiceImageryProvider({{ url : '{}', layers : '{}' }}));</script>",
        escape_literal(&s.url),
        escape_literal(&s.layer)
    );
}

fn maplibre(s: &ShownResource, out: &mut String) {
    let join = if s.url.contains('?') { '&' } else { '?' };
    let _ = writeln!(
        out,
        "<script>map.addSource('s{}',{{'type':'raster','tiles':['{}{join}bbox={{bbox-epsg-3857}}&format=image/png&service=WMS&version=1.1.1&request=GetMap&srs=EPSG:3857&width=256&height=256&layers={}'],'tileSize':256}});</script>",
        s.number,
        escape_literal(&s.url),
        escape_literal(&s.layer)
    );
}

fn google_maps(s: &ShownResource, out: &mut String) {
    let join = if s.url.contains('?') { '&' } else { '?' };
    let _ = writeln!(
        out,
        "<script>var t=new google.maps.ImageMapType({{getTileUrl:function(c,z){{var u=\"{}{join}\";u+=\"REQUEST=GetMap&SERVICE=WMS&VERSION=1.1.1&LAYERS={}\";u+=\"&BBOX=\"+box(c,z);return u;}},tileSize:new google.maps.Size(256,256)}});</script>",
        escape_literal(&s.url),
        escape_literal(&s.layer)
    );
}

fn concatenated(s: &ShownResource, out: &mut String) {
    let (host, path) = host_and_rest(&s.url);
    let _ = writeln!(
        out,
        "<script>var cfg = {{ host: '{host}', path: \"{path}\" }};\nvar wmsUrl = 'http:' + '//' + cfg.host + '/' + cfg.path;\nvar wms = new ol.source.ImageWMS({{ url: wmsUrl, params: {{ LAYERS: '{}' }} }});</script>",
        escape_literal(&s.layer)
    );
}

fn external_file(s: &ShownResource) -> RevealDocument {
    let mut body = String::from("/* map application */\nvar Karte = Karte || {};\n");
    let _ = writeln!(
        body,
        "Karte.layers = [\n  new ol.layer.Image({{\n    title: \"{}\",\n    source: new ol.source.ImageWMS({{\n      url: \"{}\",\n      params: {{ LAYERS: \"{}\" }}\n    }})\n  }})\n];",
        escape_literal(&s.title),
        escape_literal(&s.url),
        escape_literal(&s.layer)
    );
    RevealDocument { content_type: "application/javascript", body }
}

fn minified(s: &ShownResource) -> RevealDocument {
    let mut body =
        String::from("!function(){\"use strict\";var e={},t=function(n){return n*2},r=[1,2,3].map(t);");
    for number in 0..60 {
        let _ = write!(body, "function f{number}(a,b){{return a?b+{number}:r[{}]||a}}", number % 3);
    }
    let _ = write!(
        body,
        "e.a=new Q.k({{source:new Q.p({{url:\"{}\",params:{{LAYERS:\"{}\",TILED:!0}},serverType:\"geoserver\"}})}})}}();",
        escape_literal(&s.url),
        escape_literal(&s.layer)
    );
    RevealDocument { content_type: "text/javascript", body }
}
