require(["esri/map", "esri/layers/ArcGISDynamicMapServiceLayer", "esri/layers/ArcGISTiledMapServiceLayer", "esri/layers/FeatureLayer", "esri/layers/ArcGISImageServiceLayer",
  "esri/layers/WMSLayer", "esri/layers/WMTSLayer", "esri/layers/KMLLayer", "dojo/domReady!"],
function (Map, ArcGISDynamicMapServiceLayer, ArcGISTiledMapServiceLayer, FeatureLayer, ArcGISImageServiceLayer, WMSLayer, WMTSLayer, KMLLayer) {
  var rest = "http://gis.__ID__.example/arcgis/rest/services";
  var map = new Map("map", { center: [10, 50], zoom: 8 });
  map.addLayers([
    new ArcGISTiledMapServiceLayer(rest + "/Cache/Topo/MapServer"),
    new ArcGISDynamicMapServiceLayer(rest + "/Water/MapServer", { opacity: 0.8 }),
    new FeatureLayer(rest + "/Hydrants/FeatureServer/0", { mode: 1, outFields: ["*"] }),
    new ArcGISImageServiceLayer(rest + "/Ortho/ImageServer"),
    new WMSLayer("http://wms.__ID__.example/wms/utilities", { format: "png", visibleLayers: ["pipes", "valves"] }),
    new WMTSLayer("http://wmts.__ID__.example/mapproxy/wmts/service", { layerInfo: { identifier: "grey" } }),
    new KMLLayer("http://data.__ID__.example/outages.kml")
  ]);
});
