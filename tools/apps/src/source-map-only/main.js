(function () {
  var groundwaterServer = "http://wms.__ID__.example/geoserver/groundwater/wms";
  var map = L.map("map").setView([50, 10], 8);
  L.tileLayer.wms(groundwaterServer, { layers: "gw:level", format: "image/png", transparent: true }).addTo(map);
})();
