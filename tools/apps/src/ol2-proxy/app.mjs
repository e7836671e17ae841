import { wfs, wms, proxied } from "../../services.mjs";
export default {
  title: "Hydrants", library: "openlayers2", techniques: ["proxy", "encodeURIComponent"], level: 2, libs: ["openlayers2"], builds: ["terser"], base: "/",
  services: [wfs("http://wfs.__ID__.example/cgi-bin/tinyows", "fire:hydrants", proxied), wms("http://wms.__ID__.example/wms/fire", "stations", proxied)],
  endpoints: [{ method: "GET", path: "/cgi-bin/proxy.cgi", reply: { status: 200, content_type: "text/xml", body: "<empty/>" } }],
};
