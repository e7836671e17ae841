// TMS: its TileMap document says in which system its tiles are, where they begin and how large they are.

import { get as getProjection } from 'ol/proj';
import TileGrid from 'ol/tilegrid/TileGrid';
import { t } from '../../lib/messages.svelte';
import { tiledLayer } from './tiledLayer';
import { listedTileMap, readTileMap, tileOf, type TileMap } from './tileMap';
import { tileLayer } from './tiles';
import { tileTemplate } from './requestUrls';
import { LayerProblem, type Drawn, type Wish } from './layerRequest';
import { xmlText } from './xmlText';

export async function draw(wish: Wish): Promise<Drawn> {
  const { url } = wish.record;
  // Some are known by the addresses of their tiles alone.
  const template = tileTemplate(url, 'tms');
  if (template) return { layer: tileLayer(wish, template, {}) };
  const map = await tileMapAt(wish, url);
  const projection = getProjection(map.crs) ?? (await import('./crs')).projection(map.crs);
  const tileGrid = new TileGrid({ origin: map.origin, resolutions: map.levels.map((level) => level.resolution), tileSize: map.tileSize });
  const tiles = /^(pbf|mvt)$/i.test(map.ending) ? 'vector' : 'map';
  return { layer: tiledLayer(wish, { tiles, projection, tileGrid, address: (place) => tileOf(map, place) }) };
}

/** The TileMap of an address, or the wished one that a list there names. */
async function tileMapAt(wish: Wish, url: string): Promise<TileMap> {
  const read = async (address: string) => new DOMParser().parseFromString(await xmlText(await wish.ask(address, 'application/xml')), 'application/xml');
  const document = await read(url);
  const next = readTileMap(document, url) ? null : listedTileMap(document, url, wish.layer);
  const map = next ? readTileMap(await read(next), next) : readTileMap(document, url);
  if (!map) throw new LayerProblem(t('layer.template'));
  return map;
}
