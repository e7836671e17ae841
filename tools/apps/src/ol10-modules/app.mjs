import { wms, wmts, wfs } from "../../services.mjs";
export default {
  title: "Water atlas", library: "openlayers10", techniques: ["imports", "template-literal", "object-member"], level: 2,
  builds: ["esbuild", "webpack", "vite"],
  services: [
    wms("http://wms.__ID__.example/geoserver/water/wms", "water:lakes"),
    wmts("http://wms.__ID__.example/geoserver/gwc/service/wmts", "water:base"),
    wfs("http://wms.__ID__.example/geoserver/water/wfs", "water:gauges"),
  ],
};
