const geoserver = "http://wms.__ID__.example/geoserver/edu";
export const education = {
  features: "http://gis.__ID__.example/arcgis/rest/services/Education/FeatureServer/0",
  wms: geoserver + "/wms",
  get wfs() { return "http://wfs.__ID__.example/geoserver/edu/wfs"; },
};
