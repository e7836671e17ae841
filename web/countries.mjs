// Generates the country data of the search engine: which country each cell of a quarter degree belongs to (lands.txt, from
// the 1:50m countries of Natural Earth, public domain) and the names of countries (countries.txt, from the Unicode CLDR
// data of the platform, with the box of their mainland). Run it with `npm run countries` and commit the result.

import { readFileSync, writeFileSync } from 'node:fs';
import iso from 'i18n-iso-countries';
import { feature } from 'topojson-client';

const words = new URL('../crates/geotrawl-index/src/words/', import.meta.url);
/** Cells per degree. */
const fine = 4;
const [columns, rows] = [360 * fine, 180 * fine];
/** Languages that the search engine stems. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'cs', 'sv', 'da', 'no', 'fi', 'hu', 'ro', 'tr'];
/** Countries without a numeric code in the data. */
const named = { Kosovo: 'XK', 'N. Cyprus': 'CY', Somaliland: 'SO', 'Indian Ocean Ter.': 'AU', 'Ashmore and Cartier Is.': 'AU', 'Siachen Glacier': null };
/** Further common names. */
const besides = {
  AE: ['uae', 'emirates'], BA: ['bosnia'], CD: ['drc', 'democratic republic of the congo'], CI: ['ivory coast'], CN: ['中国'], CZ: ['czech republic', 'česká republika'],
  EE: ['eesti'], GB: ['great britain', 'britain', 'uk', 'british', 'großbritannien', 'grande-bretagne'], GR: ['hellas', 'ελλάδα'], HR: ['hrvatska'], HU: ['magyarország'], IE: ['éire'], IS: ['ísland'],
  JP: ['日本'], KR: ['korea'], LT: ['lietuva'], LV: ['latvija'], MK: ['macedonia'], MM: ['burma'], NL: ['holland', 'dutch', 'the netherlands'], NO: ['norge'], PL: ['polish'], RO: ['românia'], RU: ['россия'],
  SI: ['slovenija'], SK: ['slovensko'], TR: ['turkey'], UA: ['ukraina', 'україна'], US: ['usa', 'united states of america', 'u.s.', 'conus'], CH: ['swiss', 'schweizerisch'], FI: ['finnish'], SE: ['swedish'],
  DK: ['danish'], DE: ['german'], FR: ['french'], ES: ['spanish'], IT: ['italian'], AT: ['austrian'], BE: ['belgian'], CA: ['canadian'], AU: ['australian'],
};

const atlas = JSON.parse(readFileSync(new URL('node_modules/world-atlas/countries-50m.json', import.meta.url), 'utf8'));
const countries = feature(atlas, atlas.objects.countries).features.flatMap(({ id, properties, geometry }) => {
  const code = id === undefined ? named[properties.name] : iso.numericToAlpha2(id);
  if (code === undefined) throw new Error(`no country code for ${properties.name} (${id}): add it to the list in countries.mjs`);
  if (code === null || code === 'AQ') return [];
  return [{ code, polygons: geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates }];
});

const cells = new Array(columns * rows).fill('');
const cell = (lon, lat) => Math.min(rows - 1, Math.floor((90 - lat) * fine)) * columns + Math.min(columns - 1, Math.floor((lon + 180) * fine));
for (const { code, polygons } of countries) {
  let some = false;
  for (const polygon of polygons) {
    for (let row = 0; row < rows; row++) {
      const lat = 90 - (row + 0.5) / fine;
      const crossings = [];
      for (const ring of polygon) {
        for (let at = 0; at + 1 < ring.length; at++) {
          const [[x1, y1], [x2, y2]] = [ring[at], ring[at + 1]];
          if (y1 > lat !== y2 > lat) crossings.push(x1 + ((lat - y1) / (y2 - y1)) * (x2 - x1));
        }
      }
      crossings.sort((a, b) => a - b);
      for (let at = 0; at + 1 < crossings.length; at += 2) {
        for (let column = Math.max(0, Math.ceil((crossings[at] + 180) * fine - 0.5)); column < columns && (column + 0.5) / fine - 180 < crossings[at + 1]; column++) {
          cells[row * columns + column] = code;
          some = true;
        }
      }
    }
  }
  // Countries smaller than a cell get one cell.
  if (!some) {
    const largest = polygons.map(([ring]) => ring).reduce((best, ring) => (ring.length > best.length ? ring : best));
    const middle = [0, 1].map((axis) => largest.reduce((sum, point) => sum + point[axis], 0) / largest.length);
    cells[cell(...middle)] = code;
  }
}

const lines = [];
for (let row = 0; row < rows; row++) {
  const line = [];
  for (let column = 0; column < columns; ) {
    const code = cells[row * columns + column];
    let end = column;
    while (end < columns && cells[row * columns + end] === code) end++;
    if (code || end < columns) line.push(`${end - column}${code}`);
    column = end;
  }
  lines.push(line.join(' '));
}
writeFileSync(
  new URL('lands.txt', words),
  `# Whose land is where: a line for each quarter of a degree from north to south; in it, from west to east, how many cells and whose (none: water).\n# From the 1:50m countries of Natural Earth (public domain), by web/countries.mjs.\n${lines.join('\n')}\n`,
);

/** Maximum distance in degrees between parts of a mainland; territories farther away are left out of its box. */
const near = 8;
function mainLand(code) {
  const left = countries.filter((country) => country.code === code).flatMap(({ polygons }) => polygons.map(([ring]) => around(ring)));
  const size = ([west, south, east, north]) => (east - west) * (north - south);
  left.sort((a, b) => size(b) - size(a));
  let [box] = left.splice(0, 1);
  for (let at = 0; at < left.length; at++) {
    const [, south, , north] = left[at];
    // Measure across the antimeridian too.
    const turn = [0, 360, -360].find((turn) => left[at][0] + turn - box[2] <= near && box[0] - left[at][2] - turn <= near);
    if (turn === undefined || south - box[3] > near || box[1] - north > near) continue;
    box = [Math.min(box[0], left[at][0] + turn), Math.min(box[1], south), Math.max(box[2], left[at][2] + turn), Math.max(box[3], north)];
    left.splice(at, 1);
    at = -1;
  }
  const onGlobe = (lon) => (lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon);
  return [onGlobe(box[0]), box[1], onGlobe(box[2]), box[3]].map((value) => Math.round(value * 1000) / 1000);
}
function around(ring) {
  const lats = ring.map(([, lat]) => lat);
  let lons = ring.map(([lon]) => lon);
  if (Math.max(...lons) - Math.min(...lons) > 180) lons = lons.map((lon) => (lon < 0 ? lon + 360 : lon));
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
}

const codes = [...new Set(countries.map(({ code }) => code))].sort();
const plain = (text) => text.toLowerCase().replace(/\s*[([].*/, '').replace(/[’'.]/g, (sign) => (sign === '.' ? '' : "'")).trim();
const names = codes.map((code) => {
  const called = languages.map((language) => plain(new Intl.DisplayNames([language], { type: 'region' }).of(code)));
  const usable = [...called, ...(besides[code] ?? [])].filter((name) => !name.includes(',') && name.split(/[\s-]+/).length <= 4);
  return [`@${code.toLowerCase()} ${mainLand(code).join(' ')}`, ...new Set(usable)].join(', ');
});
writeFileSync(
  new URL('countries.txt', words),
  `# Names of countries in the languages that are stemmed, and what else they are called (Unicode CLDR; by web/countries.mjs).\n# One line a country, with its code and the box of its main land; without languages, because names travel.\n${names.join('\n')}\n`,
);
