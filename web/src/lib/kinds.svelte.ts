// Kinds of services and files: their names and families, which give the colour.

import { unwrapAnswer, client, type Schemas } from './api';
import { kindFacts } from './kind-facts';

export const families = ['wms', 'features', 'coverage', 'tiles', 'catalogue', 'process', 'sensor', 'arcgis', 'file', 'other'] as const;
export type Family = Schemas['Family'];
export type Kind = Schemas['KindView'];

let known = $state.raw(new Map<string, Kind>());

let asked: Promise<void> | null = null;

/** Loads the names once; after a failure the next caller retries. */
export function loadKinds(): Promise<void> {
  asked ??= unwrapAnswer(client.GET('/kinds')).then(
    (answer) => void (known = new Map(answer.kinds.map((kind) => [kind.id, kind]))),
    () => void (asked = null),
  );
  return asked;
}

/** Returns all kinds in the server's order. */
export function allKinds(): Kind[] {
  return [...known.values()];
}

export function familyOf(kind: string): Family {
  // Prefer the server's list; until it is loaded, use the kinds known at build time.
  const family = known.get(kind)?.family ?? kindFacts[kind]?.[0] ?? 'other';
  return families.includes(family) ? family : 'other';
}

export function kindName(kind: string): string {
  const name = known.get(kind)?.name;
  if (name) return name;
  if (kind.startsWith('arcgis-')) return `ArcGIS ${kind.slice(7)}`;
  if (kind.startsWith('ogcapi-')) return `OGC API ${kind.slice(7)}`;
  return kind.length <= 5 ? kind.toUpperCase() : kind;
}

/** Returns a description of a kind in one sentence; empty until loaded. */
export function kindDescription(kind: string): string {
  return known.get(kind)?.what ?? '';
}
