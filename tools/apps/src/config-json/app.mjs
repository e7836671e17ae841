import { wms, wfs } from "../../services.mjs";
export default {
  title: "Configured viewer", library: "openlayers10", techniques: ["json-configuration", "relative-address"], level: 2, builds: ["esbuild", "webpack", "vite"],
  services: [wms("http://wms.__ID__.example/geoserver/cfg/wms", "cfg:a"), wms("http://second.__ID__.example/karten/dienst.php?thema=b", "b"), wfs("http://wfs.__ID__.example/geoserver/cfg/wfs", "cfg:points")],
};
