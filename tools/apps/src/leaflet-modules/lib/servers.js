export const path = "/ows/cycling";
export default { wms: "http://wms.__ID__.example", wfs: "http://wfs.__ID__.example/geoserver/bike/ows" };
