import { wms } from "../../services.mjs";
export default {
  title: "Springs", library: "leaflet", techniques: ["source-map-inline", "mangled-properties"], level: 2, builds: ["esbuild-mangled"], sourceMap: "inline",
  services: [wms("http://wms.__ID__.example/ows/springs", "springs")],
};
