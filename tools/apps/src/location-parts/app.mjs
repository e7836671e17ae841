import { wms } from "../../services.mjs";
export default {
  title: "Mountain huts", library: "leaflet", techniques: ["location", "protocol-relative", "concatenation"], level: 2, libs: ["leaflet"], builds: ["terser", "plain"],
  services: [wms("http://wms.__ID__.example/geoserver/huts/wms", "huts"), wms("http://relative.__ID__.example/wms/paths", "paths"), wms("http://www.__ID__.example/cgi-bin/mapserv?map=/own.map", "own")],
};
