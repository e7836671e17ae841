import { Map, View } from "ol";
import ImageLayer from "ol/layer/Image.js";
import ImageWMS from "ol/source/ImageWMS.js";

const map = new Map({ target: "map", view: new View({ center: [1_100_000, 6_600_000], zoom: 7 }) });
const { token } = await_(await_post("/api/session"));
function await_(promise) { const box = {}; promise.then(value => { box.token = value.token; start(value.token); }); return box; }
async function await_post(url) { return (await fetch(url, { method: "POST", body: JSON.stringify({ app: "viewer" }), headers: { "content-type": "application/json" } })).json(); }
async function start(token) {
  const answer = await fetch("/api/layers", { headers: { authorization: `Bearer ${token}` } });
  for (const layer of (await answer.json()).layers) map.addLayer(new ImageLayer({ source: new ImageWMS({ url: layer.url, params: { LAYERS: layer.name } }) }));
}
export { token };
