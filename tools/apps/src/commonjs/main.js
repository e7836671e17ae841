const L = require("leaflet");
const { endpoint, names } = require("./endpoint.js");
const map = L.map("map").setView([50, 10], 8);
L.tileLayer.wms(endpoint("quarries"), { layers: names.join(","), format: "image/png", transparent: true }).addTo(map);
