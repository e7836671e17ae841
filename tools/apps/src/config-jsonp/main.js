function showLayers(config) {
  var map = L.map("map").setView(config.centre, 7);
  L.tileLayer(config.base).addTo(map);
  config.overlays.forEach(function (o) { L.tileLayer.wms(config.root + o.path, { layers: o.layers, transparent: true, format: "image/png" }).addTo(map); });
}
window.showLayers = showLayers;
var script = document.createElement("script");
script.src = "data/layers.js?callback=showLayers";
document.body.appendChild(script);
