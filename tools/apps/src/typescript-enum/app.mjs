import { wms, mapServer } from "../../services.mjs";
export default {
  title: "Planning register", library: "leaflet", techniques: ["typescript", "enum", "destructuring", "optional-chaining"], level: 2, builds: ["esbuild", "vite"],
  services: [wms("http://wms.__ID__.example/deegree/services/plan", "plans"), mapServer("http://gis.__ID__.example/arcgis/rest/services/Plans/MapServer", "0")],
};
