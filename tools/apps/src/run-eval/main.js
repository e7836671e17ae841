import L from "leaflet";
import { server } from "./server.js";
const map = L.map("map").setView([50, 10], 8);
L.tileLayer.wms(server("dev"), { layers: "dev:layer", transparent: true }).addTo(map);
