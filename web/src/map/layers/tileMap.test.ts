import { describe, expect, it } from 'vitest';
import { findListedTileMap, readTileMap, tileMapTileUrl, type TileMapElement } from './tileMap';

type Attributes = Record<string, string>;

/** Creates a document with the few members that are used of a parsed one. */
function parsed(elements: [name: string, attributes: Attributes, text?: string][]): TileMapElement {
  const made = elements.map(([name, attributes, text = '']) => ({ name, attributes, getAttribute: (key: string) => attributes[key] ?? null, textContent: text }));
  const matching = (selector: string) => {
    const [, name, key] = /^(\w+)(?:\[(\w+)\])?$/.exec(selector)!;
    return made.filter((one) => one.name === name && (!key || key in one.attributes));
  };
  return { querySelector: (selector) => matching(selector)[0] ?? null, querySelectorAll: matching };
}
const levels = (...sets: [href: string, units: string][]): [string, Attributes][] => sets.map(([href, units]) => ['TileSet', { href, 'units-per-pixel': units }]);

describe('TileMap documents', () => {
  it('of gdal2tiles name their levels from the folder they stand in', () => {
    const map = readTileMap(parsed([['SRS', {}, 'EPSG:900913'], ['Origin', { x: '-20037508.34', y: '-20037508.34' }], ['TileFormat', { width: '256', height: '256', extension: 'png' }], ['TileSets', { profile: 'mercator' }], ...levels(['1', '78271.5'], ['0', '156543.03'])]), 'http://a.example/maps/tilemapresource.xml')!;
    expect(map).toMatchObject({ crs: 'EPSG:3857', tileSize: [256, 256], origin: [-20037508.342789244, -20037508.342789244] });
    expect(map.levels.map((level) => level.url)).toEqual(['http://a.example/maps/0', 'http://a.example/maps/1']);
    // Rows count from the south: the map's first row above the origin is -1.
    expect(tileMapTileUrl(map, [1, 0, -1])).toBe('http://a.example/maps/1/0/0.png');
    expect(tileMapTileUrl(map, [1, 1, -2])).toBe('http://a.example/maps/1/1/1.png');
    expect(tileMapTileUrl(map, [7, 0, -1])).toBeUndefined();
  });
  it('of services have whole addresses, or begin at themselves', () => {
    const read = (href: string, url: string) => readTileMap(parsed([['SRS', {}, 'EPSG:3857'], ...levels([href, '1'])]), url)!.levels[0]!.url;
    expect(read('http://b.example/tms/1.0.0/roads/0', 'http://a.example/tms/1.0.0/roads')).toBe('http://b.example/tms/1.0.0/roads/0');
    expect(read('0/', 'http://a.example/tms/1.0.0/roads')).toBe('http://a.example/tms/1.0.0/roads/0');
    expect(read('0', 'http://a.example/tms/1.0.0/roads/')).toBe('http://a.example/tms/1.0.0/roads/0');
  });
  it('may be in degrees or in a system of a country', () => {
    const world = readTileMap(parsed([['SRS', {}, 'EPSG:4326'], ['Origin', { x: '-90', y: '-180' }], ['TileSets', { profile: 'global-geodetic' }], ...levels(['0', '0.703125'])]), 'http://a.example/t/')!;
    expect([world.crs, world.origin]).toEqual(['EPSG:4326', [-180, -90]]);
    const local = readTileMap(parsed([['SRS', {}, 'EPSG:25832'], ['Origin', { x: '250000', y: '5200000' }], ['TileFormat', { width: '512', height: '512', extension: 'jpeg' }], ['TileSets', { profile: 'local' }], ...levels(['0', '2000'])]), 'http://a.example/t/')!;
    expect([local.crs, local.origin, local.tileSize, local.ending]).toEqual(['EPSG:25832', [250000, 5200000], [512, 512], 'jpeg']);
  });
  it('of a service list the maps', () => {
    const list = parsed([['TileMap', { href: 'roads/', title: 'Roads' }], ['TileMap', { href: 'http://a.example/tms/1.0.0/rivers%40web', title: 'Rivers' }]]);
    expect(readTileMap(list, 'http://a.example/tms/1.0.0/')).toBeNull();
    const named = (name: string) => findListedTileMap(list, 'http://a.example/tms/1.0.0/', name);
    expect([named(''), named('Roads')]).toEqual(Array(2).fill('http://a.example/tms/1.0.0/roads/'));
    expect([named('rivers@web'), named('Rivers')]).toEqual(Array(2).fill('http://a.example/tms/1.0.0/rivers%40web'));
    expect(findListedTileMap(parsed([]), 'http://a.example/', '')).toBeNull();
  });
});
