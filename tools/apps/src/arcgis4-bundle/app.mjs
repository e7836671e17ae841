import { mapServer, featureServer } from "../../services.mjs";
export default {
  title: "Waste collection", library: "arcgis4", techniques: ["bundle", "external-import"], level: 2, builds: ["esbuild-esm"],
  services: [mapServer("http://gis.__ID__.example/arcgis/rest/services/Waste/MapServer", "0"), featureServer("http://gis.__ID__.example/arcgis/rest/services/Bins/FeatureServer", "Bins")],
};
