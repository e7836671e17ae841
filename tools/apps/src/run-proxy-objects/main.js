import L from "leaflet";
const servers = new Proxy({}, { get: (_, name) => `http://wms.__ID__.example/geoserver/${String(name).toLowerCase()}/wms` });
const address = (strings, ...values) => strings.raw.map((s, i) => s.toLowerCase() + (values[i] ?? "")).join("");
const holder = {};
Object.defineProperty(holder, "url", { get() { return "http://{0}.__ID__.example/{1}/{0}".replace(/\{(\d)\}/g, (_, n) => ["callback", "wms"][+n]); } });
const map = L.map("map").setView([50, 10], 7);
L.tileLayer.wms(servers.PROXY, { layers: "proxy" }).addTo(map);
L.tileLayer.wms(address`HTTP://TAGGED.${"__ID__"}.EXAMPLE/OWS/TAGGED`, { layers: "tagged" }).addTo(map);
L.tileLayer.wms(holder.url, { layers: "callback" }).addTo(map);
