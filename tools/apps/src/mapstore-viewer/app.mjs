import { wms, wmts, wfs } from "../../services.mjs";
export default {
  title: "Open maps", library: "mapstore", techniques: ["json-configuration", "relative-address"], level: 2, libs: ["mapstore"], builds: ["plain"],
  services: [wms("http://wms.__ID__.example/geoserver/open/wms", "open:trees"), wmts("http://wmts.__ID__.example/geoserver/gwc/service/wmts", "open:base"), wfs("http://wfs.__ID__.example/geoserver/open/wfs", "open:benches")],
};
