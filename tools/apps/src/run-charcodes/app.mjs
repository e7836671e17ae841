import { wms } from "../../services.mjs";
export default { title: "Character codes", library: "leaflet", techniques: ["char-codes", "shifted-codes"], level: 3, builds: ["esbuild", "webpack"],
  services: [wms("http://wms.__ID__.example/geoserver/codes/wms", "codes"), wms("http://second.__ID__.example/ows/shifted", "shifted")] };
