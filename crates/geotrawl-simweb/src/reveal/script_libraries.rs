//! Scripts that use further libraries and plug-ins for maps, tiles, features and files.

use super::javascript::{WMS, escape_literal, inline_for};
use super::{RevealWay, ShownResource};
use std::fmt::Write as _;

const WMTS: &[&str] = &["wmts"];
const WFS: &[&str] = &["wfs"];
const KML: &[&str] = &["kml"];
const KML_OR_KMZ: &[&str] = &["kml", "kmz"];

pub(super) static WAYS: &[RevealWay] = &[
    inline_for("js:leaflet-wms-plugin", WMS, |s, out| {
        write_script(s, out, "L.WMS.source(URL, {transparent: true}).getLayer(LAYER).addTo(map);");
    }),
    inline_for("js:leaflet-nontiled", WMS, |s, out| {
        write_script(s, out, "L.nonTiledLayer.wms(URL, {layers: LAYER, format: 'image/png'}).addTo(map);");
    }),
    inline_for("js:geoext", WMS, |s, out| {
        write_script(s, out, "var store = new GeoExt.data.WMSCapabilitiesStore({url: URL, autoLoad: true});");
    }),
    inline_for("js:gxp", WMS, |s, out| {
        write_script(
            s,
            out,
            "var app = new gxp.Viewer({sources: {own: {ptype: 'gxp_wmscsource', url: URL}}, map: {layers: [{source: 'own', name: LAYER}]}});",
        );
    }),
    inline_for("js:mapstore", WMS, |s, out| {
        write_script(
            s,
            out,
            "MapStore2.create('map', {initialState: {defaultState: {map: {layers: [{type: 'wms', url: URL, name: LAYER, title: TITLE, visibility: true}]}}}});",
        );
    }),
    inline_for("js:deckgl", WMS, |s, out| {
        write_script(
            s,
            out,
            "new deck.DeckGL({layers: [new deck._WMSLayer({id: 'wms', data: URL, serviceType: 'wms', layers: [LAYER]})]});",
        );
    }),
    inline_for("js:itowns", WMS, |s, out| {
        write_script(
            s,
            out,
            "view.addLayer(new itowns.ColorLayer('wms', {source: new itowns.WMSSource({url: URL, name: LAYER, version: '1.3.0', crs: 'EPSG:4326', format: 'image/png'})}));",
        );
    }),
    inline_for("js:bing", WMS, |s, out| {
        write_script(
            s,
            out,
            "map.layers.insert(new Microsoft.Maps.TileLayer({mercator: new Microsoft.Maps.TileSource({uriConstructor: BASE + 'SERVICE=WMS&REQUEST=GetMap&VERSION=1.1.1&LAYERS=' + LAYER + '&STYLES=&SRS=EPSG:4326&FORMAT=image/png&BBOX={bbox}&WIDTH=256&HEIGHT=256'})}));",
        );
    }),
    inline_for("js:jquery-mapquery", WMS, |s, out| {
        write_script(
            s,
            out,
            "$('#map').mapQuery({layers: [{type: 'wms', label: TITLE, url: URL, layers: [LAYER]}]});",
        );
    }),
    inline_for("js:openlayers-wmts", WMTS, |s, out| {
        write_script(
            s,
            out,
            "var base = new ol.layer.Tile({source: new ol.source.WMTS({url: URL, layer: LAYER, matrixSet: 'WebMercatorQuad', format: 'image/png', style: 'default', tileGrid: grid})});",
        );
    }),
    inline_for("js:cesium-wmts", WMTS, |s, out| {
        write_script(
            s,
            out,
            "viewer.imageryLayers.addImageryProvider(new Cesium.WebMapTileServiceImageryProvider({url: URL, layer: LAYER, style: 'default', tileMatrixSetID: 'WebMercatorQuad'}));",
        );
    }),
    inline_for("js:wmts-capabilities", WMTS, |s, out| {
        write_script(
            s,
            out,
            "fetch(BASE + 'SERVICE=WMTS&REQUEST=GetCapabilities').then(r => r.text()).then(text => map.addLayer(new ol.layer.Tile({source: new ol.source.WMTS(ol.source.WMTS.optionsFromCapabilities(new ol.format.WMTSCapabilities().read(text), {layer: LAYER, matrixSet: 'WebMercatorQuad'}))})));",
        );
    }),
    inline_for("js:openlayers-wfs", WFS, |s, out| {
        write_script(
            s,
            out,
            "var source = new ol.source.Vector({format: new ol.format.GeoJSON(), strategy: ol.loadingstrategy.bbox, url: function (extent) { return BASE + 'service=WFS&version=1.1.0&request=GetFeature&typename=' + LAYER + '&outputFormat=application/json&bbox=' + extent.join(',') + ',EPSG:3857'; }});",
        );
    }),
    inline_for("js:openlayers2-wfs", WFS, |s, out| {
        write_script(
            s,
            out,
            "map.addLayer(new OpenLayers.Layer.Vector(TITLE, {strategies: [new OpenLayers.Strategy.BBOX()], protocol: new OpenLayers.Protocol.WFS({url: URL, featureType: LAYER, version: '1.1.0'})}));",
        );
    }),
    inline_for("js:arcgis-wfs", WFS, |s, out| {
        write_script(
            s,
            out,
            "require(['esri/layers/WFSLayer'], function (WFSLayer) { map.add(new WFSLayer({url: URL, name: LAYER})); });",
        );
    }),
    inline_for("js:jquery-ajax", WFS, |s, out| {
        write_script(
            s,
            out,
            "$.ajax({url: URL, data: {service: 'WFS', version: '1.1.0', request: 'GetFeature', typeName: LAYER, outputFormat: 'json'}, success: show});",
        );
    }),
    inline_for("js:xhr", WFS, |s, out| {
        write_script(
            s,
            out,
            "var request = new XMLHttpRequest(); request.open('GET', BASE + 'service=WFS&version=1.1.0&request=GetFeature&typeName=' + encodeURIComponent(LAYER), true); request.send();",
        );
    }),
    inline_for("js:omnivore", KML, |s, out| write_script(s, out, "omnivore.kml(URL).addTo(map);")),
    inline_for("js:openlayers-kml", KML, |s, out| {
        write_script(
            s,
            out,
            "map.addLayer(new ol.layer.Vector({source: new ol.source.Vector({url: URL, format: new ol.format.KML()})}));",
        );
    }),
    inline_for("js:google-kml", KML_OR_KMZ, |s, out| {
        write_script(s, out, "var places = new google.maps.KmlLayer({url: URL, map: map});");
    }),
    inline_for("js:cesium-kml", KML_OR_KMZ, |s, out| {
        write_script(
            s,
            out,
            "viewer.dataSources.add(Cesium.KmlDataSource.load(URL, {camera: viewer.scene.camera}));",
        );
    }),
];

/// Writes a script; replaces `URL`, `BASE` (the address ready for parameters), `LAYER` and `TITLE`
/// by literals.
pub(super) fn write_script(s: &ShownResource, out: &mut String, code: &str) {
    let quoted = |text: &str| format!("\"{}\"", escape_literal(text));
    let join = if s.url.contains('?') { '&' } else { '?' };
    let mut script = String::with_capacity(code.len() + 200);
    let mut rest = code;
    let names = ["URL", "BASE", "LAYER", "TITLE"];
    // Only whole words are replaced: in parameters such as `LAYERS=` they are code.
    let stands_alone = |text: &str, name: &str| {
        let ends = |at: &usize| !text[at + name.len()..].starts_with(|c: char| c.is_ascii_alphanumeric());
        text.match_indices(name).map(|(at, _)| at).find(ends)
    };
    while let Some((at, name)) =
        names.iter().filter_map(|name| Some((stands_alone(rest, name)?, *name))).min()
    {
        let (before, tail) = rest.split_at(at);
        script.push_str(before);
        script.push_str(&match name {
            "URL" => quoted(&s.url),
            "BASE" => quoted(&format!("{}{join}", s.url)),
            "LAYER" => quoted(&s.layer),
            _ => quoted(&s.title),
        });
        rest = &tail[name.len()..];
    }
    script.push_str(rest);
    let _ = writeln!(out, "<script>{script}</script>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_literals_and_parameters_stay() {
        let shown = ShownResource {
            url: "http://a.test/cgi?map=/x.map".to_owned(),
            layer: "roads".to_owned(),
            ..ShownResource::default()
        };
        let mut out = String::new();
        write_script(&shown, &mut out, "f(BASE + 'LAYERS=' + LAYER, URL);");
        let expected =
            "f(\"http://a.test/cgi?map=/x.map&\" + 'LAYERS=' + \"roads\", \"http://a.test/cgi?map=/x.map\");";
        assert_eq!(out, format!("<script>{expected}</script>\n"));
    }
}
