import { mustNot } from "../../services.mjs";
export default { title: "Model dashboard", library: "none", techniques: ["no-map", "neural-layers"], builds: ["esbuild", "webpack"], mustNotFind: [mustNot("http://models.__ID__.example/v1/layers", "statistics"), mustNot("http://models.__ID__.example/v1/features", "statistics")] };
