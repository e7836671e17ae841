// OGC API Tiles: the web mercator tile set of a collection or of the whole dataset, as pictures or vector tiles.

import MVT from 'ol/format/MVT';
import TileLayer from 'ol/layer/Tile';
import VectorTileLayer from 'ol/layer/VectorTile';
import OGCMapTile from 'ol/source/OGCMapTile';
import OGCVectorTile from 'ol/source/OGCVectorTile';
import { t } from '../../lib/messages.svelte';
import { plainStyle } from './style';
import { below, crsCode, withParams } from './urls';
import { LayerProblem, type Drawn, type Wish } from './wish';

interface Linked {
  links?: { rel: string; href: string; type?: string }[];
}

interface TileSet extends Linked {
  crs?: string;
  dataType?: string;
  tileMatrixSetURI?: string;
}

async function json<T>(wish: Wish, url: string): Promise<T> {
  return (await wish.ask(withParams(url, { f: 'json' }), 'application/json')).json() as Promise<T>;
}

/** Where the tile sets of a layer are listed: as its collection or the landing page says, else where most servers have them. */
async function listOf(wish: Wish, landing: string): Promise<string> {
  const about = wish.layer ? below(landing, 'collections', encodeURIComponent(wish.layer)) : landing;
  const { links = [] } = await json<Linked>(wish, about).catch((): Linked => ({}));
  for (const kind of ['tilesets-vector', 'tilesets-map']) {
    const link = links.find((one) => one.rel.endsWith(kind) && !/html/.test(one.type ?? ''));
    if (link) return new URL(link.href, about).href;
  }
  return below(about, 'tiles');
}

export async function draw(wish: Wish): Promise<Drawn> {
  const landing = wish.record.url.replace(/\/(collections|tiles)(\/.*)?$/, '');
  const list = await listOf(wish, landing);
  const sets = (await json<{ tilesets?: TileSet[] }>(wish, list)).tilesets ?? [];
  const set = sets.find((one) => /WebMercatorQuad$/.test(one.tileMatrixSetURI ?? '') || crsCode(one.crs ?? '') === 'EPSG:3857') ?? sets[0];
  const self = set?.links?.find((one) => one.rel === 'self' || one.rel.endsWith('tileset') || one.rel.includes('tilesets-'))?.href;
  if (!set || !self) throw new LayerProblem(t('layer.template'));
  if (wish.proxied) throw new LayerProblem(t('layer.noproxy'));
  const url = new URL(self, list).href;
  if (set.dataType === 'vector' || (!set.dataType && set.links?.some((one) => one.type?.includes('mapbox')))) {
    const source = new OGCVectorTile({ url, format: new MVT() });
    source.on('tileloadend', () => wish.loaded());
    source.on('tileloaderror', () => wish.failed(url));
    return { layer: new VectorTileLayer({ source, style: plainStyle(wish.colour) }) };
  }
  const source = new OGCMapTile({ url });
  source.on('tileloadend', () => wish.loaded());
  source.on('tileloaderror', () => wish.failed(url));
  return { layer: new TileLayer({ source }) };
}
