// Place names, looked up on the server.

import { unwrapAnswer, client, type Schemas } from './api';
import { currentLanguage, t } from './messages.svelte';

export type NamedPlace = Schemas['NamedPlace'];

/** Shorter texts are not looked up. */
const shortest = 3;

/** Finds places named by the words or by their beginning. Returns an empty list if the server fails: the search works without. */
export async function findPlaces(words: string, as: 'typed' | 'said', limit: number, signal?: AbortSignal): Promise<NamedPlace[]> {
  const q = words.trim();
  if (q.length < shortest || new TextEncoder().encode(q).length > 200) return [];
  try {
    return (await unwrapAnswer(client.GET('/gazetteer', { params: { query: { q, as, limit } }, signal }))).places;
  } catch {
    return [];
  }
}

/** Returns the name of a country in the language of the page; unknown codes stay unchanged. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames([currentLanguage()], { type: 'region' }).of(code.toUpperCase()) ?? code;
  } catch {
    return code;
  }
}

/** Returns the display name of a place. */
export function placeName(place: NamedPlace): string {
  return place.kind === 'country' && place.country ? countryName(place.country) : place.name;
}

/** Returns what a place belongs to, to distinguish places of the same name; for countries and larger areas, their type. */
export function placeContext(place: NamedPlace): string {
  if (place.kind === 'country' || !place.country) return t(`place.kind.${place.kind}`);
  const part = place.kind === 'region' ? t('place.kind.region') : place.region !== place.name ? place.region : '';
  return [part, countryName(place.country)].filter(Boolean).join(', ');
}
