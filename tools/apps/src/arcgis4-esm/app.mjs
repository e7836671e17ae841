import { featureServer, wms, wfs } from "../../services.mjs";
export default {
  title: "Schools", library: "arcgis4", techniques: ["modules", "import-map"], level: 2, builds: ["plain"], modules: true,
  services: [
    featureServer("http://gis.__ID__.example/arcgis/rest/services/Education/FeatureServer", "Schools"),
    wms("http://wms.__ID__.example/geoserver/edu/wms", "catchments"),
    wfs("http://wfs.__ID__.example/geoserver/edu/wfs", "edu:routes"),
  ],
};
