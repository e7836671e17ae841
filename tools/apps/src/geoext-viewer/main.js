Ext.onReady(function () {
  var store = new GeoExt.data.WMSCapabilitiesStore({ url: "http://wms1.__ID__.example/geoserver/ows?service=WMS", autoLoad: true });
  Ext.create("GeoExt.data.store.WfsCapabilities", { url: "http://wfs.__ID__.example/geoserver/wfs", autoLoad: true });
  var map = new OpenLayers.Map("map");
  new GeoExt.MapPanel({ title: "Map", map: map, layers: [new OpenLayers.Layer.WMS("Relief", "http://wms3.__ID__.example/wms/relief", { layers: "relief" })] });
  new gxp.Viewer({
    proxy: "/proxy?url=",
    sources: { local: { ptype: "gxp_wmscsource", url: "http://wms2.__ID__.example/geoserver/wms", version: "1.1.1" }, esri: { ptype: "gxp_arcgiscachesource", url: "http://gis.__ID__.example/arcgis/rest/services/Sdi/MapServer" } },
    map: { layers: [{ source: "local", name: "sdi:roads", group: "background" }] }
  });
  return store;
});
