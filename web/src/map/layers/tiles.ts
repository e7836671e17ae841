// Tiles by address: XYZ, TMS, TileJSON; pictures or vector tiles.

import MVT from 'ol/format/MVT';
import TileLayer from 'ol/layer/Tile';
import VectorTileLayer from 'ol/layer/VectorTile';
import VectorTile from 'ol/source/VectorTile';
import XYZ from 'ol/source/XYZ';
import type ImageTile from 'ol/ImageTile';
import { usable } from '../../lib/box';
import { t } from '../../lib/messages.svelte';
import { plainStyle } from './style';
import { tileTemplate, withParams } from './urls';
import { LayerProblem, type Drawn, type Wish } from './wish';

interface TileJson {
  tiles?: string[];
  scheme?: string;
  minzoom?: number;
  maxzoom?: number;
  bounds?: number[];
  attribution?: string;
  vector_layers?: unknown[];
}

const isVector = (url: string) => /\.(mvt|pbf)($|\?)/i.test(url);

export async function draw(wish: Wish): Promise<Drawn> {
  const { record } = wish;
  let known: TileJson = {};
  let template = tileTemplate(record.url, record.kind);
  if (record.kind === 'tilejson') {
    known = (await (await wish.ask(record.url, 'application/json')).json()) as TileJson;
    template = known.tiles?.[0] ? tileTemplate(new URL(known.tiles[0], record.url).href.replaceAll('%7B', '{').replaceAll('%7D', '}'), known.scheme === 'tms' ? 'tms' : 'xyz') : null;
  } else if (record.kind === 'tms' && !record.url.includes('{z}') && !record.url.includes('{Z}')) {
    template = await fromTileMap(wish);
  }
  if (!template) throw new LayerProblem(t('layer.template'));
  return { layer: tileLayer(wish, template, known, record.kind === 'mvt' || !!known.vector_layers), box: usable(known.bounds) ? known.bounds : undefined };
}

/** The TileMap document of a TMS says where its tiles are and what they are called. */
async function fromTileMap(wish: Wish): Promise<{ template: string; flip: boolean }> {
  const url = wish.layer && /^https?:/.test(wish.layer) ? wish.layer : wish.record.url;
  const document = new DOMParser().parseFromString(await (await wish.ask(url, 'application/xml')).text(), 'application/xml');
  const ending = document.querySelector('TileFormat')?.getAttribute('extension') ?? 'png';
  const sets = [...document.querySelectorAll('TileSet')];
  const next = document.querySelector('TileMap[href]')?.getAttribute('href');
  if (!sets.length && next) return { template: `${new URL(next, url).href.replace(/\/$/, '')}/{z}/{x}/{y}.${ending}`, flip: true };
  const first = sets[0]?.getAttribute('href');
  const base = first ? new URL(first, url.endsWith('/') ? url : `${url}/`).href.replace(/\/[^/]*\/?$/, '') : withParams(url, {}).replace(/\/(tilemapresource\.xml)?$/i, '');
  return { template: `${base}/{z}/{x}/{y}.${ending}`, flip: true };
}

export function tileLayer(wish: Wish, template: { template: string; flip: boolean }, known: { minzoom?: number; maxzoom?: number }, vector = false): TileLayer<XYZ> | VectorTileLayer {
  const address = (z: number, x: number, y: number) =>
    template.template
      .replaceAll('{z}', String(z))
      .replaceAll('{x}', String(x))
      .replaceAll('{y}', String(template.flip ? 2 ** z - 1 - y : y));
  const limits = { minZoom: known.minzoom, maxZoom: known.maxzoom ?? 19 };
  const tileUrlFunction = ([z = 0, x = 0, y = 0]: number[]) => wish.via(address(z, x, y));
  if (vector || isVector(template.template)) {
    const source = new VectorTile({ format: new MVT(), tileUrlFunction, ...limits, maxZoom: known.maxzoom ?? 14 });
    source.on('tileloadend', () => wish.loaded());
    source.on('tileloaderror', () => wish.failed(address(0, 0, 0)));
    return new VectorTileLayer({ source, style: plainStyle(wish.colour), declutter: true });
  }
  const source = new XYZ({ tileUrlFunction, ...limits, tileLoadFunction: (tile, url) => ((tile as ImageTile).getImage() as HTMLImageElement).setAttribute('src', url) });
  source.on('tileloadend', () => wish.loaded());
  source.on('tileloaderror', () => wish.failed(address(0, 0, 0)));
  return new TileLayer({ source });
}
