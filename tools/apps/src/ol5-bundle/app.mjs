import { wms } from "../../services.mjs";
export default {
  title: "Geology", library: "openlayers5", techniques: ["object-member", "commonjs-interop"], level: 2, builds: ["esbuild", "webpack"],
  services: [wms("http://wms.__ID__.example/ows/geology", ["gk100", "faults"])],
};
