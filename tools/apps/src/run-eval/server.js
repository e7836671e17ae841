const root = "http://wms.__ID__.example/geoserver";
export const server = workspace => `${root}/${workspace}/wms`;
