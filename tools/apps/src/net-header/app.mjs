import { wms } from "../../services.mjs";
export default { title: "Told by a header", library: "leaflet", techniques: ["response-header", "xhr"], level: 4, libs: ["leaflet"], builds: ["terser", "plain"], base: "/",
  services: [wms("http://wms.__ID__.example/node-7/ows", "header:layer")],
  endpoints: [{ method: "HEAD", path: "/api/node", reply: { status: 200, content_type: "text/plain", headers: { "X-Map-Host": "wms.__ID__.example", "X-Map-Node": "7" }, body: "" } }] };
