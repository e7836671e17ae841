// Kinds of services and files: their names and their family, which gives the colour.

import { unwrapAnswer, client, type Schemas } from './api';
import { kindFacts } from './kind-facts';

export const families = ['wms', 'features', 'coverage', 'tiles', 'catalogue', 'process', 'sensor', 'arcgis', 'file', 'other'] as const;
export type Family = Schemas['Family'];
export type Kind = Schemas['KindView'];

let known = $state.raw(new Map<string, Kind>());

let asked: Promise<void> | null = null;

/** Asks the server for names once; a failure is tried anew by the next one who asks. */
export function loadKinds(): Promise<void> {
  asked ??= unwrapAnswer(client.GET('/kinds')).then(
    (answer) => void (known = new Map(answer.kinds.map((kind) => [kind.id, kind]))),
    () => void (asked = null),
  );
  return asked;
}

/** All that the server knows, in its order. */
export function allKinds(): Kind[] {
  return [...known.values()];
}

export function familyOf(kind: string): Family {
  // The list of the server wins; until it is here, what was known when the page was built.
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

/** What it is, in a sentence; empty when the server has not said. */
export function kindDescription(kind: string): string {
  return known.get(kind)?.what ?? '';
}
