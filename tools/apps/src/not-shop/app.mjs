import { mustNot } from "../../services.mjs";
export default { title: "Rucksack & Co.", library: "none", techniques: ["no-map", "misleading-words"], builds: ["esbuild", "webpack", "vite"],
  mustNotFind: [mustNot("http://api.__ID__.example/wms/stock", "warehouse-system"), mustNot("http://api.__ID__.example/v2/layers", "web-shop"), mustNot("http://api.__ID__.example/catalog/features.json", "web-shop")] };
