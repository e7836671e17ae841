// A viewer of old: settings in an object, a proxy, layers made in a loop, started by the load event.
var settings = {
  root: "https://geo.example.org/cgi-bin/",
  layers: [["Parcels, current", "parcels"], ["Roads", "roads"]],
};
OpenLayers.ProxyHost = "/cgi-bin/proxy.cgi?url=";
function start() {
  var map = new OpenLayers.Map("map", { projection: new OpenLayers.Projection("EPSG:2056") });
  for (var i = 0; i < settings.layers.length; i++) {
    map.addLayer(new OpenLayers.Layer.WMS(settings.layers[i][0], settings.root + "mapserv?map=" + settings.layers[i][1], { layers: settings.layers[i][1] }));
  }
  var wfs = new OpenLayers.Layer.Vector("f", { protocol: new OpenLayers.Protocol.WFS({ url: settings.root + "wfs", featureType: "a" }) });
}
window.onload = start;
