// Focus of a task after some time with a learned ranking, for pages that need one at once.

const minutes = (n) => new Date(Date.now() - n * 60_000).toISOString();
const reason = (name, adds, text) => ({ name, adds, text });
const page = (url, depth, width, expects, ...reasons) => ({ url, depth, width, expected: 'page', why: { place: 1200, expects, reasons } });

export const engines = [
  { name: 'house', kind: 'searxng' },
  { name: 'brave', kind: 'brave', left_today: 61 },
  { name: 'mojeek', kind: 'mojeek', left_today: 0 },
];

export const orderings = [
  { name: 'learned', about: 'What pays, learned from all that was found', learns: true },
  { name: 'hints', about: 'Nearer pages first', learns: false },
  { name: 'polarhub', about: 'Group by group', learns: false },
  { name: 'atf', about: 'Accumulated term frequencies', learns: true },
  { name: 'cosine', about: 'Closest to the words', learns: false },
  { name: 'fifo', about: 'As found', learns: false },
  { name: 'newest', about: 'An order this page has no words for', learns: false },
];

export const focus = {
  ordering: 'learned',
  learns: true,
  opened: 3,
  widths: [
    { width: 1, opened: minutes(42), seeds: 10, pages: 1204, finds: 61, ended: minutes(25), why: 'Everything it led to was read', given_up: false },
    { width: 2, opened: minutes(25), seeds: 10, pages: 733, finds: 4, ended: minutes(9), why: 'It gave nothing new for 500 pages in a row', given_up: true },
    { width: 3, opened: minutes(9), seeds: 10, pages: 212, finds: 9, given_up: false },
  ],
  depths: [
    { depth: 0, pages: 30, finds: 2 },
    { depth: 1, pages: 410, finds: 37 },
    { depth: 2, pages: 1709, finds: 35 },
  ],
  vocabulary: [
    ...['geoportal', 'wms', 'karten', 'inspire', 'dienste', 'opendata', 'arcgis', 'layer', 'downloads', 'cartographie', 'hydrography', 'gis', 'capabilities', 'viewer'].map((term, at) => ({ term, weight: 2.4 - at * 0.15, seen: 210 - at * 11 })),
    ...['login', 'news', 'impressum', 'jobs', 'cookies', 'datenschutzgrundverordnung'].map((term, at) => ({ term, weight: -1.6 + at * 0.2, seen: 400 - at * 31 })),
  ],
  terms: ['overstromingsgevaar', 'flood', 'wateratlas', 'catchment', 'gewässernetz'].map((term, at) => ({ term, gained: 9 - at, seen: 14 + at })),
  next: [
    { url: 'https://geo.example.org/services/ows?SERVICE=WMS', depth: 2, width: 3, expected: 'service', why: { place: 0, reasons: [reason('service', 0, 'Looks like a service (wms); proven before pages are read')] } },
    page('https://geoportal.landkreis.example.de/hochwasser/karten-und-dienste/uebersicht-der-gefahrenkarten.html', 2, 3, 0.31, reason('host', 1.2, '12 services on 40 pages of this host'), reason('words:karten', 0.6, 'The word "karten" on the link'), reason('depth', -0.2, '2 links away from its seed')),
    page('https://www.waterschap.example.nl/kaarten', 1, 3, 0.044, reason('words:kaarten', 0.5, 'The word "kaarten" in the address'), reason('unknown', 0.3, 'Nothing is known of this host yet: worth a look'), reason('words:login', -0.4, 'The word "login" beside the link')),
    page('https://data.example.com/', 2, 3, 0.002),
  ],
};
