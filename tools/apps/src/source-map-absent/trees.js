import L from "leaflet";
const geoserver = { host: "wms.__ID__.example", workspaces: ["trees"] };
export const trees = map => L.tileLayer.wms(`http://${geoserver.host}/geoserver/${geoserver.workspaces[0]}/wms`, { layers: "trees:old", transparent: true }).addTo(map);
