(function () {
  var map = L.map("map").setView([47, 11], 9);
  var wms = L.tileLayer.wms;
  wms(window.location.protocol + "//wms.__ID__.example/geoserver/huts/wms", { layers: "huts" }).addTo(map);
  wms("//relative.__ID__.example/wms/paths", { layers: "paths" }).addTo(map);
  wms(location.origin + "/cgi-bin/mapserv?map=/own.map", { layers: "own" }).addTo(map);
})();
