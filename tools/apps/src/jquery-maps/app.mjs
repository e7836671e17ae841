import { wms, wfs, geojson, featureServer } from "../../services.mjs";
export default {
  title: "Leisure map", library: "jquery", techniques: ["plug-in", "ajax"], level: 2, libs: ["jquery", "jquery.maps"], builds: ["plain", "terser"],
  services: [
    wms("http://wms1.__ID__.example/ows/leisure", "pools"),
    wms("http://wms2.__ID__.example/cgi-bin/mapserv?map=/maps/leisure.map", "playgrounds"),
    wfs("http://wfs.__ID__.example/geoserver/leisure/wfs", "leisure:paths"),
    geojson("http://data.__ID__.example/events.geojson"),
    featureServer("http://gis.__ID__.example/arcgis/rest/services/Parks/FeatureServer", "Parks"),
  ],
};
