// TMS: its TileMap document gives the coordinate system, origin and size of the tiles.

import { get as getProjection } from 'ol/proj';
import TileGrid from 'ol/tilegrid/TileGrid';
import { t } from '../../lib/messages.svelte';
import { createTiledLayer } from './tiledLayer';
import { findListedTileMap, readTileMap, tileMapTileUrl, type TileMap } from './tileMap';
import { createTileLayer } from './tiles';
import { tileTemplate } from './requestUrls';
import { LayerError, type DrawnLayer, type LayerRequest } from './layerRequest';
import { readXmlText } from './xmlText';

export async function draw(request: LayerRequest): Promise<DrawnLayer> {
  const { url } = request.record;
  // Some services are known only by the address of their tiles.
  const template = tileTemplate(url, 'tms');
  if (template) return { layer: createTileLayer(request, template, {}) };
  const map = await tileMapAt(request, url);
  const projection = getProjection(map.crs) ?? (await import('./crs')).findProjection(map.crs);
  const tileGrid = new TileGrid({ origin: map.origin, resolutions: map.levels.map((level) => level.resolution), tileSize: map.tileSize });
  const tiles = /^(pbf|mvt)$/i.test(map.ending) ? 'vector' : 'map';
  return { layer: createTiledLayer(request, { tiles, projection, tileGrid, address: (place) => tileMapTileUrl(map, place) }) };
}

/** Loads the TileMap at an address, or the requested one from a service document. */
async function tileMapAt(request: LayerRequest, url: string): Promise<TileMap> {
  const read = async (address: string) => new DOMParser().parseFromString(await readXmlText(await request.fetch(address, 'application/xml')), 'application/xml');
  const document = await read(url);
  const next = readTileMap(document, url) ? null : findListedTileMap(document, url, request.layer);
  const map = next ? readTileMap(await read(next), next) : readTileMap(document, url);
  if (!map) throw new LayerError(t('layer.template'));
  return map;
}
