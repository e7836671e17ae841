import { wms, mvt, geojson } from "../../services.mjs";
export default {
  title: "Geothermal", library: "maplibre", techniques: ["bundle", "bbox-template"], level: 2, builds: ["esbuild", "vite"],
  services: [
    wms("http://wms.__ID__.example/geoserver/heat/wms", "heat:depth"),
    mvt("http://tiles.__ID__.example/data/heat/{z}/{x}/{y}.pbf"),
    geojson("http://data.__ID__.example/wells.geojson"),
  ],
};
