import { Map, View } from "ol";
import ImageLayer from "ol/layer/Image.js";
import VectorLayer from "ol/layer/Vector.js";
import ImageWMS from "ol/source/ImageWMS.js";
import VectorSource from "ol/source/Vector.js";
import GeoJSON from "ol/format/GeoJSON.js";

const settings = { _server: "http://wms.__ID__.example/geoserver/", _workspace: "ore", _mines: "http://wfs.__ID__.example/geoserver/ore/wfs" };
const _wmsUrl = ({ _server, _workspace }) => `${_server}${_workspace}/wms`;
const mines = `${settings._mines}?service=WFS&version=1.1.0&request=GetFeature&typeName=ore:mines&outputFormat=application/json`;
new Map({
  target: "map",
  layers: [new ImageLayer({ source: new ImageWMS({ url: _wmsUrl(settings), params: { LAYERS: "ore:copper" } }) }), new VectorLayer({ source: new VectorSource({ url: mines, format: new GeoJSON() }) })],
  view: new View({ center: [1_100_000, 6_600_000], zoom: 8 }),
});
