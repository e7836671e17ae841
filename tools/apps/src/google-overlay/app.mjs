import { wms, xyz, geojson, kml } from "../../services.mjs";
export default {
  title: "Snow cover", library: "google-maps", techniques: ["callback", "concatenation"], level: 2, libs: ["google-maps?key=none&callback=initMap"], builds: ["plain", "terser"],
  services: [wms("http://wms.__ID__.example/geoserver/snow/wms", "snow:depth"), xyz("http://tiles.__ID__.example/snow/{z}/{x}/{y}.png"), geojson("http://data.__ID__.example/stations.json"), kml("http://data.__ID__.example/lifts.kml")],
};
