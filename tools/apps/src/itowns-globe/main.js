const view = new itowns.GlobeView(document.getElementById("map"), { coord: { long: 6, lat: 45 }, range: 25000 });
const color = (id, source) => view.addLayer(new itowns.ColorLayer(id, { source }));
color("slope", new itowns.WMSSource({ url: "http://wms.__ID__.example/geoserver/terrain/wms", name: "terrain:slope", version: "1.3.0", crs: "EPSG:4326", extent: {}, format: "image/png" }));
color("ortho", new itowns.WMTSSource({ url: "http://wmts.__ID__.example/mapproxy/service", crs: "EPSG:3857", name: "ortho", tileMatrixSet: "WebMercatorQuad", format: "image/png" }));
color("osm", new itowns.TMSSource({ url: "http://tiles.__ID__.example/osm/${z}/${x}/${y}.png", crs: "EPSG:3857", isInvertedY: true }));
view.addLayer(new itowns.FeatureGeometryLayer("peaks", { source: new itowns.WFSSource({ url: "http://wfs.__ID__.example/geoserver/terrain/ows", version: "2.0.0", typeName: "terrain:peaks", crs: "EPSG:4326" }) }));
