(function (root) {
  var settings = root.APP.settings;
  var map = root.L.map("map").setView(settings.start.slice(0, 2), settings.start[2]);
  root.L.tileLayer("http://" + settings.servers.tiles + globalThis.__TILES__).addTo(map);
  var ows = "http://" + window.APP.settings.servers.ows + "/energy/ows";
  root.L.tileLayer.wms(ows, { layers: "wind_parks", transparent: true, format: "image/png" }).addTo(map);
})(window);
