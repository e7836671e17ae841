import L from "leaflet";
import { hosts, url } from "./settings.js";

const map = L.map("map").setView([51, 9], 8);
L.tileLayer.wms(url(hosts.maps, "ows/flood"), { layers: "hq100", transparent: true, format: "image/png" }).addTo(map);
fetch(url(hosts.data, "api/levels.geojson")).then(r => r.json()).then(levels => L.geoJSON(levels).addTo(map));
