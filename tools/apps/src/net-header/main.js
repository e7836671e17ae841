(function () {
  var map = L.map("map").setView([50, 10], 8);
  var request = new XMLHttpRequest();
  request.open("HEAD", "/api/node");
  request.onload = function () {
    var url = "http://" + request.getResponseHeader("X-Map-Host") + "/node-" + request.getResponseHeader("X-Map-Node") + "/ows";
    L.tileLayer.wms(url, { layers: "header:layer", transparent: true }).addTo(map);
  };
  request.send();
})();
