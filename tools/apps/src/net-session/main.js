import { Map, View } from "ol";
import ImageLayer from "ol/layer/Image.js";
import ImageWMS from "ol/source/ImageWMS.js";

const map = new Map({ target: "map", view: new View({ center: [1_100_000, 6_600_000], zoom: 7 }) });
async function open() {
  const answer = await fetch("/api/session", { method: "POST", body: JSON.stringify({ app: "viewer" }), headers: { "content-type": "application/json" } });
  return (await answer.json()).token;
}
async function start(token) {
  const answer = await fetch("/api/layers", { headers: { authorization: `Bearer ${token}` } });
  for (const layer of (await answer.json()).layers) map.addLayer(new ImageLayer({ source: new ImageWMS({ url: layer.url, params: { LAYERS: layer.name } }) }));
}
open().then(start);
