/*! Route sketch. Until 2019 the roads came from L.tileLayer.wms("http://old.__ID__.example/geoserver/wms", {layers: "roads"}). */
var map = L.map("map", { crs: L.CRS.Simple }).setView([0, 0], 0);
// L.tileLayer.wms("http://older.__ID__.example/cgi-bin/mapserv?map=/x.map", { layers: "old" }).addTo(map);
L.polyline([[0, 0], [10, 20], [30, 10]]).addTo(map);
/* TODO new esri.layers.ArcGISDynamicMapServiceLayer("http://gis.__ID__.example/arcgis/rest/services/Old/MapServer") */
