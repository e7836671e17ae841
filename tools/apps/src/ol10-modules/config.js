const HOST = "wms.__ID__.example";
export const BASE = `http://${HOST}/geoserver`;
export const workspaces = { water: "water", soil: "soil" };
export default { title: "Water", services: { wmts: `${BASE}/gwc/service/wmts` } };
