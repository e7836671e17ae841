import { mvt, tilejson, xyz, optional } from "../../services.mjs";
export default {
  title: "Land cover", library: "openlayers10", techniques: ["spread", "default-parameter"], level: 2, builds: ["esbuild"],
  services: [mvt("http://tiles.__ID__.example/landcover/{z}/{x}/{y}.pbf"), tilejson("http://tiles.__ID__.example/relief.json", "relief"), xyz("http://tiles.__ID__.example/relief/{z}/{x}/{y}.png", [], optional)],
};
