import { wms, geojson } from "../../services.mjs";
export default {
  title: "Flood hazard", library: "leaflet", techniques: ["bundle", "imports", "template-literal"], level: 2, builds: ["esbuild", "webpack", "vite", "esbuild-esm"],
  services: [wms("http://wms.__ID__.example/ows/flood", "hq100"), geojson("http://data.__ID__.example/api/levels.geojson")],
};
