import { wms, wmts, wfs, xyz, mapServer, kml } from "../../services.mjs";
export default {
  title: "Cadastre", library: "openlayers2", techniques: ["global", "array", "variable"], level: 2, libs: ["openlayers2"], builds: ["plain", "terser"],
  services: [
    wms("http://wms1.__ID__.example/cgi-bin/mapserv?map=/maps/kataster.map", ["flurstuecke", "gebaeude"]),
    wms("http://wms2.__ID__.example/arcgis/services/Ortho/MapServer/WMSServer", "0"),
    wmts("http://wmts.__ID__.example/mapproxy/service", "basis"),
    wfs("http://wfs.__ID__.example/geoserver/kat/wfs", "kat:adressen"),
    xyz("http://tiles.__ID__.example/hill/{z}/{x}/{y}.png"),
    mapServer("http://gis.__ID__.example/ArcGIS/rest/services/Relief/MapServer", "0"),
    kml("http://data.__ID__.example/files/walks.kml"),
  ],
};
