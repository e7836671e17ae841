import { wms } from "../../services.mjs";
export default {
  title: "Harbours", library: "leaflet", techniques: ["json-import", "bundle", "entries"], level: 3, builds: ["esbuild", "webpack", "vite"],
  services: [wms("http://wms.__ID__.example/geoserver/sea/wms", "sea:depth"), wms("http://buoys.__ID__.example/wms", "buoys")],
};
