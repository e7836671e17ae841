import { wms } from "../../services.mjs";
export default {
  title: "Topographic viewer", library: "openlayers10", techniques: ["literal", "object-shape"], level: 2,
  builds: ["esbuild", "esbuild-esm", "webpack", "vite"],
  services: [wms("http://wms.__ID__.example/geoserver/topo/ows", ["topo:roads", "topo:rivers"]), wms("http://karten.__ID__.example/dienste/luftbild", ["dop20"])],
};
