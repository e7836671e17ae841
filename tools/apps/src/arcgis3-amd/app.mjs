import { mapServer, featureServer, wms, wmts, kml, imageServer } from "../../services.mjs";
export default {
  title: "Utilities", library: "arcgis3", techniques: ["amd", "callback-parameters"], level: 2, libs: ["arcgis3"], builds: ["plain", "terser"],
  services: [
    mapServer("http://gis.__ID__.example/arcgis/rest/services/Water/MapServer", "0"),
    mapServer("http://gis.__ID__.example/arcgis/rest/services/Cache/Topo/MapServer", "0"),
    featureServer("http://gis.__ID__.example/arcgis/rest/services/Hydrants/FeatureServer", "Hydrants"),
    imageServer("http://gis.__ID__.example/arcgis/rest/services/Ortho/ImageServer"),
    wms("http://wms.__ID__.example/wms/utilities", ["pipes", "valves"]),
    wmts("http://wmts.__ID__.example/mapproxy/wmts/service", "grey"),
    kml("http://data.__ID__.example/outages.kml"),
  ],
};
