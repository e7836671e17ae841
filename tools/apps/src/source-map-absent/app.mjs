import { wms } from "../../services.mjs";
export default {
  title: "Heritage trees", library: "leaflet", techniques: ["source-map-unpublished", "imports"], level: 2, builds: ["esbuild", "vite"], sourceMap: "absent",
  services: [wms("http://wms.__ID__.example/geoserver/trees/wms", "trees:old")],
};
