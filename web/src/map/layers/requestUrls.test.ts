import { describe, expect, it } from 'vitest';
import { splitArcgisUrl, arcgisQueryUrl, appendPath, chooseCrs, normalizeCrs, detectGmlVersion, isMixedContent, itemsUrl, findJsonFormat, proxyUrl, findSrsName, tileTemplate, wfsFeaturesUrl, setParams, wmsEndpoint, wmsLegendUrl, wmsMapUrl, wmsVersion } from './requestUrls';

const query = (url: string) => new URL(url).searchParams;

describe('WMS', () => {
  const url = 'https://x.example/ows?map=/a/b.map&SERVICE=WMS&Request=GetCapabilities';
  it('keeps what the vendor wants and replaces the rest whatever its case', () => {
    expect(wmsEndpoint(url)).toBe('https://x.example/ows?map=%2Fa%2Fb.map');
    expect(setParams('http://a/b?F=1&f=2#x', { f: 'json' })).toBe('http://a/b?f=json');
  });
  it('puts latitude first in 1.3.0 and never in 1.1.1', () => {
    const newer = query(wmsMapUrl(url, 'roads', '1.3.0', [5, 47, 15, 55], 64, 48));
    expect(newer.get('BBOX')).toBe('47,5,55,15');
    expect(newer.get('CRS')).toBe('EPSG:4326');
    expect(newer.has('SRS')).toBe(false);
    const older = query(wmsMapUrl(url, 'roads', '1.1.1', [5, 47, 15, 55], 64, 48));
    expect(older.get('BBOX')).toBe('5,47,15,55');
    expect(older.get('SRS')).toBe('EPSG:4326');
    expect(older.getAll('SERVICE')).toEqual(['WMS']);
  });
  it('chooses version and legend', () => {
    expect(wmsVersion(undefined)).toBe('1.3.0');
    expect(wmsVersion(['1.1.1', '1.1.0'])).toBe('1.1.1');
    expect(query(wmsLegendUrl(url, 'roads', '1.1.1')).get('LAYER')).toBe('roads');
  });
});

describe('coordinate systems', () => {
  it('reads every spelling', () => {
    expect(['EPSG:25832', 'urn:ogc:def:crs:EPSG::25832', 'http://www.opengis.net/def/crs/EPSG/0/25832', 'http://www.opengis.net/gml/srs/epsg.xml#25832'].map(normalizeCrs)).toEqual(Array(4).fill('EPSG:25832'));
    expect(['CRS:84', 'urn:ogc:def:crs:OGC:1.3:CRS84', 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'].map(normalizeCrs)).toEqual(Array(3).fill('CRS:84'));
    expect(['EPSG:900913', 'EPSG:102100'].map(normalizeCrs)).toEqual(['EPSG:3857', 'EPSG:3857']);
  });
  it('takes the map’s own first and says when none is known', () => {
    const none = () => false;
    expect(chooseCrs([], none)).toBe('EPSG:3857');
    expect(chooseCrs(['EPSG:25832', 'EPSG:4326', 'EPSG:900913'], none)).toBe('EPSG:3857');
    expect(chooseCrs(['EPSG:25832', 'EPSG:4326'], none)).toBe('EPSG:4326');
    expect(chooseCrs(['EPSG:99999', 'EPSG:25832'], (code) => code === 'EPSG:25832')).toBe('EPSG:25832');
    expect(chooseCrs(['EPSG:99999'], none)).toBeNull();
  });
});

describe('features', () => {
  it('asks a WFS by its version', () => {
    const two = query(wfsFeaturesUrl('https://x.example/wfs?token=1', 'ns:a', ['2.0.0', '1.1.0'], [5, 47, 15, 55], 'application/json', 10));
    expect(two.get('TYPENAMES')).toBe('ns:a');
    expect(two.get('BBOX')).toBe('47,5,55,15,urn:ogc:def:crs:EPSG::4326');
    expect(two.get('SRSNAME')).toBe('EPSG:4326');
    expect(two.get('token')).toBe('1');
    const one = query(wfsFeaturesUrl('https://x.example/wfs', 'a', ['1.0.0'], [5, 47, 15, 55], null, 10));
    expect(one.get('BBOX')).toBe('5,47,15,55');
    expect(one.get('MAXFEATURES')).toBe('10');
    expect(one.has('OUTPUTFORMAT')).toBe(false);
    expect(query(wfsFeaturesUrl('https://x.example/wfs', 'a', ['2.0.0'], null, null, 10)).get('SRSNAME')).toBe('urn:ogc:def:crs:EPSG::4326');
  });
  it('finds GeoJSON among formats', () => {
    expect(findJsonFormat(['text/xml; subtype=gml/3.1.1', 'application/json; subtype=geojson', 'text/javascript'])).toBe('application/json; subtype=geojson');
    expect(findJsonFormat(['GML2', 'text/javascript'])).toBeNull();
    expect(findJsonFormat(undefined)).toBeNull();
  });
  it('asks for items of a collection', () => {
    expect(itemsUrl('https://x.example/api/', 'a b', [5, 47, 15, 55], 10)).toBe('https://x.example/api/collections/a%20b/items?limit=10&bbox=5%2C47%2C15%2C55');
    expect(itemsUrl('https://x.example/api/collections/a/items', 'a', null, 1, 'json')).toBe('https://x.example/api/collections/a/items?f=json&limit=1');
  });
  it('asks an ArcGIS layer', () => {
    expect(splitArcgisUrl('https://x.example/arcgis/rest/services/a/MapServer/3?f=json')).toEqual({ service: 'https://x.example/arcgis/rest/services/a/MapServer', layer: '3' });
    expect(splitArcgisUrl('https://x.example/rest/services/a/FeatureServer/')).toEqual({ service: 'https://x.example/rest/services/a/FeatureServer', layer: null });
    const asked = new URL(arcgisQueryUrl('https://x.example/FeatureServer', '0', [165, -48, 180, -33], 5, 5));
    expect(asked.pathname).toBe('/FeatureServer/0/query');
    expect(JSON.parse(asked.searchParams.get('geometry')!).xmin).toBe(165);
    expect(asked.searchParams.get('resultOffset')).toBe('5');
  });
});

describe('GML', () => {
  it('is told by what only one version has', () => {
    expect(detectGmlVersion('<wfs:FeatureCollection xmlns:gml="http://www.opengis.net/gml/3.2">')).toBe('3.2');
    const old = (inner: string) => `<wfs:FeatureCollection xmlns:gml="http://www.opengis.net/gml">${inner}</wfs:FeatureCollection>`;
    expect(detectGmlVersion(old('<gml:Polygon><gml:outerBoundaryIs><gml:coordinates>1,2</gml:coordinates>'))).toBe('2');
    expect(detectGmlVersion(old('<gml:Point srsName="EPSG:4326"><gml:pos>1 2</gml:pos>'))).toBe('3.1');
    expect(detectGmlVersion(old('<gml:boundedBy><gml:Box><gml:coordinates>1,2</gml:coordinates></gml:Box></gml:boundedBy><gml:pos>1 2</gml:pos>'))).toBe('3.1');
  });
  it('names its system in many ways', () => {
    for (const name of ['EPSG:4326', 'urn:ogc:def:crs:EPSG::4326', 'http://www.opengis.net/gml/srs/epsg.xml#4326']) expect(findSrsName(`<gml:Point srsName='${name}'>`)).toBe('EPSG:4326');
    expect(findSrsName('<gml:Point>')).toBeNull();
  });
});

describe('tiles', () => {
  it('understands templates', () => {
    expect(tileTemplate('https://{s}.x.example/{z}/{x}/{y}{r}.png', 'xyz')).toEqual({ template: 'https://a.x.example/{z}/{x}/{y}.png', flip: false });
    expect(tileTemplate('https://x.example/${z}/${x}/${-y}.png', 'xyz')).toEqual({ template: 'https://x.example/{z}/{x}/{y}.png', flip: true });
    expect(tileTemplate('https://x.example/%7Bz%7D/%7Bx%7D/%7By%7D.pbf', 'mvt')).toEqual({ template: 'https://x.example/{z}/{x}/{y}.pbf', flip: false });
    expect(tileTemplate('https://x.example/tms/1.0.0/layer', 'tms')).toBeNull();
    expect(tileTemplate('https://x.example/{quadkey}.png', 'xyz')).toBeNull();
  });
});

describe('addresses', () => {
  it('adds path below and keeps the query', () => expect(appendPath('https://x.example/a/?t=1', 'b')).toBe('https://x.example/a/b?t=1'));
  it('goes through the proxy', () => expect(proxyUrl('r 1', 'http://x/?a=b&c')).toBe('/api/v1/proxy/r%201?url=http%3A%2F%2Fx%2F%3Fa%3Db%26c'));
  it('knows mixed content', () => {
    expect(isMixedContent('https://me/', 'http://x.example/wms')).toBe(true);
    expect(isMixedContent('http://me/', 'http://x.example/wms')).toBe(false);
    expect(isMixedContent('https://me/', 'http://localhost:8080/wms')).toBe(false);
    expect(isMixedContent('https://me/', 'https://x.example')).toBe(false);
  });
});
