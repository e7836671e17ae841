import { Feature, Map, View } from "ol";
import Point from "ol/geom/Point.js";
import TileLayer from "ol/layer/Tile.js";
import VectorLayer from "ol/layer/Vector.js";
import OSM from "ol/source/OSM.js";
import VectorSource from "ol/source/Vector.js";
new Map({ target: "map", layers: [new TileLayer({ source: new OSM() }), new VectorLayer({ source: new VectorSource({ features: [new Feature(new Point([1_100_000, 7_100_000]))] }) })], view: new View({ center: [1_100_000, 7_100_000], zoom: 9 }) });
