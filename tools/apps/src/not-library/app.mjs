import { mustNot } from "../../services.mjs";
export default { title: "Toolkit demo", library: "own-library", techniques: ["library-documentation"], builds: ["plain"], scripts: ["geo-toolkit.js", "main.js"],
  mustNotFind: [mustNot("http://demo.__ID__.example/geoserver/wms", "library-documentation", true), mustNot("http://demo.__ID__.example/tiles/{z}/{x}/{y}.png", "library-documentation", true)] };
