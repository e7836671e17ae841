import { wms, wfs, mapServer } from "../../services.mjs";
export default {
  title: "Spatial data infrastructure", library: "geoext", techniques: ["global", "object-shape", "ptype"], level: 2, libs: ["openlayers2", "geoext"], builds: ["plain", "terser"],
  services: [
    wms("http://wms1.__ID__.example/geoserver/ows", "sdi:base"),
    wms("http://wms2.__ID__.example/geoserver/wms", "sdi:roads"),
    wms("http://wms3.__ID__.example/wms/relief", "relief"),
    wfs("http://wfs.__ID__.example/geoserver/wfs", "sdi:points"),
    mapServer("http://gis.__ID__.example/arcgis/rest/services/Sdi/MapServer", "0"),
  ],
};
