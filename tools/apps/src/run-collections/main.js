import L from "leaflet";
const registry = new Map([["host", "wms.__ID__.example"], ["path", ["geoserver", "map", "wms"]]]);
registry.set("scheme", "http");
const seen = new Set(["http:", "", "tiles.__ID__.example", "set", "{z}", "{x}", "{y}.png"]);
const hex = "@hex{{[1,{"source":"http://data.__ID__.example/parsed.geojson"}]}}";
const [, parsed] = JSON.parse(decodeURIComponent(hex.replace(/../g, "%$&")));
function* parts() { yield "http://"; yield* ["sorted", ".", "__ID__", ".example"]; yield "/wms/sorted"; }
const order = [...parts()].map((text, at) => ({ at: (at * 3) % 7, text })).sort((a, b) => ((a.at * 5) % 7) - ((b.at * 5) % 7));
const map = L.map("map").setView([50, 10], 7);
L.tileLayer([...seen].join("/")).addTo(map);
L.tileLayer.wms(`${registry.get("scheme")}://${registry.get("host")}/${registry.get("path").join("/")}`, { layers: "mapped" }).addTo(map);
L.tileLayer.wms(order.map(part => part.text).join(""), { layers: "sorted" }).addTo(map);
fetch(parsed.source).then(r => r.json()).then(data => L.geoJSON(data).addTo(map));
