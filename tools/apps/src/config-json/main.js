import { Map, View } from "ol";
import ImageLayer from "ol/layer/Image.js";
import VectorLayer from "ol/layer/Vector.js";
import ImageWMS from "ol/source/ImageWMS.js";
import VectorSource from "ol/source/Vector.js";
import GeoJSON from "ol/format/GeoJSON.js";

const make = {
  wms: layer => new ImageLayer({ source: new ImageWMS({ url: layer.server, params: { LAYERS: layer.names.join(",") } }) }),
  wfs: layer => new VectorLayer({ source: new VectorSource({ format: new GeoJSON(), url: `${layer.server}?service=WFS&request=GetFeature&version=1.1.0&outputFormat=application/json&typeName=${layer.names[0]}` }) }),
};
const map = new Map({ target: "map", view: new View({ center: [1_100_000, 6_600_000], zoom: 8 }) });
const load = async name => (await fetch(name)).json();
load("data/viewer-config.json").then(config => config.groups.flatMap(group => group.layers).forEach(layer => map.addLayer(make[layer.type](layer))));
