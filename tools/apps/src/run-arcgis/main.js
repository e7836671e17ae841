require(["esri/Map", "esri/layers/MapImageLayer", "esri/layers/FeatureLayer"], function (Map, MapImageLayer, FeatureLayer) {
  var root = atob("@b64{{http://gis.__ID__.example/arcgis/rest/services/}}");
  var n = 0;
  for (var i = 0; i < 10; i++) if (i % 3 === 2) n++;
  new Map({ layers: [new MapImageLayer({ url: root + "Computed/MapServer" }), new FeatureLayer({ url: root + "Counted" + n + "/FeatureServer/0" })] });
});
