import { needs, mapServer, xyz, kml } from "../../services.mjs";
export default {
  title: "Parcels", library: "openlayers10", techniques: ["literal", "array"], level: 2, builds: ["esbuild", "vite"],
  services: [
    mapServer("http://gis.__ID__.example/arcgis/rest/services/Parcels/MapServer", ["0"], needs(3)),
    mapServer("http://gis.__ID__.example/arcgis/rest/services/Zoning/MapServer", ["0"], needs(3)),
    xyz("http://tiles.__ID__.example/shade/{z}/{x}/{y}.png"),
    kml("http://data.__ID__.example/tours.kml"),
  ],
};
