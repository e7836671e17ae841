import { xyz, tilejson } from "../../services.mjs";
export default {
  title: "Land cover", library: "openlayers10", techniques: ["spread", "default-parameter"], level: 2, builds: ["esbuild"],
  services: [xyz("http://tiles.__ID__.example/landcover/{z}/{x}/{y}.pbf", [], { format: "mvt" }), tilejson("http://tiles.__ID__.example/relief.json", "relief")],
};
