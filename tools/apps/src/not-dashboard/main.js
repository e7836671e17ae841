const model = { url: "http://models.__ID__.example/v1", layers: [{ name: "input", units: 64 }, { name: "dense", units: 16 }], params: { layers: 2, format: "float32" } };
const total = model.layers.map(l => l.units).reduce((a, b) => a * b, 1);
const load = name => fetch(`${model.url}/${name}?format=json`).then(r => (r.ok ? r.json() : [])).catch(() => []);
Promise.all([load("layers"), load("features")]).then(([layers, features]) => {
  document.getElementById("map").textContent = `${total} weights, ${layers.length} layers, ${features.length} features`;
});
