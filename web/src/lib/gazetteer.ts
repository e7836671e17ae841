// Places by name, as the server knows them.

import { unwrapAnswer, client, type Schemas } from './api';
import { currentLanguage, t } from './messages.svelte';

export type NamedPlace = Schemas['NamedPlace'];

/** Fewer letters name nothing. */
const shortest = 3;

/** Places that the words name, or whose names they may begin. None where the server cannot be asked: a help, no answer. */
export async function findPlaces(words: string, as: 'typed' | 'said', limit: number, signal?: AbortSignal): Promise<NamedPlace[]> {
  const q = words.trim();
  if (q.length < shortest || new TextEncoder().encode(q).length > 200) return [];
  try {
    return (await unwrapAnswer(client.GET('/gazetteer', { params: { query: { q, as, limit } }, signal }))).places;
  } catch {
    return [];
  }
}

/** Name of a country in the page's language; unknown codes stay. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames([currentLanguage()], { type: 'region' }).of(code.toUpperCase()) ?? code;
  } catch {
    return code;
  }
}

/** What the place is called here. */
export function placeName(place: NamedPlace): string {
  return place.kind === 'country' && place.country ? countryName(place.country) : place.name;
}

/** Where it is, for telling it from others of its name; of the largest, what it is. */
export function placeContext(place: NamedPlace): string {
  if (place.kind === 'country' || !place.country) return t(`place.kind.${place.kind}`);
  const part = place.kind === 'region' ? t('place.kind.region') : place.region !== place.name ? place.region : '';
  return [part, countryName(place.country)].filter(Boolean).join(', ');
}
