// Parses documents of OGC API Tiles: available tile sets, tile addresses and tile matrix sets.
// Pure, so that every rule is tested.

import type { TileMatrixSet, TileMatrixSetLimit } from 'ol/source/ogcTileUtil';
import { normalizeCrs } from './requestUrls';

export interface DocumentLink {
  rel?: string;
  href: string;
  type?: string;
}

export interface LinkedDocument {
  links?: DocumentLink[];
}

export interface TileSet extends LinkedDocument {
  crs?: string | { uri?: string };
  dataType?: string;
  tileMatrixSet?: TileMatrixSet;
  tileMatrixSetId?: string;
  tileMatrixSetURI?: string;
  tileMatrixSetDefinition?: string;
  tileMatrixSetLimits?: TileMatrixSetLimit[];
}

/** Images drawn by the server, or features drawn here. */
export type TileContent = 'map' | 'vector';

const schemeRel = 'http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme';
const isJson = (link: DocumentLink) => !link.type || /json/i.test(link.type);
const links = (of: LinkedDocument): DocumentLink[] => (Array.isArray(of.links) ? of.links.filter((link) => typeof link?.href === 'string') : []);

/**
 * Returns where tile set lists may be, best first: maps have the server's style, features only ours. Servers without
 * links have them below `tiles`.
 */
export function tileSetListUrls(about: LinkedDocument, url: string, otherwise: string): string[] {
  const found = ['tilesets-map', 'tilesets-vector'].flatMap((rel) => links(about).filter((link) => link.rel?.endsWith(rel) && isJson(link)).slice(0, 1));
  return [...new Set([...found.map((link) => new URL(link.href, url).href), otherwise])];
}

/** Returns the template of drawable tiles as written by the server; null if there are none. */
export function findTileTemplate(set: LinkedDocument): { href: string; tiles: TileContent } | null {
  // The standard uses the relation `item`; some servers use `tile`.
  const items = links(set).filter((link) => link.rel === 'item' || link.rel === 'tile');
  for (const type of ['image/png', 'image/webp', 'image/jpeg', 'image/']) {
    const link = items.find((one) => one.type?.startsWith(type) && !/tiff|svg/.test(one.type));
    if (link) return { href: link.href, tiles: 'map' };
  }
  const vector = items.find((one) => /mapbox-vector-tile|x-protobuf/.test(one.type ?? '')) ?? items.find((one) => !one.type && /\.(pbf|mvt)\b|f=(mvt|pbf)/.test(one.href));
  return vector ? { href: vector.href, tiles: 'vector' } : null;
}

/** Returns the link to the full description of a set; lists are often incomplete. */
export function findSelfLink(set: LinkedDocument): string | undefined {
  const all = links(set).filter(isJson);
  return (all.find((link) => link.rel === 'self') ?? all.find((link) => /tileset(s-(map|vector))?$/.test(link.rel ?? '')))?.href;
}

/** Returns the link to the tile matrix set on the server. */
export function findSchemeLink(set: LinkedDocument): string | undefined {
  return links(set).find((link) => link.rel === schemeRel && isJson(link))?.href;
}

/** Returns the name of the tile matrix set, from whichever member has it. */
export function matrixSetName(set: TileSet): string | null {
  const last = (uri: string | undefined) => uri?.split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1);
  return set.tileMatrixSetId ?? last(set.tileMatrixSetURI) ?? last(set.tileMatrixSetDefinition) ?? last(findSchemeLink(set)) ?? null;
}

/** Sorts drawable sets, the map's own system first: reprojection of others costs sharpness. */
export function sortTileSets(sets: TileSet[]): TileSet[] {
  const rank = (set: TileSet) => {
    const name = matrixSetName(set);
    const crs = parseSystem(name ? (registeredMatrixSet(name)?.crs ?? set.crs) : set.crs);
    if (name === 'WebMercatorQuad') return 0;
    return crs === 'EPSG:3857' ? 1 : crs === 'EPSG:4326' || crs === 'CRS:84' ? 2 : crs ? 3 : 4;
  };
  return sets.map((set, at) => ({ set, at, rank: rank(set) })).sort((a, b) => a.rank - b.rank || a.at - b.at).map((one) => one.set);
}

/** Normalizes the notations of a coordinate system in these documents to "EPSG:3857". */
export function parseSystem(crs: unknown): string | null {
  const text = typeof crs === 'string' ? crs : (crs as { uri?: unknown } | null | undefined)?.uri;
  return typeof text === 'string' ? normalizeCrs(text) : null;
}

/** Returns the limits of existing matrices; undefined if none are given, so that all tiles may be requested. */
export function usableLimits(set: TileSet, matrices: TileMatrixSet): TileMatrixSetLimit[] | undefined {
  const ids = new Set(matrices.tileMatrices.map((matrix) => matrix.id));
  const kept = set.tileMatrixSetLimits?.filter((limit) => ids.has(limit.tileMatrix));
  return kept?.length ? kept : undefined;
}

/** Checks that rows have equal width; others cannot be drawn. */
export function hasRegularRows(matrices: TileMatrixSet): boolean {
  return Array.isArray(matrices.tileMatrices) && matrices.tileMatrices.length > 0 && matrices.tileMatrices.every((matrix) => !(matrix as { variableMatrixWidths?: unknown[] }).variableMatrixWidths?.length);
}

interface Square {
  crs: string;
  west: number;
  north: number;
  /** Width of one tile at the first level. */
  tile: number;
  columns: number;
  levels: number;
}

// The registered tile matrix sets (OGC 17-083r4, annex D) with powers of two. Servers refer to them by name; they are
// built in so that the register on another server is not needed.
const metres = 20_037_508.342789244;
const squares: Record<string, Square> = {
  WebMercatorQuad: { crs: 'EPSG:3857', west: -metres, north: metres, tile: 2 * metres, columns: 1, levels: 25 },
  WorldMercatorWGS84Quad: { crs: 'EPSG:3395', west: -metres, north: metres, tile: 2 * metres, columns: 1, levels: 25 },
  WorldCRS84Quad: { crs: 'CRS:84', west: -180, north: 90, tile: 180, columns: 2, levels: 24 },
  EuropeanETRS89_LAEAQuad: { crs: 'EPSG:3035', west: 2_000_000, north: 5_500_000, tile: 4_500_000, columns: 1, levels: 16 },
};

/** Returns a registered tile matrix set by name. */
export function registeredMatrixSet(name: string): (TileMatrixSet & { crs: string }) | null {
  const square = Object.hasOwn(squares, name) ? squares[name] : undefined;
  if (!square) return null;
  const { crs, west, north, tile, columns, levels } = square;
  const tileMatrices = Array.from({ length: levels }, (_, level) => ({
    id: String(level),
    cellSize: tile / 256 / 2 ** level,
    pointOfOrigin: [west, north],
    cornerOfOrigin: 'topLeft' as const,
    matrixWidth: columns * 2 ** level,
    matrixHeight: 2 ** level,
    tileWidth: 256,
    tileHeight: 256,
  }));
  return { id: name, crs, orderedAxes: ['E', 'N'], tileMatrices };
}
