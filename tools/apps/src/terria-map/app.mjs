import { wms, mapServer, geojson, wfs } from "../../services.mjs";
export default {
  title: "National map", library: "terria", techniques: ["json-configuration", "nested-configuration", "relative-address"], level: 2, libs: ["terria"], builds: ["plain"],
  services: [
    wms("http://wms.__ID__.example/geoserver/nm/ows", "nm:rail"),
    mapServer("http://gis.__ID__.example/arcgis/rest/services/Land/MapServer", "0"),
    geojson("http://data.__ID__.example/places.geojson"),
    wfs("http://wfs.__ID__.example/geoserver/nm/wfs", "nm:towns"),
  ],
};
