// Parses TileMap documents (TMS 1.0.0, also of gdal2tiles). Pure except for the parsed document.

import { normalizeCrs } from './requestUrls';

export interface TileMap {
  crs: string;
  /** Origin of rows and columns, in the south-west. */
  origin: [number, number];
  tileSize: [number, number];
  ending: string;
  /** Units per pixel and tile address of each level, coarsest first. */
  levels: { resolution: number; url: string }[];
}

/** The part of a parsed document that is used here. */
export interface TileMapElement {
  querySelector(name: string): { getAttribute(name: string): string | null; textContent: string | null } | null;
  querySelectorAll(name: string): Iterable<{ getAttribute(name: string): string | null }>;
}

const metres = 20_037_508.342789244;

/** Returns the address of a map in a service document: the one with this name (end of its address, or title), else the first. */
export function findListedTileMap(document: TileMapElement, url: string, name: string): string | null {
  const maps = [...document.querySelectorAll('TileMap')].filter((map) => map.getAttribute('href'));
  const ending = (map: (typeof maps)[number]) => decodeURIComponent(map.getAttribute('href')!.replace(/\/$/, '').split('/').at(-1) ?? '');
  const map = maps.find((one) => ending(one) === name) ?? maps.find((one) => one.getAttribute('title') === name) ?? maps[0];
  return map ? new URL(map.getAttribute('href')!, url).href : null;
}

/** Parses a TileMap; returns null if it has no levels. */
export function readTileMap(document: TileMapElement, url: string): TileMap | null {
  const number = (element: string, attribute: string, otherwise: number) => {
    const value = Number.parseFloat(document.querySelector(element)?.getAttribute(attribute) ?? '');
    return Number.isFinite(value) ? value : otherwise;
  };
  const profile = document.querySelector('TileSets')?.getAttribute('profile') ?? '';
  const srs = document.querySelector('SRS')?.textContent?.trim() ?? '';
  // The two profiles cover the whole world. Old writers swap the axes of the origin, so use the definition of the profile.
  const mercator = /mercator/i.test(profile) || !srs || normalizeCrs(srs) === 'EPSG:3857';
  const geodetic = /geodetic/i.test(profile);
  const crs = mercator ? 'EPSG:3857' : geodetic ? 'EPSG:4326' : normalizeCrs(srs);
  const whole = /global|mercator|geodetic/i.test(profile);
  const origin: [number, number] =
    whole && mercator ? [-metres, -metres] : whole && geodetic ? [-180, -90] : [number('Origin', 'x', number('BoundingBox', 'minx', -metres)), number('Origin', 'y', number('BoundingBox', 'miny', -metres))];
  // Addresses of levels are absolute, or relative to the folder of the document (the address may be a file or the folder).
  const folder = /\.\w+$/.test(new URL(url).pathname) || url.endsWith('/') ? url : `${url}/`;
  const levels = [...document.querySelectorAll('TileSet')]
    .map((set) => ({ resolution: Number.parseFloat(set.getAttribute('units-per-pixel') ?? ''), url: new URL(set.getAttribute('href') ?? '', folder).href.replace(/\/$/, '') }))
    .filter((level) => level.resolution > 0)
    .sort((a, b) => b.resolution - a.resolution);
  if (!levels.length) return null;
  return { crs, origin, levels, tileSize: [number('TileFormat', 'width', 256), number('TileFormat', 'height', 256)], ending: document.querySelector('TileFormat')?.getAttribute('extension') || 'png' };
}

/** Returns the address of a tile. The map counts rows down from the origin, a TileMap up. */
export function tileMapTileUrl(map: TileMap, [level = 0, column = 0, row = 0]: number[]): string | undefined {
  const at = map.levels[level];
  return at && `${at.url}/${column}/${-row - 1}.${map.ending}`;
}
