export const hosts = { maps: "wms.__ID__.example", data: "data.__ID__.example" };
export const url = (host, path) => `http://${host}/${path}`;
