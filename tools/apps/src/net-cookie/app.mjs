import { wms, featureServer } from "../../services.mjs";
export default { title: "After a visit", library: "leaflet", techniques: ["cookie", "fetch"], level: 4, builds: ["webpack"], base: "/",
  services: [wms("http://wms.__ID__.example/geoserver/visit/wms", "visit:layer"), featureServer("http://gis.__ID__.example/arcgis/rest/services/Visit/FeatureServer", "Visit")],
  endpoints: [
    { method: "POST", path: "/welcome", reply: { status: 200, content_type: "text/plain", headers: { "Set-Cookie": "visitor=42; Path=/" }, body: "ok" } },
    { method: "GET", path: "/services", requires: { cookie: "visitor=42" },
      reply: { status: 200, content_type: "application/json", body: "{\"maps\":\"http://wms.__ID__.example/geoserver/visit/wms\",\"features\":\"http://gis.__ID__.example/arcgis/rest/services/Visit/FeatureServer/0\"}" },
      otherwise: { status: 403, content_type: "application/json", body: "{}" } }] };
