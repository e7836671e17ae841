import { wms, xyz } from "../../services.mjs";
export default { title: "Obfuscated", library: "leaflet", techniques: ["string-table", "rotated-array", "obfuscated"], level: 3, libs: ["leaflet"], builds: ["obfuscator"],
  services: [wms("http://wms.__ID__.example/geoserver/hidden/wms", "hidden:layer"), xyz("http://tiles.__ID__.example/hidden/{z}/{x}/{y}.png")] };
