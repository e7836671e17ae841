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

interface TileSet {
  crs?: string;
  dataType?: string;
  tileMatrixSetURI?: string;
  links?: { rel: string; href: string; type?: string }[];
}

export async function draw(wish: Wish): Promise<Drawn> {
  const landing = wish.record.url.replace(/\/(collections|tiles)(\/.*)?$/, '');
  const list = wish.layer ? below(landing, 'collections', encodeURIComponent(wish.layer), 'tiles') : below(landing, 'tiles');
  const answer = (await (await wish.ask(withParams(list, { f: 'json' }), 'application/json')).json()) as { tilesets?: TileSet[] };
  const sets = answer.tilesets ?? [];
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
