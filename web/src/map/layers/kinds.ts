// The files that draw layers; profiles of kinds say which one draws which. Its code loads when the first of its layers is added.

import { kindFacts } from '../../lib/kind-facts';
import type { DrawLayer } from './layerRequest';

const loaders = {
  wms: () => import('./wms'),
  wmts: () => import('./wmts'),
  tiles: () => import('./tiles'),
  tms: () => import('./tms'),
  wfs: () => import('./wfs'),
  features: () => import('./features'),
  ogcTiles: () => import('./ogcTiles'),
  arcgis: () => import('./arcgis'),
  files: () => import('./files'),
  cog: () => import('./cog'),
  pmtiles: () => import('./pmtiles'),
} satisfies Record<string, () => Promise<{ draw: DrawLayer }>>;

export type Drawer = keyof typeof loaders;

const drawerName = (kind: string): Drawer | undefined => kindFacts[kind]?.[1];

export function isDrawableKind(kind: string): boolean {
  return drawerName(kind) !== undefined;
}

/** Whether it is drawn whole; for others one of their layers must be named. */
export function isDrawnWhole(kind: string, layers: number): boolean {
  // Few services have tiles of everything together; those without a list of layers can only be tried.
  if (kind === 'ogcapi-tiles') return layers === 0;
  if (kind === 'tms') return layers <= 1;
  return ['files', 'cog', 'pmtiles', 'tiles'].includes(drawerName(kind) ?? '') || kind === 'arcgis-mapserver' || kind === 'arcgis-imageserver' || kind === 'arcgis-vectortileserver';
}

export async function loadDrawer(kind: string): Promise<DrawLayer | null> {
  const name = drawerName(kind);
  return name ? (await loaders[name]()).draw : null;
}
