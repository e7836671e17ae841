// OGC API Tiles: the tiles of a collection or of the whole dataset, as pictures or as features.
//
// OpenLayers has sources that ask for all of this by themselves; they know neither the proxy nor words for people, and
// they want the register of tile matrix sets to be reachable. So the documents are read here, and its grid is used.

import { get as getProjection } from 'ol/proj';
import type Projection from 'ol/proj/Projection';
import { parseTileMatrixSet, type TileMatrixSet } from 'ol/source/ogcTileUtil';
import { t } from '../../lib/messages.svelte';
import { mapSystem, tiledLayer } from './tiledLayer';
import { bestFirst, isRegular, limitsOf, listsOf, matrixNameOf, schemeOf, selfOf, systemOf, templateOf, wellKnown, type Linked, type TileSet } from './tileSets';
import { below, withParams } from './requestUrls';
import { LayerProblem, type Drawn, type Wish } from './layerRequest';

/** One of the tile sets, with all that is needed to draw it. */
interface Ready {
  set: TileSet;
  url: string;
  template: NonNullable<ReturnType<typeof templateOf>>;
  matrices: TileMatrixSet;
  projection: Projection;
}

async function json<T>(wish: Wish, url: string): Promise<T> {
  return (await wish.ask(/[?&]f=/.test(url) ? url : withParams(url, { f: 'json' }), 'application/json')).json() as Promise<T>;
}

export async function draw(wish: Wish): Promise<Drawn> {
  const landing = wish.record.url.replace(/\/(collections|tiles)(\/.*)?$/, '');
  const about = wish.layer ? below(landing, 'collections', encodeURIComponent(wish.layer)) : landing;
  const said = await json<Linked>(wish, about).catch((): Linked => ({}));
  const usual = below(about, 'tiles');
  let problem: unknown = null;
  for (const list of listsOf(said, about, usual)) {
    try {
      const { tilesets = [] } = await json<{ tilesets?: TileSet[] }>(wish, list);
      for (const set of bestFirst(tilesets)) {
        const ready = await prepare(wish, set, list).catch((error: unknown) => void (problem ??= error));
        if (ready) return { layer: layerOf(wish, ready) };
      }
    } catch (error) {
      // Nobody said that there is anything at the usual place; but where the browser may not look, it may be there.
      if (list !== usual || (error instanceof LayerProblem && error.blocked)) problem ??= error;
    }
  }
  throw problem ?? new LayerProblem(t('layer.template'));
}

/** Everything about a set; null when it has no tiles that can be drawn here. */
async function prepare(wish: Wish, listed: TileSet, list: string): Promise<Ready | null> {
  let set = listed;
  let url = list;
  let template = templateOf(set);
  const self = selfOf(listed);
  if (!template && self) {
    url = new URL(self, list).href;
    // The list may know what the description leaves out.
    set = { ...listed, ...(await json<TileSet>(wish, url)) };
    template = templateOf(set);
  }
  if (!template) return null;
  const matrices = await matricesOf(wish, set, url);
  if (!matrices || !isRegular(matrices)) return null;
  const system = systemOf(matrices.crs) ?? systemOf(set.crs) ?? '?';
  // Features are not moved from one system to another, pictures are.
  if (template.tiles === 'vector' && system !== mapSystem) return null;
  const projection = getProjection(system) ?? (await import('./crs')).projection(system);
  return { set, url, template, matrices, projection };
}

async function matricesOf(wish: Wish, set: TileSet, url: string): Promise<TileMatrixSet | null> {
  if (set.tileMatrixSet?.tileMatrices) return set.tileMatrixSet;
  const name = matrixNameOf(set);
  const known = name ? wellKnown(name) : systemOf(set.crs) === mapSystem ? wellKnown('WebMercatorQuad') : null;
  if (known) return known;
  const scheme = schemeOf(set);
  return scheme ? json<TileMatrixSet>(wish, new URL(scheme, url).href) : null;
}

function layerOf(wish: Wish, { set, url, template, matrices, projection }: Ready): Drawn['layer'] {
  const context = { tileMatrixSetId: matrixNameOf(set) ?? matrices.id };
  const { grid, urlFunction } = parseTileMatrixSet({ url, projection, context }, matrices, template.href, limitsOf(set, matrices));
  const address = (place: number[]) => urlFunction?.(place, 1, projection);
  return tiledLayer(wish, { tiles: template.tiles, projection, tileGrid: grid, address });
}
