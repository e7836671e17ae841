import { wms, wmts } from "../../services.mjs";
export default { title: "Built in a loop", library: "openlayers10", techniques: ["loop", "reverse", "string-index"], level: 3, builds: ["esbuild", "vite"],
  services: [wms("http://wms.__ID__.example/geoserver/loop/wms", "loop:one"), wms("http://letters.__ID__.example/ows/letters", "letters")] };
