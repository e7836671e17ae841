import { wms, xyz } from "../../services.mjs";
export default {
  title: "Bathing waters", library: "leaflet", techniques: ["global", "literal"], level: 2, libs: ["leaflet"], builds: ["plain", "terser", "terser-names"],
  services: [wms("http://wms.__ID__.example/geoserver/bathing/wms", ["sites", "quality"]), xyz("http://tiles.__ID__.example/osm/{z}/{x}/{y}.png")],
};
