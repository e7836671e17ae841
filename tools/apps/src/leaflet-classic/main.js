var map = L.map("map").setView([50, 10], 8);
L.tileLayer("http://tiles.__ID__.example/osm/{z}/{x}/{y}.png", { maxZoom: 19, attribution: "&copy; contributors" }).addTo(map);
var quality = L.tileLayer.wms("http://wms.__ID__.example/geoserver/bathing/wms", { layers: "sites,quality", format: "image/png", transparent: true, attribution: "Agency, for water" });
quality.addTo(map);
L.control.layers({}, { "Quality": quality }).addTo(map);
