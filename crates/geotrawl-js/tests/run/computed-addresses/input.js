// What folding cannot decide: loops, decoding, dates, functions of functions.
const rot = (text) => text.replace(/[a-z]/g, (c) => String.fromCharCode(((c.charCodeAt(0) - 97 + 13) % 26) + 97));
const hosts = {};
for (const [key, value] of Object.entries({ a: "uggcf://n.rknzcyr.bet" })) hosts[key] = rot(value);
const pipeline = [(u) => u + "/geo", (u) => u + "server", (u) => `${u}/wfs`];
new ol.source.Vector({ url: pipeline.reduce((u, step) => step(u), hosts.a) });
new google.maps.ImageMapType({ getTileUrl: (coord, zoom) => { const n = 1 << zoom; return `${hosts.a}/wms?REQUEST=GetMap&BBOX=${coord.x / n},${coord.y / n}`; } });
const parameters = new URLSearchParams({ service: "WMS", layers: "a,b" });
L.imageOverlay(new URL("map?" + parameters, hosts.a).href, [[0, 0], [1, 1]]);
