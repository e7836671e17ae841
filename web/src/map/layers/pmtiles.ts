// PMTiles: one file of tiles, read with range requests.

import TileLayer from 'ol/layer/WebGLTile';
import VectorTileLayer from 'ol/layer/VectorTile';
import { PMTilesRasterSource, PMTilesVectorSource } from 'ol-pmtiles';
import { PMTiles } from 'pmtiles';
import { plainStyle } from './featureStyle';
import { absoluteRecordUrl, type DrawnLayer, type LayerRequest } from './layerRequest';

export async function draw(request: LayerRequest): Promise<DrawnLayer> {
  const url = absoluteRecordUrl(request);
  await request.fetch(request.record.url, 'range');
  const header = await new PMTiles(url).getHeader();
  request.loadFinished();
  const box: [number, number, number, number] = [header.minLon, header.minLat, header.maxLon, header.maxLat];
  // Tile type 1 is vector tiles; the others are image formats.
  if (header.tileType === 1) return { layer: new VectorTileLayer({ source: new PMTilesVectorSource({ url }), style: plainStyle(request.colour), declutter: true }), box };
  return { layer: new TileLayer({ source: new PMTilesRasterSource({ url }) }), box };
}
