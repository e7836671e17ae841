import L from "leaflet";
import { featureLayer } from "esri-leaflet";
const map = L.map("map").setView([50, 10], 8);
fetch("/welcome", { method: "POST", credentials: "same-origin" })
  .then(() => fetch("/services", { credentials: "same-origin" }))
  .then(answer => answer.json())
  .then(services => {
    L.tileLayer.wms(services.maps, { layers: "visit:layer" }).addTo(map);
    featureLayer({ url: services.features }).addTo(map);
  });
