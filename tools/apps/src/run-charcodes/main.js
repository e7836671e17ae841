import L from "leaflet";
const text = (...codes) => String.fromCharCode(...codes);
const shifted = [@shifted{{http://second.__ID__.example/ows/shifted}}];
let second = "";
for (let i = 0; i < shifted.length; i++) second += String.fromCharCode(shifted[i] - 7);
const map = L.map("map").setView([50, 10], 7);
L.tileLayer.wms(text(@codes{{http://wms.__ID__.example/geoserver/codes/wms}}), { layers: "codes" }).addTo(map);
L.tileLayer.wms(second, { layers: "shifted" }).addTo(map);
