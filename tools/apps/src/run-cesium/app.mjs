import { wms } from "../../services.mjs";
export default { title: "Computed imagery", library: "cesium", techniques: ["string-table", "index-function"], level: 3, libs: ["cesium"], builds: ["plain"],
  services: [wms("http://wms.__ID__.example/geoserver/table/wms", "table:layer")] };
