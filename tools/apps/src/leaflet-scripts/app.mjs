import { wms } from "../../services.mjs";
export default {
  title: "Monuments", library: "leaflet", techniques: ["namespace", "several-scripts", "object-member"], level: 2, libs: ["leaflet"], builds: ["plain", "terser"], scripts: ["config.js", "layers.js", "main.js"],
  services: [wms("http://wms.__ID__.example/arcgis/services/Monuments/MapServer/WMSServer", ["0", "1"]), wms("http://old.__ID__.example/mapguide/mapagent/mapagent.fcgi", "Library://Old.Map")],
};
