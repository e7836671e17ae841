import { mapServer, featureServer, wms } from "../../services.mjs";
export default {
  title: "Bus lines", library: "leaflet-plugins", techniques: ["bundle", "plug-in", "imports"], level: 2, builds: ["esbuild", "webpack"],
  services: [
    mapServer("http://gis.__ID__.example/server/rest/services/Transit/MapServer", "0"),
    featureServer("http://gis.__ID__.example/server/rest/services/Stops/FeatureServer", "Stops"),
    wms("http://wms.__ID__.example/geoserver/transit/ows", "transit:lines"),
  ],
};
