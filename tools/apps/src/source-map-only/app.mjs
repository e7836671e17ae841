import { wms } from "../../services.mjs";
export default {
  title: "Groundwater", library: "leaflet", techniques: ["source-map", "obfuscated", "names-only-in-source-map"], level: 2, libs: ["leaflet"], builds: ["obfuscator"], sourceMap: true, stringEncoding: "base64",
  services: [wms("http://wms.__ID__.example/geoserver/groundwater/wms", "gw:level")],
};
