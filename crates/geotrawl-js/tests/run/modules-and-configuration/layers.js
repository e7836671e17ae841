import { Tile } from "ol/layer";
import TileWMS from "ol/source/TileWMS";
export function layerOf(server, { name }) {
  return new Tile({ source: new TileWMS({ url: `${server.host}/${server.path}`, params: { LAYERS: name } }) });
}
