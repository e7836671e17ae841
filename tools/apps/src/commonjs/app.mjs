import { wms } from "../../services.mjs";
export default {
  title: "Quarries", library: "leaflet", techniques: ["commonjs", "require"], level: 2, builds: ["webpack", "esbuild"],
  services: [wms("http://wms.__ID__.example/wms/quarries", ["active", "closed"])],
};
