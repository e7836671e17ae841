// Serves the built application with an API that responds from memory: services with a monitoring history that a
// simulated web reaches only after days. Listens on loopback, on a free port.

import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const types = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html; charset=utf-8', '.json': 'application/json', '.svg': 'image/svg+xml', '.woff2': 'font/woff2' };
const hour = 3_600_000;
const ago = (hours) => new Date(Date.now() - hours * hour).toISOString();
const day = (back) => ago(back * 24).slice(0, 10);

const host = { name: 'maps.lakeland.example', ip: '192.0.2.7', country: 'FI', city: 'Kuopio', lat: 62.89, lon: 27.68, precision: 'city' };
const base = { kind: 'wms', kind_name: 'Web Map Service', versions: ['1.3.0'], keywords: ['water', 'lakes'], provider: 'Lakeland Survey', crs: ['EPSG:3857'], aliases: [], provenance: [], faces: [], host, first_seen: ago(2400), last_seen: ago(3) };
const records = {
  lakes: { ...base, id: 'lakes', url: 'https://maps.lakeland.example/ows', title: 'Lakes and rivers of Lakeland', abstract: 'Lakes, rivers, wetlands and their catchments, from the national survey.', bbox: [20, 59, 31, 70], dataset_count: 14, status: 'degraded', reason: 'GetMap gives an exception: layer not configured.', last_ok: ago(30), score: 64, themes: [{ scheme: 'inspire', term: 'hy', evidence: 'keyword "lakes"' }] },
  soils: { ...base, id: 'soils', url: 'http://old.lakeland.example/wms?map=/data/soils.map', title: 'Soils', abstract: '', bbox: null, dataset_count: 3, status: 'dead', reason: 'The name has no address since 9 November.', last_ok: ago(190), score: 12 },
  roads: { ...base, id: 'roads', kind: 'wfs', kind_name: 'Web Feature Service', url: 'https://maps.lakeland.example/wfs', title: 'Roads', abstract: 'The road network with names and classes.', bbox: [20, 59, 31, 70], dataset_count: 5, status: 'alive', reason: 'Answered in 140 ms', last_ok: ago(2), score: 93 },
};

const observations = [
  {
    purpose: 'description',
    request: { method: 'GET', url: 'https://maps.lakeland.example/ows?service=WMS&request=GetCapabilities&version=1.3.0', accept: 'text/xml', limit: 5_000_000 },
    answer: { url: 'https://maps.lakeland.example/ows', ip: '192.0.2.7', status: 200, headers: { 'content-type': 'text/xml', server: 'nginx' }, bytes: 48_213, hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    phases: { dns: 12, connect: 24, tls: 41, first_byte: 210, transfer: 35, total: 322 },
    outcome: 'valid',
    seen: 'WMS capabilities 1.3.0 with 14 layers.',
  },
  {
    purpose: 'operation',
    dataset: 'lk:catchments',
    request: { method: 'GET', url: 'https://maps.lakeland.example/ows?service=WMS&request=GetMap&version=1.3.0&layers=lk:catchments&styles=&crs=EPSG:4326&bbox=62,24,63,25&width=64&height=64&format=image/png', accept: 'image/png', limit: 500_000 },
    answer: { url: 'https://maps.lakeland.example/ows', status: 200, headers: { 'content-type': 'text/xml' }, bytes: 412, hash: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae' },
    phases: { dns: 0, connect: 0, tls: 0, first_byte: 1480, transfer: 2, total: 1482 },
    outcome: 'exception',
    seen: 'An exception report: LayerNotConfigured.',
  },
];
const point = (id, what, got, of, why, advice, observation) => ({ id, what, got, of, why, ...(advice ? { advice } : {}), ...(observation === undefined ? {} : { observation }) });
function quality(number) {
  const mended = number > 41;
  return {
    id: 'lakes',
    number,
    scheduled: true,
    next: new Date(Date.now() + 5 * hour).toISOString(),
    history: { checks: 58, available: 57, latest: [true], millis: [1482] },
    standing: { status: mended ? 'alive' : 'degraded', reason: '', since: ago(30), turns: [] },
    curl: observations.map((one) => `curl -sS '${one.request.url}'`),
    check: { kind: 'wms', url: records.lakes.url, at: ago(mended ? 0 : 3), observations, verdict: mended ? 'alive' : 'degraded', cause: mended ? 'answers' : 'exception', reason: mended ? 'It answers in 0.3 s.' : 'GetMap gives an exception: layer not configured.' },
    score: {
      rubric: '1',
      value: mended ? 89 : 64,
      provisional: false,
      cap: mended ? null : { at: 70, why: 'the scored operation failed' },
      components: [
        { id: 'availability', weight: 30, share: 0.98, points: [point('availability.share', 'Answered in 30 days', 0.98, 1, '57 of 58 checks.', null, 0)] },
        { id: 'latency', weight: 15, share: 0.4, points: [point('latency.median', 'Speed of the operation', 0.4, 1, 'Median 1,482 ms; 600 ms would be full.', 'Cache what is asked often, or simplify the layer.', 1)] },
        { id: 'capabilities', weight: 15, share: 1, points: [point('capabilities.well_formed', 'The description is well-formed', 0.5, 0.5, 'Read without an error.', null, 0), point('capabilities.names', 'Every layer has a name of its own', 0.5, 0.5, '14 of 14.', null, 0)] },
        { id: 'operation', weight: 20, share: mended ? 1 : 0, points: [point('operation.valid', 'A map is drawn', mended ? 1 : 0, 1, mended ? 'A picture of 64 by 64 pixels.' : 'An exception came instead of a picture.', 'Look at the configuration of the layer "lk:catchments".', 1)] },
        { id: 'metadata', weight: 15, share: 0.7, points: [point('metadata.title', 'A title of its own', 0.3, 0.3, 'Lakes and rivers of Lakeland'), point('metadata.abstract', 'An abstract of 100 characters or more', 0.2, 0.3, '71 characters.', 'Say what is shown, for where, and how current it is.'), point('metadata.licence', 'A licence', 0, 0.2, 'None is given.', 'Put the licence into AccessConstraints or Fees.'), point('metadata.email', 'An e-mail address for questions', 0.2, 0.2, 'gis@lakeland.example')] },
        { id: 'standards', weight: 5, share: 1, points: [point('standards.media', 'The right media type', 1, 1, 'text/xml', null, 0)] },
      ],
    },
  };
}
const uptime = {
  windows: { '24h': { checks: 4, available: 4, share: 1, p50: 380, p95: 1480, p99: 1490 }, '30d': { checks: 58, available: 57, share: 0.9827, p50: 340, p95: 1210, p99: 1480 }, '1y': { checks: 610, available: 598, share: 0.9803, p50: 310, p95: 990, p99: 2400 } },
  days: Array.from({ length: 70 }, (_, back) => ({ day: day(back), checks: 4, available: back === 12 ? 0 : back === 13 || back === 40 ? 2 : 4, p50: 280 + ((back * 37) % 140) })).filter((one) => one.day !== day(25)),
  outages: [{ began: ago(30), ended: null, cause: 'exception', reason: 'GetMap gives an exception: layer not configured.' }, { began: ago(12 * 24 + 9), ended: ago(12 * 24 - 6), cause: 'connect', reason: 'Nobody answers at 192.0.2.7, port 443.' }],
};
const checks = [[41, 3, 'degraded', 64, 1482], [40, 9, 'alive', 88, 402], [39, 15, 'alive', 88, 377], [38, 21, 'inconclusive', null, null]].map(([number, hours, verdict, score, millis]) => ({ number, at: ago(hours), verdict, cause: '', reason: verdict === 'alive' ? 'It answers.' : verdict === 'degraded' ? 'GetMap gives an exception.' : 'It took longer than 30 s.', score, millis }));
const changes = [
  { at: ago(30), changes: [{ path: 'title', was: 'Lakes of Lakeland', now: 'Lakes and rivers of Lakeland' }, { path: 'datasets', was: 'lk:old_lakes', now: 'lk:catchments, lk:wetlands' }, { path: 'datasets[lk:rivers].abstract', was: 'Rivers at a scale of 1:50,000.', now: 'Rivers at a scale of 1:10,000, updated every year.' }, { path: 'licence', was: 'CC BY 4.0', now: null }] },
  { at: ago(900), changes: [{ path: 'contact.email', was: null, now: 'gis@lakeland.example' }] },
];
const notices = [['died', 'soils', 'Soils', 'wms', 'The name has no address since 9 November.'], ['degraded', 'lakes', 'Lakes and rivers of Lakeland', 'wms', 'GetMap gives an exception: layer not configured.'], ['changed', 'lakes', 'Lakes and rivers of Lakeland', 'wms', 'Title, 3 layers, licence.'], ['born', 'roads', 'Roads', 'wfs', 'Found by "Maps of the north".'], ['recovered', 'roads', 'Roads', 'wfs', 'It answers again after 4 hours.']].map(([kind, id, title, record_kind, reason], at) => ({ seq: 90 - at, at: ago(3 + at * 27), kind, id, title, host: id === 'soils' ? 'old.lakeland.example' : host.name, record_kind, reason }));
const line = (name, total, dead, degraded, score) => ({ host: name, records: total, dead, degraded, statuses: { alive: total - dead - degraded, dead, degraded }, score, country: 'FI' });
const hosts = [line('old.lakeland.example', 6, 5, 1, 14), line(host.name, 24, 1, 3, 78), line('geo.a-rather-long-name-of-a-department.ministry.example', 112, 0, 2, 91)];
const monitoring = { statuses: { alive: 131, degraded: 6, dead: 6, restricted: 2, blocked: 3, inconclusive: 1 }, enrolled: 149, due: 12, overdue: 3, checks_24h: 486, next: new Date(Date.now() + 40_000).toISOString(), running: true, latency: { p50: 312, p95: 1840 }, hosts };
const report = {
  host: host.name,
  organisations: ['Lakeland Survey'],
  place: host,
  records: 3,
  datasets: 22,
  statuses: { alive: 1, degraded: 1, dead: 1 },
  score: 56.3,
  uptime_30d: 0.9312,
  services: Object.values(records).map(({ id, title, kind, url, status, reason, score }) => ({ id, title, kind, url, status, reason, score })),
  problems: [{ id: 'operation.valid', what: 'A map is drawn', advice: 'Look at the configuration of the layers that answer with an exception.', count: 1, records: ['lakes'] }, { id: 'metadata.licence', what: 'A licence', advice: 'Put the licence into AccessConstraints or Fees.', count: 2, records: ['lakes', 'soils'] }, { id: 'metadata.abstract', what: 'An abstract of 100 characters or more', advice: 'Say what is shown, for where, and how current it is.', count: 2, records: ['lakes', 'soils'] }],
  outages: [{ id: 'soils', title: 'Soils', began: ago(190), ended: null, reason: 'The name has no address.' }, { id: 'lakes', title: 'Lakes and rivers of Lakeland', began: ago(300), ended: ago(285), reason: 'Nobody answers.' }],
};
const themes = { schemes: [{ id: 'inspire', title: 'INSPIRE', terms: [{ id: 'hy', label: { en: 'Hydrography', de: 'Gewässernetz' } }, { id: 'so', label: { en: 'Soil', de: 'Boden' } }, { id: 'tn', label: { en: 'Transport networks', de: 'Verkehrsnetze' } }] }] };
const statistics = { records: 149, datasets: 2210, hosts: 3, pages: 4100, kinds: { wms: 90, wfs: 59 }, statuses: monitoring.statuses, software: { MapServer: 60 }, themes: { hy: 41, so: 22, tn: 9 }, quality: { '76-100': 88, '51-75': 31, '26-50': 12, '0-25': 9 }, languages: {}, countries: { FI: { wms: 90, wfs: 59 } }, levels: [{ depth: 1, pages: 100, found: 20 }], growth: [[day(1), 120], [day(0), 149]] };
const badge = '<svg xmlns="http://www.w3.org/2000/svg" width="150" height="20"><rect width="150" height="20" rx="3" fill="#555"/><text x="8" y="14" fill="#fff" font-family="sans-serif" font-size="11">geotrawl degraded 64</text></svg>';

/** API stub. `person` is the user who is logged in. */
export class StubServer {
  static async start({ role = 'admin' } = {}) {
    const stub = new StubServer();
    stub.number = 41;
    stub.person = role ? { id: 1, name: 'ada', email: 'ada@lakeland.example', role } : null;
    stub.alerts = [{ number: 1, name: 'Deaths', channel: 'webhook', target: 'https://hooks.lakeland.example/geo', kinds: ['died', 'reborn'], hosts: [], records: [], frequency: 'immediate', active: true, last_delivery: ago(26), last_error: null }];
    stub.successors = [{ id: 'roads', title: 'Soils of Lakeland (new server)', url: 'https://maps.lakeland.example/soils', kind: 'wms', status: 'alive', confidence: 0.94, evidence: ['3 of 3 layers have the same names.', 'Their boxes agree within 100 m.', 'It was found 2 days after the other went.'], state: 'proposed' }];
    stub.broken = new Set();
    stub.empty = false;
    stub.requestLog = [];
    stub.server = createServer((request, response) => stub.handleRequest(request, response));
    await new Promise((resolve) => stub.server.listen(0, '127.0.0.1', resolve));
    stub.url = `http://127.0.0.1:${stub.server.address().port}`;
    return stub;
  }

  close() {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }

  async handleRequest(request, response) {
    const { pathname, searchParams } = new URL(request.url, this.url);
    if (!pathname.startsWith('/api/v1')) return this.serveFile(pathname, response);
    let text = '';
    for await (const piece of request) text += piece;
    const path = pathname.slice(7);
    this.requestLog.push(`${request.method} ${path}`);
    const send = (status, value, type = 'application/json') => response.writeHead(status, { 'content-type': type }).end(typeof value === 'string' ? value : JSON.stringify(value));
    if ([...this.broken].some((one) => path.endsWith(one))) return send(503, { title: 'Too busy', detail: 'The catalogue is being rebuilt. Try again in a minute.' }, 'application/problem+json');
    const value = this.answerFor(request.method, path, searchParams, text ? JSON.parse(text) : {});
    if (value === undefined) return send(404, { title: 'Not found', detail: `There is nothing at ${path}.` }, 'application/problem+json');
    if (value === null) return response.writeHead(204).end();
    return typeof value === 'string' ? send(200, value, 'image/svg+xml') : send(value.asked ? 202 : 200, value);
  }

  answerFor(method, path, query, body) {
    const [, first, id, what, other] = path.split('/').map(decodeURIComponent);
    if (first === 'session') return { user: this.person, csrf: 'x', running: 0, max_running: 5 };
    if (first === 'kinds') return { kinds: [{ id: 'wms', name: 'Web Map Service', family: 'wms' }, { id: 'wfs', name: 'Web Feature Service', family: 'features' }] };
    if (first === 'meta') return { title: 'Geotrawl', version: '0', public_url: '', oidc: null, proxy: false, base_maps: [], max_running: 5, attributions: [], catalogue: { records: 3, datasets: 22, hosts: 2 } };
    if (first === 'places') return { places: [{ host: host.name, lat: host.lat, lon: host.lon, country: 'FI', count: 3, kinds: { wms: 2, wfs: 1 } }], without_place: 0 };
    if (first === 'search') {
      const facets = { kind: [{ value: 'wms', count: 2 }, { value: 'wfs', count: 1 }], theme: [{ value: 'hy', count: 1 }, { value: 'so', count: 1 }], status: [{ value: 'alive', count: 1 }, { value: 'degraded', count: 1 }, { value: 'dead', count: 1 }], quality: [{ value: '0-25', count: 1 }, { value: '76-100', count: 1 }, { value: '51-75', count: 1 }] };
      return { total: 3, results: query.get('limit') === '0' ? [] : Object.values(records).map((one) => ({ ...one, hit: { score: 1, layers: [] } })), facets, took_ms: 1 };
    }
    if (first === 'records' && !records[id]) return undefined;
    if (first === 'records') {
      if (!what) return records[id];
      if (what === 'quality') return this.empty || id !== 'lakes' ? { id, score: null, check: null, number: null, scheduled: true, next: new Date(Date.now() + hour).toISOString() } : quality(this.number);
      if (what === 'check') return setTimeout(() => (this.number += 1), 1200) && { asked: new Date().toISOString() };
      if (what === 'uptime') return this.empty ? { windows: { '24h': { checks: 0, available: 0 }, '30d': { checks: 0, available: 0 }, '1y': { checks: 0, available: 0 } }, days: [], outages: [] } : uptime;
      if (what === 'checks') return { results: this.empty ? [] : checks };
      if (what === 'changes') return { results: this.empty ? [] : changes };
      if (what === 'layers') return { total: 1, results: [{ name: 'lk:lakes', title: 'Lakes', bbox: [20, 59, 31, 70] }] };
      if (what === 'badge.svg') return badge;
      if (what === 'successors' && method === 'POST') return this.successors.find((one) => one.id === other && (one.state = body.action === 'accept' ? 'accepted' : 'rejected')) && null;
      if (what === 'successors') return { results: id === 'soils' ? this.successors : [] };
    }
    if (first === 'monitoring') return this.empty ? { ...monitoring, statuses: {}, enrolled: 0, hosts: [] } : monitoring;
    if (first === 'notices') return { results: this.empty || query.get('after') || query.get('before') ? [] : notices.filter((one) => (!query.get('kind') || one.kind === query.get('kind')) && (!query.get('host') || one.host === query.get('host'))) };
    if (first === 'providers' && id) return id === host.name ? report : undefined;
    if (first === 'providers') return ((found) => ({ total: found.length, results: found }))(this.empty ? [] : hosts.filter((one) => one.host.includes(query.get('q') ?? '')));
    if (first === 'themes') return themes;
    if (first === 'statistics') return statistics;
    if (first === 'account') return { total: 0, results: [] };
    if (first === 'alerts' && !id && method === 'GET') return { results: this.alerts };
    if (first === 'alerts' && !id) return this.alerts.push({ ...body, number: this.alerts.length + 1 }) && this.alerts.at(-1);
    if (first === 'alerts' && method === 'PATCH') return Object.assign(this.alerts.find((one) => one.number === Number(id)), body);
    if (first === 'alerts' && method === 'DELETE') return (this.alerts = this.alerts.filter((one) => one.number !== Number(id))) && null;
    if (first === 'alerts' && what === 'test') return null;
    return undefined;
  }

  serveFile(pathname, response) {
    let path = join(dist, normalize(pathname));
    if (!path.startsWith(dist) || !statSync(path, { throwIfNoEntry: false })?.isFile()) path = join(dist, 'index.html');
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream', 'content-security-policy': "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; script-src 'self'" });
    response.end(readFileSync(path));
  }
}
