import { wms, wfs } from "../../services.mjs";
export default {
  title: "Cycle routes", library: "leaflet", techniques: ["modules", "imports", "dynamic-import"], level: 2, libs: ["leaflet"], builds: ["plain"], modules: true,
  services: [wms("http://wms.__ID__.example/ows/cycling", "routes"), wfs("http://wfs.__ID__.example/geoserver/bike/ows", "bike:counters")],
};
