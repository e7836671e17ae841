import { wms, geojson, proxied } from "../../services.mjs";
export default {
  title: "Road works", library: "leaflet", techniques: ["proxy", "encodeURIComponent", "bundle"], level: 2, builds: ["esbuild", "vite"], base: "/",
  services: [wms("http://wms.__ID__.example/geoserver/traffic/wms", "works", proxied), geojson("http://data.__ID__.example/works.geojson", [], proxied)],
  endpoints: [
    { method: "GET", path: "/proxy", reply: { status: 200, content_type: "image/png", body: "" } },
    { method: "GET", path: "/api/proxy", reply: { status: 200, content_type: "application/json", body: "{\"type\":\"FeatureCollection\",\"features\":[]}" } },
  ],
};
