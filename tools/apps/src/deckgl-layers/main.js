const shared = { pickable: true, opacity: 0.8 };
new deck.DeckGL({
  container: "map", initialViewState: { longitude: 10, latitude: 50, zoom: 6 }, controller: true,
  layers: [
    new deck._WMSLayer({ ...shared, id: "wms", data: "http://wms.__ID__.example/ows/traffic", serviceType: "wms", layers: ["counts", "flows"] }),
    new deck.MVTLayer({ ...shared, id: "density", data: "http://tiles.__ID__.example/density/{z}/{x}/{y}.pbf", minZoom: 0, maxZoom: 12 }),
    new deck.GeoJsonLayer({ ...shared, id: "corridors", data: "http://data.__ID__.example/corridors.geojson", stroked: true }),
  ],
});
