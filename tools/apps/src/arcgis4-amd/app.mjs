import { mapServer, featureServer, wms, geojson } from "../../services.mjs";
export default {
  title: "Crime statistics", library: "arcgis4", techniques: ["amd", "object-shape"], level: 2, libs: ["arcgis4"], builds: ["terser", "plain"],
  services: [
    mapServer("http://gis.__ID__.example/server/rest/services/Police/MapServer", "0"),
    featureServer("http://services.__ID__.example/a1B2c3/arcgis/rest/services/Incidents/FeatureServer", "Incidents"),
    wms("http://wms.__ID__.example/ows/districts", "districts"),
    geojson("http://data.__ID__.example/open/cameras.geojson"),
  ],
};
