import { xyz, wms, style, optional } from "../../services.mjs";
export default {
  title: "Trails", library: "maplibre", techniques: ["json-configuration", "relative-address"], level: 2, libs: ["maplibre-gl"], builds: ["terser"], base: "/",
  services: [xyz("http://tiles.__ID__.example/trails/{z}/{x}/{y}.png"), wms("http://wms.__ID__.example/ows/trails", "huts"), style("http://www.__ID__.example/styles/trails.json", [], optional)],
};
