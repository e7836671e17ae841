(function () {
  var element = document.getElementById("map");
  var overlay = JSON.parse(document.getElementById("settings").textContent).overlay;
  var first = new ol.source.TileWMS({ url: "http://" + element.dataset.server + element.getAttribute("data-path"), params: { LAYERS: element.dataset.layers } });
  var second = new ol.source.TileWMS({ url: "http://" + overlay.host + "/" + overlay.service, params: { LAYERS: overlay.names[0] } });
  new ol.Map({ target: element, layers: [new ol.layer.Tile({ source: first }), new ol.layer.Tile({ source: second })], view: new ol.View({ center: [900000, 6400000], zoom: 9 }) });
})();
