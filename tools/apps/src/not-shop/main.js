// A shop: words of maps without a map.
const api = "http://api.__ID__.example";
class Wms { constructor({ url, params }) { this.url = url; this.params = params; } stock(article) { return fetch(`${this.url}?article=${article}&${new URLSearchParams(this.params)}`); } }
const warehouse = new Wms({ url: `${api}/wms/stock`, params: { service: "stock", request: "levels" } });
const layers = ["base layer", "mid layer", "shell"];
const catalogue = { type: "layers", url: api + "/v2/layers", format: "json", map: new Map(), tiles: [], style: "grid" };
async function products() {
  const answer = await fetch(catalogue.url).catch(() => null);
  const list = answer?.ok ? await answer.json() : layers.map((name, id) => ({ id, name, price: 40 + id * 25 }));
  list.map(p => catalogue.map.set(p.id, p));
  document.getElementById("map").innerHTML = list.map(p => `<article data-id="${p.id}"><h2>${p.name}</h2><p>${p.price} €</p></article>`).join("");
}
fetch(api + "/catalog/features.json").then(r => r.json()).then(f => console.log("features", f)).catch(() => {});
products();
document.addEventListener("click", e => { const id = e.target.closest?.("article")?.dataset.id; if (id) warehouse.stock(id).catch(() => {}); });
