import { wms, wfs, featureServer, geojson } from "../../services.mjs";
export default {
  title: "Plain requests", library: "fetch", techniques: ["fetch", "xhr", "URLSearchParams", "URL"], level: 2, builds: ["plain", "terser", "esbuild"],
  services: [
    wfs("http://wfs.__ID__.example/geoserver/pop/wfs", "pop:grid"),
    featureServer("http://gis.__ID__.example/arcgis/rest/services/Pop/FeatureServer", "Pop"),
    wms("http://wms.__ID__.example/wms/population", "density"),
    geojson("http://data.__ID__.example/borders.geojson"),
  ],
};
