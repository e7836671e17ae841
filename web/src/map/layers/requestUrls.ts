// Builds request URLs for services. Pure, so that every rule is tested.

import type { Box } from '../../lib/mapControl';

/** Sets query parameters regardless of the case of existing ones; null removes one. */
export function setParams(url: string, params: Record<string, string | number | null>): string {
  const [whole = '', hash] = url.split('#', 2);
  void hash;
  const [base = '', text = ''] = splitOnce(whole, '?');
  const query = new URLSearchParams(text);
  for (const [key, value] of Object.entries(params)) {
    for (const had of [...query.keys()]) if (had.toLowerCase() === key.toLowerCase()) query.delete(had);
    if (value !== null) query.set(key, String(value));
  }
  const asked = query.toString();
  return asked ? `${base}?${asked}` : base;
}

function splitOnce(text: string, at: string): [string, string] {
  const place = text.indexOf(at);
  return place < 0 ? [text, ''] : [text.slice(0, place), text.slice(place + 1)];
}

/** Appends path segments to a URL and keeps its query. */
export function appendPath(url: string, ...parts: string[]): string {
  const [base, query] = splitOnce(url, '?');
  return [base.replace(/\/+$/, ''), ...parts].join('/') + (query ? `?${query}` : '');
}

/** Returns the URL that loads an address through this server. */
export function proxyUrl(record: string, url: string): string {
  return `/api/v1/proxy/${encodeURIComponent(record)}?url=${encodeURIComponent(url)}`;
}

/** Normalizes the notations of a coordinate system to "EPSG:25832"; "CRS:84" for longitude first. */
export function normalizeCrs(text: string): string {
  const code = text.trim();
  if (/(^|[:/])(OGC|CRS)[:/]*.*84$/i.test(code)) return 'CRS:84';
  const found = /(\d{4,6})$/.exec(code);
  if (!found) return code.toUpperCase();
  const number = Number(found[1]);
  return [900913, 102100, 102113, 3785, 41001].includes(number) ? 'EPSG:3857' : `EPSG:${number}`;
}

/** Selects the best system for requests: the map's own, then plain degrees, then any known one; null if none is known. */
export function chooseCrs(offered: string[], knows: (code: string) => boolean): string | null {
  if (!offered.length) return 'EPSG:3857';
  const codes = offered.map(normalizeCrs);
  for (const wanted of ['EPSG:3857', 'EPSG:4326', 'CRS:84']) if (codes.includes(wanted)) return wanted;
  return codes.find(knows) ?? null;
}

export function wmsVersion(versions: string[] | null | undefined): '1.3.0' | '1.1.1' {
  return !versions?.length || versions.includes('1.3.0') ? '1.3.0' : '1.1.1';
}

/** Returns the endpoint without WMS parameters; keeps vendor parameters (map=, token=). */
export function wmsEndpoint(url: string): string {
  return setParams(url, { service: null, request: null, version: null, layers: null, styles: null, crs: null, srs: null, bbox: null, width: null, height: null, format: null, transparent: null });
}

/** Returns a GetMap URL. WMS 1.3.0 puts latitude first in EPSG:4326, 1.1.1 never does. */
export function wmsMapUrl(url: string, layer: string, version: '1.3.0' | '1.1.1', box: Box, width: number, height: number): string {
  const [w, s, e, n] = box;
  const latFirst = version === '1.3.0';
  return setParams(wmsEndpoint(url), {
    SERVICE: 'WMS',
    REQUEST: 'GetMap',
    VERSION: version,
    LAYERS: layer,
    STYLES: '',
    [latFirst ? 'CRS' : 'SRS']: 'EPSG:4326',
    BBOX: (latFirst ? [s, w, n, e] : [w, s, e, n]).join(','),
    WIDTH: width,
    HEIGHT: height,
    FORMAT: 'image/png',
    TRANSPARENT: 'TRUE',
  });
}

export function wmsLegendUrl(url: string, layer: string, version: '1.3.0' | '1.1.1'): string {
  return setParams(wmsEndpoint(url), { SERVICE: 'WMS', REQUEST: 'GetLegendGraphic', VERSION: version, LAYER: layer, FORMAT: 'image/png', SLD_VERSION: version === '1.3.0' ? '1.1.0' : null });
}

/** Returns a GetFeature URL. By its version, a WFS names EPSG:4326 with longitude first (short name) or latitude first (URN). */
export function wfsFeaturesUrl(url: string, layer: string, versions: string[] | null | undefined, box: Box | null, format: string | null, count: number): string {
  const two = !versions?.length || versions.some((version) => version.startsWith('2'));
  const version = two ? '2.0.0' : versions!.includes('1.1.0') ? '1.1.0' : '1.0.0';
  const latFirst = version !== '1.0.0';
  const srs = latFirst ? 'urn:ogc:def:crs:EPSG::4326' : 'EPSG:4326';
  const bounds = box ? [...(latFirst ? [box[1], box[0], box[3], box[2]] : box), ...(latFirst ? [srs] : [])].join(',') : null;
  return setParams(url, {
    SERVICE: 'WFS',
    REQUEST: 'GetFeature',
    VERSION: version,
    [two ? 'TYPENAMES' : 'TYPENAME']: layer,
    [two ? 'COUNT' : 'MAXFEATURES']: count,
    // GeoJSON is longitude first; the short name keeps servers from swapping the axes.
    SRSNAME: format ? 'EPSG:4326' : srs,
    BBOX: bounds,
    OUTPUTFORMAT: format,
  });
}

/** Returns the name of GeoJSON among the formats of a WFS; null if it has none (then GML is used). */
export function findJsonFormat(formats: string[] | undefined): string | null {
  return formats?.find((format) => /geo\+?json/i.test(format)) ?? formats?.find((format) => /json/i.test(format) && !/jsonp|javascript/i.test(format)) ?? null;
}

/** Detects the GML version of a WFS response: its namespace identifies 3.2, the encoding of rings the older versions. */
export function detectGmlVersion(text: string): '2' | '3.1' | '3.2' {
  if (/opengis\.net\/gml\/3\.2/.test(text)) return '3.2';
  return /<(?:\w+:)?(outerBoundaryIs|coordinates|lineStringMember|pointMember)[\s>]/.test(text) && !/<(?:\w+:)?(pos|posList|exterior)[\s>]/.test(text) ? '2' : '3.1';
}

/** Returns the first coordinate system named in a GML document. */
export function findSrsName(text: string): string | null {
  const named = /\ssrsName\s*=\s*["']([^"']+)["']/.exec(text)?.[1];
  return named ? normalizeCrs(named) : null;
}

/** Returns the items URL of an OGC API collection in a box. `format` is only used if requesting by header fails: not all
 * servers support the parameter or agree on its values. */
export function itemsUrl(url: string, collection: string, box: Box | null, limit: number, format: string | null = null): string {
  const landing = url.replace(/\/collections(\/.*)?$/, '');
  const items = appendPath(landing, 'collections', encodeURIComponent(collection), 'items');
  return setParams(items, { f: format, limit, bbox: box && !(box[2] - box[0] >= 360) ? box.join(',') : null });
}

/** Returns a tile URL template for the map; `flip` if rows count from the south (TMS). */
export function tileTemplate(url: string, kind: string): { template: string; flip: boolean } | null {
  const template = url.replace(/\$\{/g, '{').replace(/\{zoom\}|%7Bz%7D/gi, '{z}').replace(/%7Bx%7D/gi, '{x}').replace(/%7B(-?)y%7D/gi, '{$1y}').replace(/\{(switch:[^}]*|s)\}/gi, 'a').replace(/\{r\}|\{ratio\}|@2x(?=\.)/g, '');
  if (/\{z\}/i.test(template) && /\{x\}/i.test(template)) {
    const lower = template.replace(/\{([zxy])\}/gi, (_, letter: string) => `{${letter.toLowerCase()}}`);
    return { template: lower.replace('{-y}', '{y}'), flip: lower.includes('{-y}') || kind === 'tms' };
  }
  return null;
}

/** Splits an ArcGIS address into the service and its layer, if any. */
export function splitArcgisUrl(url: string): { service: string; layer: string | null } {
  const clean = url.split(/[?#]/)[0]!.replace(/\/+$/, '');
  const found = /^(.*\/(?:Map|Image|Feature|VectorTile)Server)(?:\/(\d+))?$/i.exec(clean);
  return found ? { service: found[1]!, layer: found[2] ?? null } : { service: clean, layer: null };
}

/** Returns the query URL for features of an ArcGIS layer in a box, in degrees. */
export function arcgisQueryUrl(service: string, layer: string, box: Box, count: number, offset = 0): string {
  const [w, s, e, n] = box;
  return setParams(appendPath(service, layer, 'query'), {
    f: 'json',
    where: '1=1',
    outFields: '*',
    outSR: 4326,
    returnGeometry: 'true',
    geometry: JSON.stringify({ xmin: w, ymin: s, xmax: e, ymax: n, spatialReference: { wkid: 4326 } }),
    geometryType: 'esriGeometryEnvelope',
    inSR: 4326,
    spatialRel: 'esriSpatialRelIntersects',
    resultRecordCount: count,
    resultOffset: offset || null,
  });
}

/** Checks for mixed content: a page over https may not load http resources. */
export function isMixedContent(page: string, url: string): boolean {
  return page.startsWith('https:') && /^http:/i.test(url) && !/^http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/]|$)/i.test(url);
}
