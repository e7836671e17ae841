import { wms } from "../../services.mjs";
export default {
  title: "Town plan", library: "openlayers10", techniques: ["relative-address"], level: 2, builds: ["esbuild", "vite"],
  services: [wms("http://www.__ID__.example/geoserver/plan/wms", "plan:bplan")],
};
