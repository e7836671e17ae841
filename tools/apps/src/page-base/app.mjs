import { wms, wfs } from "../../services.mjs";
export default {
  title: "Meadows", library: "leaflet", techniques: ["base-element", "json-configuration", "relative-address"], level: 2, libs: ["leaflet"], builds: ["plain"], scripts: [],
  services: [wms("http://wms.__ID__.example/geoserver/meadow/wms", "meadow:types"), wfs("http://wfs.__ID__.example/geoserver/meadow/wfs", "meadow:plots")],
};
