import maplibregl from "maplibre-gl";

const map = new maplibregl.Map({ container: "map", center: [10, 50], zoom: 5, style: { version: 8, sources: {}, layers: [] } });
const params = { service: "WMS", version: "1.1.1", request: "GetMap", srs: "EPSG:3857", width: 256, height: 256, format: "image/png", transparent: "true", layers: "heat:depth", styles: "" };
map.on("load", () => {
  const query = Object.entries(params).map(([key, value]) => key + "=" + encodeURIComponent(value)).join("&");
  map.addSource("heat", { type: "raster", tileSize: 256, tiles: ["http://wms.__ID__.example/geoserver/heat/wms?bbox={bbox-epsg-3857}&" + query] });
  map.addLayer({ id: "heat", type: "raster", source: "heat" });
  map.addSource("cells", { type: "vector", tiles: ["http://tiles.__ID__.example/data/heat/{z}/{x}/{y}.pbf"] });
  map.addLayer({ id: "cells", type: "line", source: "cells", "source-layer": "cells" });
  map.addSource("wells", { type: "geojson", data: "http://data.__ID__.example/wells.geojson" });
  map.addLayer({ id: "wells", type: "circle", source: "wells" });
});
