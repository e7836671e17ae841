(function () {
  var map = L.map("map").setView([50, 10], 8);
  var pattern = "http://SERVER.__ID__.example/geoserver/THEME/wms";
  function themed(server, theme) { return pattern.replace("SERVER", server).replace("THEME", theme); }
  function add(layers, url) {
    url = url || ["http:", "", "c.__ID__.example", "wms", "erosion"].join("/");
    L.tileLayer.wms(url, { layers: layers, format: "image/png", transparent: true }).addTo(map);
  }
  function addMoor(layers, host = "d.__ID__.example", path = "/dienste/moor") {
    L.tileLayer.wms("http://".concat(host, path), { layers: layers, transparent: true }).addTo(map);
  }
  add("soil:bk50", themed("a", "soil"));
  add("soil:types", themed("b", "soil"));
  add("erosion");
  addMoor("moor");
  var test = location.search.indexOf("staging") >= 0;
  add(test ? "next" : "live", test ? "http://staging.__ID__.example/test/ows" : "http://live.__ID__.example/wms/soil");
})();
