import { wms } from "../../services.mjs";
export default { title: "Closures", library: "openlayers10", techniques: ["closure", "reduce", "curry", "compose"], level: 3, builds: ["webpack", "esbuild"],
  services: [wms("http://wms.__ID__.example/geoserver/curried/wms", "curried"), wms("http://reduced.__ID__.example/ows/reduced", "reduced")] };
