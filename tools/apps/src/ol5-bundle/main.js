import Map from "ol5/Map.js";
import View from "ol5/View.js";
import Tile from "ol5/layer/Tile.js";
import TileWMS from "ol5/source/TileWMS.js";

const Geology = { urls: { wms: "http://wms.__ID__.example/ows/geology" }, layers: ["gk100", "faults"] };
const sources = Geology.layers.map(name => new TileWMS({ urls: [Geology.urls.wms], params: { LAYERS: name } }));
new Map({ target: "map", layers: sources.map(source => new Tile({ source })), view: new View({ center: [1_100_000, 6_600_000], zoom: 7 }) });
