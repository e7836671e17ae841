import { wms, xyz, geojson } from "../../services.mjs";
export default {
  title: "Geothermal", library: "maplibre", techniques: ["bundle", "bbox-template"], level: 2, builds: ["esbuild", "vite"],
  services: [
    wms("http://wms.__ID__.example/geoserver/heat/wms", "heat:depth"),
    xyz("http://tiles.__ID__.example/data/heat/{z}/{x}/{y}.pbf", [], { format: "mvt" }),
    geojson("http://data.__ID__.example/wells.geojson"),
  ],
};
