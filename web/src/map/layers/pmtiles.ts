// PMTiles: one file of tiles, read by ranges.

import TileLayer from 'ol/layer/WebGLTile';
import VectorTileLayer from 'ol/layer/VectorTile';
import { PMTilesRasterSource, PMTilesVectorSource } from 'ol-pmtiles';
import { PMTiles } from 'pmtiles';
import { plainStyle } from './featureStyle';
import { absoluteRecordUrl, type DrawnLayer, type LayerRequest } from './layerRequest';

export async function draw(wish: LayerRequest): Promise<DrawnLayer> {
  const url = absoluteRecordUrl(wish);
  await wish.fetch(wish.record.url, 'range');
  const header = await new PMTiles(url).getHeader();
  wish.loadFinished();
  const box: [number, number, number, number] = [header.minLon, header.minLat, header.maxLon, header.maxLat];
  // 1 is vector tiles; the others are kinds of pictures.
  if (header.tileType === 1) return { layer: new VectorTileLayer({ source: new PMTilesVectorSource({ url }), style: plainStyle(wish.colour), declutter: true }), box };
  return { layer: new TileLayer({ source: new PMTilesRasterSource({ url }) }), box };
}
