import { wms, notAsked } from "../../services.mjs";
export default {
  title: "Soil types", library: "leaflet", techniques: ["replace", "join", "concat", "ternary", "default-parameter"], level: 2, libs: ["leaflet"], builds: ["terser", "plain"],
  services: [
    wms("http://a.__ID__.example/geoserver/soil/wms", "soil:bk50"),
    wms("http://b.__ID__.example/geoserver/soil/wms", "soil:types"),
    wms("http://c.__ID__.example/wms/erosion", "erosion"),
    wms("http://d.__ID__.example/dienste/moor", "moor"),
    wms("http://live.__ID__.example/wms/soil", "live"),
    wms("http://staging.__ID__.example/test/ows", "next", notAsked),
  ],
};
