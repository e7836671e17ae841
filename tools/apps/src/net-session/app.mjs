import { wms } from "../../services.mjs";
export default { title: "Behind a session", library: "openlayers10", techniques: ["session-token", "fetch", "post"], level: 4, builds: ["esbuild", "vite"], base: "/",
  services: [wms("http://wms.__ID__.example/geoserver/session/wms", "session:layer")],
  endpoints: [
    { method: "POST", path: "/api/session", reply: { status: 200, content_type: "application/json", body: "{\"token\":\"9f3b-__ID__\"}" } },
    { method: "GET", path: "/api/layers", requires: { authorization: "Bearer 9f3b-__ID__" },
      reply: { status: 200, content_type: "application/json", body: "{\"layers\":[{\"url\":\"http://wms.__ID__.example/geoserver/session/wms\",\"name\":\"session:layer\"}]}" },
      otherwise: { status: 401, content_type: "application/json", body: "{\"error\":\"no session\"}" } }] };
