// Tiles by URL template: XYZ and TileJSON, as images or vector tiles.

import { get as getProjection } from 'ol/proj';
import { createXYZ } from 'ol/tilegrid';
import { isUsableBox } from '../../lib/boundingBox';
import { t } from '../../lib/messages.svelte';
import { mapSystem, createTiledLayer } from './tiledLayer';
import { tileTemplate } from './requestUrls';
import { LayerError, type DrawnLayer, type LayerRequest } from './layerRequest';

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

export async function draw(request: LayerRequest): Promise<DrawnLayer> {
  const { record } = request;
  let known: TileJson = {};
  let template = tileTemplate(record.url, record.kind);
  if (record.kind === 'tilejson') {
    known = (await (await request.fetch(record.url, 'application/json')).json()) as TileJson;
    template = known.tiles?.[0] ? tileTemplate(new URL(known.tiles[0], record.url).href.replaceAll('%7B', '{').replaceAll('%7D', '}'), known.scheme === 'tms' ? 'tms' : 'xyz') : null;
  }
  if (!template) throw new LayerError(t('layer.template'));
  return { layer: createTileLayer(request, template, known, record.kind === 'mvt' || !!known.vector_layers), box: isUsableBox(known.bounds) ? known.bounds : undefined };
}

/** Creates a layer of tiles in the standard grid from a URL template. */
export function createTileLayer(request: LayerRequest, template: { template: string; flip: boolean }, known: { minzoom?: number; maxzoom?: number }, vector = false): ReturnType<typeof createTiledLayer> {
  const tiles = vector || isVector(template.template) ? 'vector' : 'map';
  const tileGrid = createXYZ({ minZoom: known.minzoom, maxZoom: known.maxzoom ?? (tiles === 'vector' ? 14 : 19), tileSize: tiles === 'vector' ? 512 : 256 });
  const address = ([z = 0, x = 0, y = 0]: number[]) =>
    template.template
      .replaceAll('{z}', String(z))
      .replaceAll('{x}', String(x))
      .replaceAll('{y}', String(template.flip ? 2 ** z - 1 - y : y));
  return createTiledLayer(request, { tiles, projection: getProjection(mapSystem)!, tileGrid, address });
}
