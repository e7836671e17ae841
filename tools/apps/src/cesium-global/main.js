(async function () {
  const viewer = new Cesium.Viewer("map", { baseLayerPicker: false });
  const imagery = viewer.imageryLayers;
  const host = "wms.__ID__.example";
  imagery.addImageryProvider(new Cesium.WebMapServiceImageryProvider({ url: `http://${host}/geoserver/city/wms`, layers: "city:trees", parameters: { transparent: true, format: "image/png" } }));
  imagery.addImageryProvider(new Cesium.WebMapTileServiceImageryProvider({ url: new Cesium.Resource({ url: "http://wmts.__ID__.example/geoserver/gwc/service/wmts" }), layer: "city:ortho", style: "default", tileMatrixSetID: "WebMercatorQuad" }));
  imagery.addImageryProvider(await Cesium.ArcGisMapServerImageryProvider.fromUrl("http://gis.__ID__.example/arcgis/rest/services/City/MapServer"));
  imagery.addImageryProvider(new Cesium.UrlTemplateImageryProvider({ url: "http://tiles.__ID__.example/lidar/{z}/{x}/{y}.png" }));
  const files = { root: "http://data.__ID__.example/3d/", buildings: "buildings.geojson", views: "views.kml" };
  viewer.dataSources.add(await Cesium.GeoJsonDataSource.load(files.root + files.buildings));
  viewer.dataSources.add(await Cesium.KmlDataSource.load(files.root + files.views, { camera: viewer.camera }));
})();
