import { wms } from "../../services.mjs";
export default {
  title: "Forest inventory", library: "openlayers", techniques: ["global", "variable", "concatenation"], level: 2, libs: ["ol"], builds: ["plain", "terser", "terser-names"],
  services: [wms("http://wms.__ID__.example/geoserver/forest/wms", "forest:stands"), wms("http://wms.__ID__.example/geoserver/base/wms", "base:grey")],
};
