import { mustNot } from "../../services.mjs";
export default { title: "Help pages", library: "none", techniques: ["dead-strings", "documentation"], builds: ["esbuild", "vite"],
  mustNotFind: [mustNot("http://your-server.__ID__.example/geoserver/wms", "example-in-text"), mustNot("http://localhost:8080/geoserver/wms", "example-in-text"), mustNot("http://example.com/arcgis/rest/services/Sample/MapServer", "example-in-text")] };
