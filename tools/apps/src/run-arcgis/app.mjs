import { mapServer, featureServer } from "../../services.mjs";
export default { title: "Computed services", library: "arcgis4", techniques: ["atob", "loop", "amd"], level: 3, libs: ["arcgis4"], builds: ["terser"],
  services: [mapServer("http://gis.__ID__.example/arcgis/rest/services/Computed/MapServer", "0"), featureServer("http://gis.__ID__.example/arcgis/rest/services/Counted3/FeatureServer", "Counted3")] };
