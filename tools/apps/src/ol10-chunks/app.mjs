import { wms, geojson } from "../../services.mjs";
export default {
  title: "Noise maps", library: "openlayers10", techniques: ["dynamic-import", "chunks"], level: 2,
  builds: ["esbuild-esm", "webpack", "vite"],
  services: [wms("http://wms.__ID__.example/cgi-bin/mapserv?map=/srv/noise.map", "noise_day"), geojson("http://data.__ID__.example/export/stations.geojson")],
};
