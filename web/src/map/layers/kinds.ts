// Which kinds can be drawn, and by which file. A kind's code loads when the first of its layers is added.

import type { Draw } from './wish';

const loaders = {
  wms: () => import('./wms'),
  wmts: () => import('./wmts'),
  tiles: () => import('./tiles'),
  tms: () => import('./tms'),
  wfs: () => import('./wfs'),
  features: () => import('./features'),
  ogcTiles: () => import('./ogctiles'),
  arcgis: () => import('./arcgis'),
  files: () => import('./files'),
  cog: () => import('./cog'),
  pmtiles: () => import('./pmtiles'),
} satisfies Record<string, () => Promise<{ draw: Draw }>>;

const byKind: Record<string, keyof typeof loaders> = {
  wms: 'wms',
  'wms-c': 'wms',
  ncwms: 'wms',
  wmts: 'wmts',
  tms: 'tms',
  xyz: 'tiles',
  mvt: 'tiles',
  tilejson: 'tiles',
  wfs: 'wfs',
  'ogcapi-features': 'features',
  'ogcapi-tiles': 'ogcTiles',
  'arcgis-mapserver': 'arcgis',
  'arcgis-imageserver': 'arcgis',
  'arcgis-featureserver': 'arcgis',
  'arcgis-vectortileserver': 'arcgis',
  kml: 'files',
  kmz: 'files',
  geojson: 'files',
  topojson: 'files',
  gpx: 'files',
  cog: 'cog',
  geotiff: 'cog',
  pmtiles: 'pmtiles',
};

export function canBeShown(kind: string): boolean {
  return kind in byKind;
}

/** Whether it is drawn whole; for others one of their layers must be named. */
export function drawnWhole(kind: string, layers: number): boolean {
  // Few services have tiles of everything together; those without a list of layers can only be tried.
  if (kind === 'ogcapi-tiles') return layers === 0;
  if (kind === 'tms') return layers <= 1;
  return ['files', 'cog', 'pmtiles', 'tiles'].includes(byKind[kind] ?? '') || kind === 'arcgis-mapserver' || kind === 'arcgis-imageserver' || kind === 'arcgis-vectortileserver';
}

export async function drawerOf(kind: string): Promise<Draw | null> {
  const name = byKind[kind];
  return name ? (await loaders[name]()).draw : null;
}
