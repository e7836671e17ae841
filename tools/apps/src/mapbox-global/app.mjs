import { wms, xyz } from "../../services.mjs";
export default {
  title: "Avalanche bulletin", library: "mapbox-gl", techniques: ["global", "style-object"], level: 2, libs: ["mapbox-gl"], builds: ["plain", "terser"],
  services: [wms("http://wms.__ID__.example/cgi-bin/mapserv?map=/m/avalanche.map", "danger"), xyz("http://tiles.__ID__.example/slope/{z}/{x}/{y}.png")],
};
