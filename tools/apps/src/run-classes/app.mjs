import { wms, mapServer } from "../../services.mjs";
export default { title: "Classes", library: "leaflet", techniques: ["class", "inheritance", "getter", "super"], level: 3, builds: ["esbuild", "webpack", "vite"],
  services: [wms("http://wms.__ID__.example/geoserver/base/wms", "base"), wms("http://wms.__ID__.example/geoserver/secure/wms", "secure"), mapServer("http://gis.__ID__.example/arcgis/rest/services/Derived/MapServer", "0")] };
