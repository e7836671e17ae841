import servers from "./servers.js";
export async function counters(map) {
  const query = new URLSearchParams({ service: "WFS", version: "2.0.0", request: "GetFeature", typeNames: "bike:counters", outputFormat: "application/json" });
  const answer = await fetch(`${servers.wfs}?${query}`);
  if (answer.headers.get("content-type")?.includes("json")) L.geoJSON(await answer.json()).addTo(map);
}
