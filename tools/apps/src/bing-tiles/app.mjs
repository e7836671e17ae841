import { wms, xyz, geojson } from "../../services.mjs";
export default {
  title: "Crop monitor", library: "bing-maps", techniques: ["callback", "quadkey"], level: 2, libs: ["bing-maps?callback=GetMap"], builds: ["plain", "terser"],
  services: [wms("http://wms.__ID__.example/wms/crops", "ndvi"), xyz("http://tiles.__ID__.example/crops/{quadkey}.png"), geojson("http://data.__ID__.example/fields.geojson")],
};
