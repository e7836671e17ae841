import L from "leaflet";
const proxy = "/proxy?url=";
const through = target => proxy + encodeURIComponent(target);
const map = L.map("map").setView([50, 8], 9);
const Proxied = L.TileLayer.WMS.extend({ getTileUrl(coords) { return through(L.TileLayer.WMS.prototype.getTileUrl.call(this, coords)); } });
new Proxied("http://wms.__ID__.example/geoserver/traffic/wms", { layers: "works", format: "image/png" }).addTo(map);
fetch(`/api/proxy?target=${encodeURIComponent("http://data.__ID__.example/works.geojson")}`).then(r => r.json()).then(data => L.geoJSON(data).addTo(map));
