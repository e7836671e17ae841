import { wms, mvt, geojson } from "../../services.mjs";
export default {
  title: "Traffic counts", library: "deck.gl", techniques: ["global", "object-shape", "spread"], level: 2, libs: ["deck"], builds: ["plain", "terser"],
  services: [wms("http://wms.__ID__.example/ows/traffic", ["counts", "flows"]), mvt("http://tiles.__ID__.example/density/{z}/{x}/{y}.pbf"), geojson("http://data.__ID__.example/corridors.geojson")],
};
