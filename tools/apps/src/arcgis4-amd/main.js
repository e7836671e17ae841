require(["esri/config", "esri/Map", "esri/views/MapView", "esri/layers/FeatureLayer", "esri/layers/MapImageLayer", "esri/layers/WMSLayer", "esri/layers/GeoJSONLayer"],
  (esriConfig, Map, MapView, FeatureLayer, MapImageLayer, WMSLayer, GeoJSONLayer) => {
    const portal = { org: "a1B2c3", host: "services.__ID__.example" };
    const map = new Map({
      basemap: "gray-vector",
      layers: [
        new MapImageLayer({ url: "http://gis.__ID__.example/server/rest/services/Police/MapServer", sublayers: [{ id: 0, visible: true }] }),
        new FeatureLayer({ url: `http://${portal.host}/${portal.org}/arcgis/rest/services/Incidents/FeatureServer/0`, outFields: ["*"], popupTemplate: { title: "{TYPE}" } }),
      ],
    });
    map.addMany([new WMSLayer({ url: "http://wms.__ID__.example/ows/districts", sublayers: [{ name: "districts" }] }), new GeoJSONLayer({ url: "http://data.__ID__.example/open/cameras.geojson" })]);
    new MapView({ container: "map", map, center: [8, 50], zoom: 9 });
  });
