import { wms } from "../../services.mjs";
export default {
  title: "Biodiversity", library: "leaflet", techniques: ["amd", "imports"], level: 2, libs: ["leaflet", "amd"], builds: ["plain"], scripts: ["main.js"],
  services: [wms("http://wms.__ID__.example/ows/species", "observations")],
};
