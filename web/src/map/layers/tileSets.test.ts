import { describe, expect, it } from 'vitest';
import { sortTileSets, hasRegularRows, usableLimits, tileSetListUrls, matrixSetName, findSchemeLink, findSelfLink, parseSystem, findTileTemplate, registeredMatrixSet } from './tileSets';

const item = (type: string | undefined, href: string) => ({ rel: 'item', href, type });
const ogc = 'http://www.opengis.net/def/rel/ogc/1.0/';

describe('lists of tile sets', () => {
  it('takes maps before features, JSON before pages, and the usual place last', () => {
    const about = {
      links: [
        { rel: `${ogc}tilesets-vector`, href: 'tiles?f=json', type: 'application/json' },
        { rel: `${ogc}tilesets-map`, href: '/api/c/map/tiles?f=html', type: 'text/html' },
        { rel: `${ogc}tilesets-map`, href: '/api/c/map/tiles?f=json', type: 'application/json' },
      ],
    };
    expect(tileSetListUrls(about, 'http://a.example/api/c/', 'http://a.example/api/c/tiles')).toEqual(['http://a.example/api/c/map/tiles?f=json', 'http://a.example/api/c/tiles?f=json', 'http://a.example/api/c/tiles']);
    expect(tileSetListUrls({}, 'http://a.example/', 'http://a.example/tiles')).toEqual(['http://a.example/tiles']);
    expect(tileSetListUrls({ links: 'none' } as never, 'http://a.example/', 'http://a.example/tiles')).toEqual(['http://a.example/tiles']);
  });
});

describe('templates of tiles', () => {
  it('likes PNG, then other pictures, then vector tiles', () => {
    expect(findTileTemplate({ links: [item('application/vnd.mapbox-vector-tile', 'v'), item('image/jpeg', 'j'), item('image/png', 'p')] })).toEqual({ href: 'p', tiles: 'map' });
    expect(findTileTemplate({ links: [item('application/geo+json', 'g'), item('application/vnd.mapbox-vector-tile', 'v')] })).toEqual({ href: 'v', tiles: 'vector' });
    expect(findTileTemplate({ links: [{ ...item('application/vnd.mapbox-vector-tile', '{z}/{x}/{y}'), rel: 'tile' }] })).toEqual({ href: '{z}/{x}/{y}', tiles: 'vector' });
    expect(findTileTemplate({ links: [item(undefined, '{z}/{y}/{x}?f=mvt')] })).toEqual({ href: '{z}/{y}/{x}?f=mvt', tiles: 'vector' });
  });
  it('knows what cannot be drawn', () => {
    expect(findTileTemplate({ links: [item('image/tiff; application=geotiff', 't'), item('application/geo+json', 'g')] })).toBeNull();
    expect(findTileTemplate({})).toBeNull();
  });
});

describe('descriptions of tile sets', () => {
  it('finds the description, the scheme and its name', () => {
    const set = {
      links: [
        { rel: 'self', href: 'tiles/WebMercatorQuad?f=html', type: 'text/html' },
        { rel: 'self', href: 'tiles/WebMercatorQuad?f=json', type: 'application/json' },
        { rel: `${ogc}tiling-scheme`, href: 'https://a.example/tileMatrixSets/WebMercatorQuad?f=json' },
      ],
    };
    expect(findSelfLink(set)).toBe('tiles/WebMercatorQuad?f=json');
    expect(findSchemeLink(set)).toBe('https://a.example/tileMatrixSets/WebMercatorQuad?f=json');
    expect(matrixSetName(set)).toBe('WebMercatorQuad');
    expect(matrixSetName({ tileMatrixSetURI: 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WorldCRS84Quad' })).toBe('WorldCRS84Quad');
    expect(matrixSetName({})).toBeNull();
  });
  it('puts the map’s own system first', () => {
    const names = (sets: object[]) => sortTileSets(sets).map((set) => matrixSetName(set) ?? set.crs);
    expect(names([{ tileMatrixSetId: 'Polar' }, { tileMatrixSetId: 'WorldCRS84Quad' }, { crs: 'http://www.opengis.net/def/crs/EPSG/0/3857' }, { tileMatrixSetId: 'WebMercatorQuad' }])).toEqual([
      'WebMercatorQuad',
      'http://www.opengis.net/def/crs/EPSG/0/3857',
      'WorldCRS84Quad',
      'Polar',
    ]);
  });
  it('reads systems as text and as objects', () => {
    expect(parseSystem('http://www.opengis.net/def/crs/OGC/1.3/CRS84')).toBe('CRS:84');
    expect(parseSystem({ uri: 'http://www.opengis.net/def/crs/EPSG/0/3035' })).toBe('EPSG:3035');
    expect(parseSystem({ wkt: {} })).toBeNull();
  });
});

describe('registered tile matrix sets', () => {
  it('has the cell sizes of the register', () => {
    const mercator = registeredMatrixSet('WebMercatorQuad')!;
    expect(mercator.tileMatrices[0]!.cellSize).toBeCloseTo(156543.033928041, 6);
    expect(mercator.tileMatrices[18]!.cellSize).toBeCloseTo(0.597164283559817, 9);
    expect(mercator.tileMatrices[3]).toMatchObject({ id: '3', matrixWidth: 8, matrixHeight: 8 });
    const degrees = registeredMatrixSet('WorldCRS84Quad')!;
    expect(degrees.tileMatrices[0]).toMatchObject({ cellSize: 0.703125, matrixWidth: 2, matrixHeight: 1, pointOfOrigin: [-180, 90] });
    expect(registeredMatrixSet('EuropeanETRS89_LAEAQuad')!.tileMatrices[0]!.cellSize).toBe(17578.125);
    expect(registeredMatrixSet('GNOSISGlobalGrid')).toBeNull();
    expect(registeredMatrixSet('toString')).toBeNull();
  });
  it('is regular, and others may not be', () => {
    const set = registeredMatrixSet('WebMercatorQuad')!;
    expect(hasRegularRows(set)).toBe(true);
    expect(hasRegularRows({ ...set, tileMatrices: [{ ...set.tileMatrices[0]!, variableMatrixWidths: [{ coalesce: 2 }] } as never] })).toBe(false);
    expect(hasRegularRows({ ...set, tileMatrices: [] })).toBe(false);
  });
  it('keeps limits of matrices that exist', () => {
    const set = registeredMatrixSet('WebMercatorQuad')!;
    const limit = (tileMatrix: string) => ({ tileMatrix, minTileRow: 0, maxTileRow: 1, minTileCol: 0, maxTileCol: 1 });
    expect(usableLimits({ tileMatrixSetLimits: [limit('2'), limit('99')] }, set)).toEqual([limit('2')]);
    expect(usableLimits({ tileMatrixSetLimits: [limit('x')] }, set)).toBeUndefined();
    expect(usableLimits({}, set)).toBeUndefined();
  });
});
