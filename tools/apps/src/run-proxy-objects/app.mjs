import { wms, wmts } from "../../services.mjs";
export default { title: "Reflection", library: "leaflet", techniques: ["Proxy", "tagged-template", "replace-callback", "Object.defineProperty"], level: 3, builds: ["esbuild"],
  services: [wms("http://wms.__ID__.example/geoserver/proxy/wms", "proxy"), wms("http://tagged.__ID__.example/ows/tagged", "tagged"), wms("http://callback.__ID__.example/wms/callback", "callback")] };
