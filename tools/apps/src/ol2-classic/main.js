var map, kataster;
var mapserver = "http://wms1.__ID__.example/cgi-bin/mapserv";
function init() {
  map = new OpenLayers.Map("map", { projection: new OpenLayers.Projection("EPSG:25832"), maxExtent: new OpenLayers.Bounds(280000, 5200000, 920000, 6100000) });
  kataster = new OpenLayers.Layer.WMS("Flurstücke, Gebäude", mapserver + "?map=/maps/kataster.map&", { layers: "flurstuecke,gebaeude", format: "image/png", transparent: true }, { isBaseLayer: false, singleTile: true });
  var ortho = new OpenLayers.Layer.WMS("Ortho", ["http://wms2.__ID__.example/arcgis/services/Ortho/MapServer/WMSServer"], { layers: ["0"] });
  var basis = new OpenLayers.Layer.WMTS({ name: "Basis", url: "http://wmts.__ID__.example/mapproxy/service", layer: "basis", matrixSet: "WebMercatorQuad", style: "default" });
  var hill = new OpenLayers.Layer.XYZ("Hill", "http://tiles.__ID__.example/hill/${z}/${x}/${y}.png", { sphericalMercator: true });
  var relief = new OpenLayers.Layer.ArcGIS93Rest("Relief", "http://gis.__ID__.example/ArcGIS/rest/services/Relief/MapServer/export", { layers: "show:0" });
  map.addLayers([ortho, kataster, basis, hill, relief]);
  map.addLayer(new OpenLayers.Layer.Vector("Adressen", {
    strategies: [new OpenLayers.Strategy.BBOX()],
    protocol: new OpenLayers.Protocol.WFS({ url: "http://wfs.__ID__.example/geoserver/kat/wfs", featureType: "adressen", featurePrefix: "kat", featureNS: "urn:kat", version: "1.1.0" })
  }));
  map.addLayer(new OpenLayers.Layer.Vector("Walks", { strategies: [new OpenLayers.Strategy.Fixed()], protocol: new OpenLayers.Protocol.HTTP({ url: "http://data.__ID__.example/files/walks.kml", format: new OpenLayers.Format.KML() }) }));
  map.addControl(new OpenLayers.Control.LayerSwitcher());
  map.zoomToMaxExtent();
}
init();
