import { wms, xyz } from "../../services.mjs";
export default { title: "Asked by GraphQL", library: "leaflet", techniques: ["graphql", "post"], level: 4, builds: ["vite", "esbuild"], base: "/",
  services: [wms("http://wms.__ID__.example/ows/graph", "graph:layer"), xyz("http://tiles.__ID__.example/graph/{z}/{x}/{y}.png")],
  endpoints: [{ method: "POST", path: "/graphql", requires: { body: "themes" },
    reply: { status: 200, content_type: "application/json", body: "{\"data\":{\"themes\":[{\"kind\":\"WMS\",\"address\":\"http://wms.__ID__.example/ows/graph\",\"layers\":[\"graph:layer\"]},{\"kind\":\"TILES\",\"address\":\"http://tiles.__ID__.example/graph/{z}/{x}/{y}.png\",\"layers\":[]}]}}" },
    otherwise: { status: 400, content_type: "application/json", body: "{\"errors\":[{\"message\":\"no query\"}]}" } }] };
