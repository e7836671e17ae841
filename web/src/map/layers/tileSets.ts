// What the documents of OGC API Tiles say: which tile sets there are, where their tiles are, and how they are cut.
// Pure, so that every rule has its test.

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

/** Pictures that a server drew, or features that are drawn here. */
export type TileContent = 'map' | 'vector';

const schemeRel = 'http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme';
const isJson = (link: DocumentLink) => !link.type || /json/i.test(link.type);
const links = (of: LinkedDocument): DocumentLink[] => (Array.isArray(of.links) ? of.links.filter((link) => typeof link?.href === 'string') : []);

/**
 * Where lists of tile sets may be, the best first: maps have the server's own style, features only ours. Servers that
 * say nothing have them below `tiles`.
 */
export function tileSetListUrls(about: LinkedDocument, url: string, otherwise: string): string[] {
  const found = ['tilesets-map', 'tilesets-vector'].flatMap((rel) => links(about).filter((link) => link.rel?.endsWith(rel) && isJson(link)).slice(0, 1));
  return [...new Set([...found.map((link) => new URL(link.href, url).href), otherwise])];
}

/** The template of the tiles that can be drawn, as the server wrote it; null when there are none. */
export function findTileTemplate(set: LinkedDocument): { href: string; tiles: TileContent } | null {
  // By the standard they are items; some call them what they are.
  const items = links(set).filter((link) => link.rel === 'item' || link.rel === 'tile');
  for (const type of ['image/png', 'image/webp', 'image/jpeg', 'image/']) {
    const link = items.find((one) => one.type?.startsWith(type) && !/tiff|svg/.test(one.type));
    if (link) return { href: link.href, tiles: 'map' };
  }
  const vector = items.find((one) => /mapbox-vector-tile|x-protobuf/.test(one.type ?? '')) ?? items.find((one) => !one.type && /\.(pbf|mvt)\b|f=(mvt|pbf)/.test(one.href));
  return vector ? { href: vector.href, tiles: 'vector' } : null;
}

/** Where a set is described at length; lists often say only the least. */
export function findSelfLink(set: LinkedDocument): string | undefined {
  const all = links(set).filter(isJson);
  return (all.find((link) => link.rel === 'self') ?? all.find((link) => /tileset(s-(map|vector))?$/.test(link.rel ?? '')))?.href;
}

/** Where the server itself tells how the set is cut. */
export function findSchemeLink(set: LinkedDocument): string | undefined {
  return links(set).find((link) => link.rel === schemeRel && isJson(link))?.href;
}

/** The name of the tile matrix set, from whichever member has it. */
export function matrixSetName(set: TileSet): string | null {
  const last = (uri: string | undefined) => uri?.split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1);
  return set.tileMatrixSetId ?? last(set.tileMatrixSetURI) ?? last(set.tileMatrixSetDefinition) ?? last(findSchemeLink(set)) ?? null;
}

/** The sets that can be drawn here, the map's own system first: others are moved over, which costs sharpness. */
export function sortTileSets(sets: TileSet[]): TileSet[] {
  const rank = (set: TileSet) => {
    const name = matrixSetName(set);
    const crs = parseSystem(name ? (registeredMatrixSet(name)?.crs ?? set.crs) : set.crs);
    if (name === 'WebMercatorQuad') return 0;
    return crs === 'EPSG:3857' ? 1 : crs === 'EPSG:4326' || crs === 'CRS:84' ? 2 : crs ? 3 : 4;
  };
  return sets.map((set, at) => ({ set, at, rank: rank(set) })).sort((a, b) => a.rank - b.rank || a.at - b.at).map((one) => one.set);
}

/** "EPSG:3857" of the ways that these documents write a system. */
export function parseSystem(crs: unknown): string | null {
  const text = typeof crs === 'string' ? crs : (crs as { uri?: unknown } | null | undefined)?.uri;
  return typeof text === 'string' ? normalizeCrs(text) : null;
}

/** Limits that speak of matrices which exist; null when none are given, so that all may be asked. */
export function usableLimits(set: TileSet, matrices: TileMatrixSet): TileMatrixSetLimit[] | undefined {
  const ids = new Set(matrices.tileMatrices.map((matrix) => matrix.id));
  const kept = set.tileMatrixSetLimits?.filter((limit) => ids.has(limit.tileMatrix));
  return kept?.length ? kept : undefined;
}

/** Rows of unequal width are not drawn by this map. */
export function hasRegularRows(matrices: TileMatrixSet): boolean {
  return Array.isArray(matrices.tileMatrices) && matrices.tileMatrices.length > 0 && matrices.tileMatrices.every((matrix) => !(matrix as { variableMatrixWidths?: unknown[] }).variableMatrixWidths?.length);
}

interface Square {
  crs: string;
  west: number;
  north: number;
  /** Width of one tile of the first level. */
  tile: number;
  columns: number;
  levels: number;
}

// The registered sets (OGC 17-083r4, annex D) that are made by halving. Servers refer to them by name, and the register
// is on another server still: neither that server nor the network need be there for what never changes.
const metres = 20_037_508.342789244;
const squares: Record<string, Square> = {
  WebMercatorQuad: { crs: 'EPSG:3857', west: -metres, north: metres, tile: 2 * metres, columns: 1, levels: 25 },
  WorldMercatorWGS84Quad: { crs: 'EPSG:3395', west: -metres, north: metres, tile: 2 * metres, columns: 1, levels: 25 },
  WorldCRS84Quad: { crs: 'CRS:84', west: -180, north: 90, tile: 180, columns: 2, levels: 24 },
  EuropeanETRS89_LAEAQuad: { crs: 'EPSG:3035', west: 2_000_000, north: 5_500_000, tile: 4_500_000, columns: 1, levels: 16 },
};

/** A registered tile matrix set by its name. */
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
