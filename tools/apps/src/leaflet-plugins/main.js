(function () {
  var map = L.map("map", { timeDimension: true, timeDimensionOptions: { timeInterval: "2020-01-01/2020-01-03", period: "PT1H" } }).setView([50, 10], 7);
  var source = L.WMS.source("http://wms1.__ID__.example/geoserver/air/wms", { format: "image/png", transparent: true });
  source.getLayer("no2").addTo(map);
  source.getLayer("pm10").addTo(map);
  L.nonTiledLayer.wms("http://wms2.__ID__.example/wms/ozone", { layers: "o3", format: "image/png" }).addTo(map);
  var wind = L.tileLayer.wms("http://wms3.__ID__.example/marine/forecast/wms", { layers: "wind", transparent: true });
  L.timeDimension.layer.wms(wind, { updateTimeDimension: false }).addTo(map);
  var rest = "http://gis.__ID__.example/arcgis/rest/services/";
  L.esri.dynamicMapLayer({ url: rest + "Air/MapServer", layers: [0], opacity: 0.7 }).addTo(map);
  L.esri.featureLayer({ url: rest + "Sensors/FeatureServer/0" }).addTo(map);
  L.esri.imageMapLayer({ url: rest + "Temperature/ImageServer" }).addTo(map);
  L.geoJson.ajax("http://data.__ID__.example/sensors.geojson").addTo(map);
})();
