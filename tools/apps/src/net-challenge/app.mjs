import { wms, wfs } from "../../services.mjs";
export default { title: "After a riddle", library: "openlayers", techniques: ["challenge", "computed-request"], level: 4, libs: ["ol"], builds: ["plain"], base: "/",
  services: [wms("http://wms.__ID__.example/geoserver/riddle/wms", "riddle:layer")],
  endpoints: [
    { method: "POST", path: "/api/riddle", reply: { status: 200, content_type: "application/json", body: "{\"numbers\":[12,7,23,5]}" } },
    { method: "GET", path: "/api/map", requires: { query: ["answer", "9660"] },
      reply: { status: 200, content_type: "application/json", body: "{\"host\":\"wms.__ID__.example\",\"workspace\":\"riddle\"}" },
      otherwise: { status: 403, content_type: "application/json", body: "{}" } }] };
