import { mustNot } from "../../services.mjs";
export default { title: "Old notes", library: "leaflet", techniques: ["comments"], libs: ["leaflet"], builds: ["plain"],
  mustNotFind: [mustNot("http://old.__ID__.example/geoserver/wms", "comment", true), mustNot("http://older.__ID__.example/cgi-bin/mapserv?map=/x.map", "comment", true), mustNot("http://gis.__ID__.example/arcgis/rest/services/Old/MapServer", "comment", true)] };
