import TileLayer from "ol/layer/Tile.js";
import VectorLayer from "ol/layer/Vector.js";
import VectorSource from "ol/source/Vector.js";
import TileWMS from "ol/source/TileWMS.js";
import WMTS from "ol/source/WMTS.js";
import WMTSTileGrid from "ol/tilegrid/WMTS.js";
import GeoJSON from "ol/format/GeoJSON.js";
import { bbox } from "ol/loadingstrategy.js";
import config, { BASE, workspaces } from "./config.js";

const resolutions = Array.from({ length: 12 }, (_, z) => 156543.03392804097 / 2 ** z);
const tileGrid = new WMTSTileGrid({ origin: [-20037508.34, 20037508.34], resolutions, matrixIds: resolutions.map((_, z) => String(z)) });

export function lakes() {
  return new TileLayer({ source: new TileWMS({ url: `${BASE}/${workspaces.water}/wms`, params: { LAYERS: "water:lakes" } }) });
}

export const base = () =>
  new TileLayer({ source: new WMTS({ url: config.services.wmts, layer: "water:base", matrixSet: "WebMercatorQuad", format: "image/png", style: "default", tileGrid }) });

export const gauges = () =>
  new VectorLayer({
    source: new VectorSource({
      format: new GeoJSON(),
      strategy: bbox,
      url: extent =>
        `${BASE}/${workspaces.water}/wfs?service=WFS&version=1.1.0&request=GetFeature&typename=water:gauges&outputFormat=application/json&srsname=EPSG:3857&bbox=${extent.join(",")},EPSG:3857`,
    }),
  });
