// OGC API Tiles: tiles of a collection or of the whole dataset, as images or features.
//
// The OpenLayers sources for this protocol do not support the proxy or user-readable errors, and need the register
// of tile matrix sets to be reachable. So the documents are parsed here; only the OpenLayers grid is used.

import { get as getProjection } from 'ol/proj';
import type Projection from 'ol/proj/Projection';
import { parseTileMatrixSet, type TileMatrixSet } from 'ol/source/ogcTileUtil';
import { t } from '../../lib/messages.svelte';
import { mapSystem, createTiledLayer } from './tiledLayer';
import { sortTileSets, hasRegularRows, usableLimits, tileSetListUrls, matrixSetName, findSchemeLink, findSelfLink, parseSystem, findTileTemplate, registeredMatrixSet, type LinkedDocument, type TileSet } from './tileSets';
import { appendPath, setParams } from './requestUrls';
import { LayerError, type DrawnLayer, type LayerRequest } from './layerRequest';

/** A tile set with everything needed to draw it. */
interface Ready {
  set: TileSet;
  url: string;
  template: NonNullable<ReturnType<typeof findTileTemplate>>;
  matrices: TileMatrixSet;
  projection: Projection;
}

async function json<T>(request: LayerRequest, url: string): Promise<T> {
  return (await request.fetch(/[?&]f=/.test(url) ? url : setParams(url, { f: 'json' }), 'application/json')).json() as Promise<T>;
}

export async function draw(request: LayerRequest): Promise<DrawnLayer> {
  const landing = request.record.url.replace(/\/(collections|tiles)(\/.*)?$/, '');
  const about = request.layer ? appendPath(landing, 'collections', encodeURIComponent(request.layer)) : landing;
  const said = await json<LinkedDocument>(request, about).catch((): LinkedDocument => ({}));
  const usual = appendPath(about, 'tiles');
  let problem: unknown = null;
  for (const list of tileSetListUrls(said, about, usual)) {
    try {
      const { tilesets = [] } = await json<{ tilesets?: TileSet[] }>(request, list);
      for (const set of sortTileSets(tilesets)) {
        const ready = await prepare(request, set, list).catch((error: unknown) => void (problem ??= error));
        if (ready) return { layer: layerOf(request, ready) };
      }
    } catch (error) {
      // The usual path is a guess, so ignore failures there, except when the browser was blocked.
      if (list !== usual || (error instanceof LayerError && error.blocked)) problem ??= error;
    }
  }
  throw problem ?? new LayerError(t('layer.template'));
}

/** Completes the description of a set; returns null if it has no drawable tiles. */
async function prepare(request: LayerRequest, listed: TileSet, list: string): Promise<Ready | null> {
  let set = listed;
  let url = list;
  let template = findTileTemplate(set);
  const self = findSelfLink(listed);
  if (!template && self) {
    url = new URL(self, list).href;
    // The list may have members that the description leaves out.
    set = { ...listed, ...(await json<TileSet>(request, url)) };
    template = findTileTemplate(set);
  }
  if (!template) return null;
  const matrices = await matricesOf(request, set, url);
  if (!matrices || !hasRegularRows(matrices)) return null;
  const system = parseSystem(matrices.crs) ?? parseSystem(set.crs) ?? '?';
  // Vector tiles cannot be reprojected, images can.
  if (template.tiles === 'vector' && system !== mapSystem) return null;
  const projection = getProjection(system) ?? (await import('./crs')).findProjection(system);
  return { set, url, template, matrices, projection };
}

async function matricesOf(request: LayerRequest, set: TileSet, url: string): Promise<TileMatrixSet | null> {
  if (set.tileMatrixSet?.tileMatrices) return set.tileMatrixSet;
  const name = matrixSetName(set);
  const known = name ? registeredMatrixSet(name) : parseSystem(set.crs) === mapSystem ? registeredMatrixSet('WebMercatorQuad') : null;
  if (known) return known;
  const scheme = findSchemeLink(set);
  return scheme ? json<TileMatrixSet>(request, new URL(scheme, url).href) : null;
}

function layerOf(request: LayerRequest, { set, url, template, matrices, projection }: Ready): DrawnLayer['layer'] {
  const context = { tileMatrixSetId: matrixSetName(set) ?? matrices.id };
  const { grid, urlFunction } = parseTileMatrixSet({ url, projection, context }, matrices, template.href, usableLimits(set, matrices));
  const address = (place: number[]) => urlFunction?.(place, 1, projection);
  return createTiledLayer(request, { tiles: template.tiles, projection, tileGrid: grid, address });
}
