function GetMap() {
  var map = new Microsoft.Maps.Map("#map", { credentials: "none", center: new Microsoft.Maps.Location(50, 10), zoom: 7 });
  var wms = new Microsoft.Maps.TileSource({ uriConstructor: "http://wms.__ID__.example/wms/crops?SERVICE=WMS&REQUEST=GetMap&VERSION=1.1.1&LAYERS=ndvi&STYLES=&SRS=EPSG:4326&FORMAT=image/png&BBOX={bbox}&WIDTH=256&HEIGHT=256" });
  map.layers.insert(new Microsoft.Maps.TileLayer({ mercator: wms, opacity: 0.6 }));
  map.layers.insert(new Microsoft.Maps.TileLayer({ mercator: new Microsoft.Maps.TileSource({ uriConstructor: "http://tiles.__ID__.example/crops/{quadkey}.png" }) }));
  Microsoft.Maps.loadModule("Microsoft.Maps.GeoJson", function () { Microsoft.Maps.GeoJson.readFromUrl("http://data.__ID__.example/fields.geojson", function () {}); });
}
window.GetMap = GetMap;
