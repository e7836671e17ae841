import L from "leaflet";
import layers from "./layers.json";
const map = L.map("map").setView([54, 8], 7);
for (const [name, { scheme, host, path, layers: names }] of Object.entries(layers)) {
  L.tileLayer.wms(`${scheme}://${host}${path}`, { layers: names.join(), transparent: true, attribution: name }).addTo(map);
}
