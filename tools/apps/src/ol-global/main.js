(function () {
  var server = "http://wms.__ID__.example";
  var path = "/geoserver/";
  var wmsUrl = function (workspace) { return server + path + workspace + "/wms"; };
  var stands = new ol.layer.Tile({
    title: "Stands",
    source: new ol.source.TileWMS({ url: wmsUrl("forest"), params: { LAYERS: "forest:stands", TILED: true }, serverType: "geoserver" })
  });
  var grey = new ol.layer.Image({ source: new ol.source.ImageWMS({ url: wmsUrl("base"), params: { LAYERS: "base:grey" } }) });
  var map = new ol.Map({ target: "map", layers: [grey], view: new ol.View({ center: ol.proj.fromLonLat([10, 50]), zoom: 7 }) });
  map.addLayer(stands);
})();
