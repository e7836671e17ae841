import servers, { path as cycling } from "./servers.js";
export function layers(map) { L.tileLayer.wms(servers.wms + cycling, { layers: "routes", transparent: true }).addTo(map); }
