(function () {
  var map = L.map("map").setView([50, 10], 8);
  var request = new XMLHttpRequest();
  request.open("GET", "cfg/servers.json");
  request.onload = function () {
    var servers = JSON.parse(request.responseText).servers;
    L.tileLayer.wms(servers.wms.url, { layers: servers.wms.layers, transparent: true }).addTo(map);
    fetch(servers.wfs.url + "?service=WFS&version=1.1.0&request=GetFeature&typeName=" + servers.wfs.typeName);
  };
  request.send();
})();
