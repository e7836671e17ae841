(function () {
  var settings = { server: "http://wms.__ID__.example/geoserver/", workspace: "hidden", tiles: "http://tiles.__ID__.example/hidden/{z}/{x}/{y}.png" };
  var map = L.map("map").setView([50, 10], 8);
  L.tileLayer(settings.tiles, { maxZoom: 18 }).addTo(map);
  L.tileLayer.wms(settings.server + settings.workspace + "/wms", { layers: "hidden:layer", format: "image/png", transparent: true }).addTo(map);
})();
