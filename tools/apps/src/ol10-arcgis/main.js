import { Map, View } from "ol";
import TileLayer from "ol/layer/Tile.js";
import ImageLayer from "ol/layer/Image.js";
import VectorLayer from "ol/layer/Vector.js";
import VectorSource from "ol/source/Vector.js";
import TileArcGISRest from "ol/source/TileArcGISRest.js";
import ImageArcGISRest from "ol/source/ImageArcGISRest.js";
import XYZ from "ol/source/XYZ.js";
import KML from "ol/format/KML.js";

const server = ["http://gis.__ID__.example", "arcgis", "rest", "services"];
const [parcels, zoning] = ["Parcels", "Zoning"].map(name => [...server, name, "MapServer"].join("/"));
new Map({
  target: "map",
  layers: [
    new TileLayer({ source: new XYZ({ url: "http://tiles.__ID__.example/shade/{z}/{x}/{y}.png" }) }),
    new TileLayer({ source: new TileArcGISRest({ url: parcels, params: { LAYERS: "show:0" } }) }),
    new ImageLayer({ source: new ImageArcGISRest({ url: zoning, ratio: 1, params: {} }) }),
    new VectorLayer({ source: new VectorSource({ url: "http://data.__ID__.example/tours.kml", format: new KML() }) }),
  ],
  view: new View({ center: [1_100_000, 6_600_000], zoom: 9 }),
});
