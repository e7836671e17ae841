import { wms, xyz } from "../../services.mjs";
export default {
  title: "Pipelines", library: "leaflet", techniques: ["jsonp-configuration", "callback"], level: 2, libs: ["leaflet"], builds: ["terser", "plain"],
  services: [wms("http://wms.__ID__.example/ows/pipelines", "gas"), xyz("http://tiles.__ID__.example/grey/{z}/{x}/{y}.png")],
};
