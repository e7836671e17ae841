var LAYERS = [
  { title: "Parks", url: "http://wms.__ID__.example/cgi-bin/qgis_mapserv.fcgi?MAP=/data/parks.qgs", layers: "parks", visible: true },
  { title: "Biotopes, mapped", url: "http://wms2.__ID__.example/deegree/services/wms_biotope", layers: "biotope", visible: true },
  { title: "Protection", url: "http://karte.__ID__.example/index.php?dienst=schutz", layers: "schutz", visible: true }
];
var map = new ol.Map({ target: "map", view: new ol.View({ center: [1100000, 6600000], zoom: 8 }) });
for (var i = 0; i < LAYERS.length; i++) {
  var entry = LAYERS[i];
  map.addLayer(new ol.layer.Tile({ visible: entry.visible, source: new ol.source.TileWMS({ url: entry.url, params: { LAYERS: entry.layers } }) }));
}
