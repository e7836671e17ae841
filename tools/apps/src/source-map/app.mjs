import { wms, wfs } from "../../services.mjs";
export default {
  title: "Mineral deposits", library: "openlayers10", techniques: ["source-map", "mangled-properties"], level: 2, builds: ["esbuild-mangled", "webpack"], sourceMap: true,
  services: [wms("http://wms.__ID__.example/geoserver/ore/wms", "ore:copper"), wfs("http://wfs.__ID__.example/geoserver/ore/wfs", "ore:mines")],
};
