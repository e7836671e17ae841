import { wms } from "../../services.mjs";
export default { title: "Development build", library: "leaflet", techniques: ["eval-modules", "development-build"], level: 3, builds: ["webpack-eval"],
  services: [wms("http://wms.__ID__.example/geoserver/dev/wms", "dev:layer")] };
