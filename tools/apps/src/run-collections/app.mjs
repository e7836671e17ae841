import { wms, xyz, geojson } from "../../services.mjs";
export default { title: "Collections", library: "leaflet", techniques: ["Map", "Set", "JSON.parse", "generator", "sort"], level: 3, builds: ["esbuild", "vite"],
  services: [wms("http://wms.__ID__.example/geoserver/map/wms", "mapped"), xyz("http://tiles.__ID__.example/set/{z}/{x}/{y}.png"), geojson("http://data.__ID__.example/parsed.geojson"), wms("http://sorted.__ID__.example/wms/sorted", "sorted")] };
