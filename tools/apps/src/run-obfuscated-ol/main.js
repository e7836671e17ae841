(function () {
  var wms = new ol.source.TileWMS({ url: "http://wms.__ID__.example/cgi-bin/mapserv?map=/m/hidden.map", params: { LAYERS: "hidden", TILED: true } });
  var wfs = new ol.source.Vector({ format: new ol.format.GeoJSON(), url: "http://wfs.__ID__.example/geoserver/hidden/wfs?service=WFS&version=1.1.0&request=GetFeature&typeName=hidden:points&outputFormat=application/json" });
  new ol.Map({ target: "map", layers: [new ol.layer.Tile({ source: wms }), new ol.layer.Vector({ source: wfs })], view: new ol.View({ center: [1100000, 6600000], zoom: 7 }) });
})();
