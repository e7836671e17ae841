// Display names of filters and their values.

import { currentLanguage, findMessage, t, type MessageKey } from '../lib/messages.svelte';
import { countryName } from '../lib/gazetteer';
import { kindName } from '../lib/kinds.svelte';
import { themeName } from '../lib/themeNames.svelte';
import { formatBox, parseBox } from '../lib/boundingBox';
import type { SearchFilter } from './searchQuery';

const statuses = ['alive', 'degraded', 'dead', 'restricted', 'blocked', 'inconclusive', 'unchecked', 'any'];

function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(currentLanguage(), { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

export function valueName(facet: string, value: string): string {
  if (facet === 'kind') return kindName(value);
  if (facet === 'country') return countryName(value);
  if (facet === 'language') return languageName(value);
  if (facet === 'status' && statuses.includes(value)) return t(`status.${value}` as MessageKey);
  if (facet === 'quality') return findMessage(`quality.band.${value}`) ?? findMessage(`quality.${value}`) ?? value;
  if (facet === 'theme') return themeName(value);
  return value;
}

/** Returns the display name of a filter, including its value. */
export function filterName(filter: SearchFilter, query: URLSearchParams): string {
  if (filter.key === 'bbox') {
    const box = parseBox(query.get('bbox'));
    const place = query.get('place');
    return place === 'view' || !box ? t('place.view') : place || formatBox(box);
  }
  if (filter.key === 'time') return `${query.get('from') || '…'} – ${query.get('to') || '…'}`;
  return valueName(filter.key, filter.value ?? '');
}
