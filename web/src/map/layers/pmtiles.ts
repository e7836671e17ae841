// PMTiles: one file of tiles, read by ranges.

import TileLayer from 'ol/layer/WebGLTile';
import VectorTileLayer from 'ol/layer/VectorTile';
import { PMTilesRasterSource, PMTilesVectorSource } from 'ol-pmtiles';
import { PMTiles } from 'pmtiles';
import { plainStyle } from './featureStyle';
import { whole, type Drawn, type Wish } from './layerRequest';

export async function draw(wish: Wish): Promise<Drawn> {
  const url = whole(wish);
  await wish.ask(wish.record.url, 'range');
  const header = await new PMTiles(url).getHeader();
  wish.loaded();
  const box: [number, number, number, number] = [header.minLon, header.minLat, header.maxLon, header.maxLat];
  // 1 is vector tiles; the others are kinds of pictures.
  if (header.tileType === 1) return { layer: new VectorTileLayer({ source: new PMTilesVectorSource({ url }), style: plainStyle(wish.colour), declutter: true }), box };
  return { layer: new TileLayer({ source: new PMTilesRasterSource({ url }) }), box };
}
