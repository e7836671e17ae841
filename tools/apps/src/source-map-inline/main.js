import L from "leaflet";
const settings = { _scheme: "http", _host: "wms.__ID__.example", _path: "/ows/springs" };
L.tileLayer.wms(`${settings._scheme}://${settings._host}${settings._path}`, { layers: "springs" }).addTo(L.map("map").setView([50, 10], 8));
