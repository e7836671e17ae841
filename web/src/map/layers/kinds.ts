// The modules that draw layers; the profile of a kind selects one. A module is loaded when its first layer is added.

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

/** Checks whether a service is drawn as a whole; otherwise a layer must be selected. */
export function isDrawnWhole(kind: string, layers: number): boolean {
  // Few tile services combine all layers; a service without a list of layers can only be tried as a whole.
  if (kind === 'ogcapi-tiles') return layers === 0;
  if (kind === 'tms') return layers <= 1;
  return ['files', 'cog', 'pmtiles', 'tiles'].includes(drawerName(kind) ?? '') || kind === 'arcgis-mapserver' || kind === 'arcgis-imageserver' || kind === 'arcgis-vectortileserver';
}

export async function loadDrawer(kind: string): Promise<DrawLayer | null> {
  const name = drawerName(kind);
  return name ? (await loaders[name]()).draw : null;
}
