import L from "leaflet";
const map = L.map("map").setView([50, 10], 8);
const show = { WMS: t => L.tileLayer.wms(t.address, { layers: t.layers.join() }), TILES: t => L.tileLayer(t.address) };
fetch("/graphql", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ query: "{ themes { kind address layers } }" }) })
  .then(r => r.json())
  .then(({ data }) => data.themes.forEach(theme => show[theme.kind](theme).addTo(map)));
