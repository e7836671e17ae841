import { wms, wfs } from "../../services.mjs";
export default { title: "Obfuscated too", library: "openlayers", techniques: ["string-table", "rotated-array", "base64-table", "obfuscated"], level: 3, libs: ["ol"], builds: ["obfuscator"], stringEncoding: "base64",
  services: [wms("http://wms.__ID__.example/cgi-bin/mapserv?map=/m/hidden.map", "hidden"), wfs("http://wfs.__ID__.example/geoserver/hidden/wfs", "hidden:points")] };
