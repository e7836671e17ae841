import { wms, wmts } from "../../services.mjs";
export default {
  title: "Vineyards", library: "openlayers", techniques: ["data-attribute", "inline-json"], level: 2, libs: ["ol"], builds: ["terser"],
  services: [wms("http://wms.__ID__.example/geoserver/wine/wms", "wine:slopes"), wms("http://second.__ID__.example/ows/wine", "wine:soil")],
};
