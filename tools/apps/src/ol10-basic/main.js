import Map from "ol/Map.js";
import View from "ol/View.js";
import TileLayer from "ol/layer/Tile.js";
import ImageLayer from "ol/layer/Image.js";
import OSM from "ol/source/OSM.js";
import TileWMS from "ol/source/TileWMS.js";
import ImageWMS from "ol/source/ImageWMS.js";

new Map({
  target: "map",
  layers: [
    new TileLayer({ source: new OSM() }),
    new TileLayer({
      source: new TileWMS({
        url: "http://wms.__ID__.example/geoserver/topo/ows",
        params: { LAYERS: "topo:roads,topo:rivers", TILED: true },
        serverType: "geoserver",
      }),
    }),
    new ImageLayer({ source: new ImageWMS({ url: "http://karten.__ID__.example/dienste/luftbild", params: { LAYERS: "dop20" }, ratio: 1 }) }),
  ],
  view: new View({ center: [1_100_000, 6_600_000], zoom: 7 }),
});
