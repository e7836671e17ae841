mapboxgl.accessToken = "no-token";
var avalanche = "http://wms.__ID__.example/cgi-bin/mapserv?map=/m/avalanche.map";
var map = new mapboxgl.Map({
  container: "map", center: [9, 47], zoom: 6,
  style: {
    version: 8,
    sources: {
      slope: { type: "raster", tiles: ["http://tiles.__ID__.example/slope/{z}/{x}/{y}.png"], tileSize: 256 },
      danger: { type: "raster", tiles: [avalanche + "&SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=danger&STYLES=&SRS=EPSG:3857&BBOX={bbox-epsg-3857}&WIDTH=256&HEIGHT=256&FORMAT=image/png"], tileSize: 256 }
    },
    layers: [{ id: "slope", type: "raster", source: "slope" }, { id: "danger", type: "raster", source: "danger" }]
  }
});
