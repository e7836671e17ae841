// How services are asked. Pure, so that every rule has its test.

import type { Box } from '../../lib/mapControl';

/** Sets parameters whatever the case of those already there; null removes one. */
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

/** Path parts added to a URL, its query kept. */
export function appendPath(url: string, ...parts: string[]): string {
  const [base, query] = splitOnce(url, '?');
  return [base.replace(/\/+$/, ''), ...parts].join('/') + (query ? `?${query}` : '');
}

/** The other server's URL through this one. */
export function proxyUrl(record: string, url: string): string {
  return `/api/v1/proxy/${encodeURIComponent(record)}?url=${encodeURIComponent(url)}`;
}

/** "EPSG:25832" of any of the ways it is written; "CRS:84" for longitude first. */
export function normalizeCrs(text: string): string {
  const code = text.trim();
  if (/(^|[:/])(OGC|CRS)[:/]*.*84$/i.test(code)) return 'CRS:84';
  const found = /(\d{4,6})$/.exec(code);
  if (!found) return code.toUpperCase();
  const number = Number(found[1]);
  return [900913, 102100, 102113, 3785, 41001].includes(number) ? 'EPSG:3857' : `EPSG:${number}`;
}

/** The best system to ask in: the map's own, then plain degrees, then one we know; null when none is known. */
export function chooseCrs(offered: string[], knows: (code: string) => boolean): string | null {
  if (!offered.length) return 'EPSG:3857';
  const codes = offered.map(normalizeCrs);
  for (const wanted of ['EPSG:3857', 'EPSG:4326', 'CRS:84']) if (codes.includes(wanted)) return wanted;
  return codes.find(knows) ?? null;
}

export function wmsVersion(versions: string[] | null | undefined): '1.3.0' | '1.1.1' {
  return !versions?.length || versions.includes('1.3.0') ? '1.3.0' : '1.1.1';
}

/** The endpoint without the parameters of a WMS request; what the vendor wants (map=, token=) stays. */
export function wmsEndpoint(url: string): string {
  return setParams(url, { service: null, request: null, version: null, layers: null, styles: null, crs: null, srs: null, bbox: null, width: null, height: null, format: null, transparent: null });
}

/** One picture of a layer. WMS 1.3.0 wants latitude first in EPSG:4326, 1.1.1 never. */
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

/** How a WFS names EPSG:4326 with longitude first (short name) or latitude first (URN), by its version. */
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
    // GeoJSON is longitude first; the short name keeps servers from swapping it.
    SRSNAME: format ? 'EPSG:4326' : srs,
    BBOX: bounds,
    OUTPUTFORMAT: format,
  });
}

/** The GeoJSON spelling among the formats a WFS offers; null when it has none (then GML). */
export function findJsonFormat(formats: string[] | undefined): string | null {
  return formats?.find((format) => /geo\+?json/i.test(format)) ?? formats?.find((format) => /json/i.test(format) && !/jsonp|javascript/i.test(format)) ?? null;
}

/** Which GML a WFS answered with: its own names tell 3.2 from the older ones, and how rings are written those apart. */
export function detectGmlVersion(text: string): '2' | '3.1' | '3.2' {
  if (/opengis\.net\/gml\/3\.2/.test(text)) return '3.2';
  return /<(?:\w+:)?(outerBoundaryIs|coordinates|lineStringMember|pointMember)[\s>]/.test(text) && !/<(?:\w+:)?(pos|posList|exterior)[\s>]/.test(text) ? '2' : '3.1';
}

/** The first system that a GML document names. */
export function findSrsName(text: string): string | null {
  const named = /\ssrsName\s*=\s*["']([^"']+)["']/.exec(text)?.[1];
  return named ? normalizeCrs(named) : null;
}

/** Items of an OGC API collection in a box. `format` only where asking by header does not do: not all servers know the
 * parameter, nor give it the same values. */
export function itemsUrl(url: string, collection: string, box: Box | null, limit: number, format: string | null = null): string {
  const landing = url.replace(/\/collections(\/.*)?$/, '');
  const items = appendPath(landing, 'collections', encodeURIComponent(collection), 'items');
  return setParams(items, { f: format, limit, bbox: box && !(box[2] - box[0] >= 360) ? box.join(',') : null });
}

/** A template of tiles in the words of the map; `flip` when rows count from the south (TMS). */
export function tileTemplate(url: string, kind: string): { template: string; flip: boolean } | null {
  const template = url.replace(/\$\{/g, '{').replace(/\{zoom\}|%7Bz%7D/gi, '{z}').replace(/%7Bx%7D/gi, '{x}').replace(/%7B(-?)y%7D/gi, '{$1y}').replace(/\{(switch:[^}]*|s)\}/gi, 'a').replace(/\{r\}|\{ratio\}|@2x(?=\.)/g, '');
  if (/\{z\}/i.test(template) && /\{x\}/i.test(template)) {
    const lower = template.replace(/\{([zxy])\}/gi, (_, letter: string) => `{${letter.toLowerCase()}}`);
    return { template: lower.replace('{-y}', '{y}'), flip: lower.includes('{-y}') || kind === 'tms' };
  }
  return null;
}

/** An ArcGIS service and, when the address has one, the layer of it. */
export function splitArcgisUrl(url: string): { service: string; layer: string | null } {
  const clean = url.split(/[?#]/)[0]!.replace(/\/+$/, '');
  const found = /^(.*\/(?:Map|Image|Feature|VectorTile)Server)(?:\/(\d+))?$/i.exec(clean);
  return found ? { service: found[1]!, layer: found[2] ?? null } : { service: clean, layer: null };
}

/** The features of one ArcGIS layer in a box, in degrees. */
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

/** A page over https may not load things over http. */
export function isMixedContent(page: string, url: string): boolean {
  return page.startsWith('https:') && /^http:/i.test(url) && !/^http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/]|$)/i.test(url);
}
