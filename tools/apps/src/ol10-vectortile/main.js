import { Map, View } from "ol";
import TileLayer from "ol/layer/Tile.js";
import VectorTileLayer from "ol/layer/VectorTile.js";
import VectorTile from "ol/source/VectorTile.js";
import TileJSON from "ol/source/TileJSON.js";
import MVT from "ol/format/MVT.js";

const defaults = { format: new MVT(), maxZoom: 14 };
const vector = (name, root = "http://tiles.__ID__.example") => new VectorTileLayer({ source: new VectorTile({ ...defaults, url: root + "/" + name + "/{z}/{x}/{y}.pbf" }) });
new Map({
  target: "map",
  layers: [new TileLayer({ source: new TileJSON({ url: "http://tiles.__ID__.example/relief.json", crossOrigin: "anonymous" }) }), vector("landcover")],
  view: new View({ center: [1_100_000, 6_600_000], zoom: 5 }),
});
