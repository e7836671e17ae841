// What is asked, as it stands in the address bar, and how the API is asked for it.

import type { paths } from '../lib/api-types';
import { parseBox } from '../lib/boundingBox';
import type { FacetName } from '../lib/records';

export const facetNames: FacetName[] = ['kind', 'theme', 'country', 'provider', 'status', 'quality', 'licence', 'crs', 'language'];

/** Parts of the query that belong to the question; the rest belongs to the map or the page. */
export const searchKeys = ['q', 'bbox', 'place', 'relation', 'from', 'to', 'by', 'sort', ...facetNames];

/** What the API takes as a question. */
export type SearchParams = NonNullable<paths['/api/v1/places']['get']['parameters']['query']>;

/** The question as the API takes it; boxes that are no boxes are left out. */
export function readSearchParams(query: URLSearchParams): SearchParams {
  const params: SearchParams = {};
  const words = query.get('q')?.trim();
  if (words) params.q = words;
  const box = parseBox(query.get('bbox'));
  if (box) {
    params.bbox = box.join(',');
    const relation = query.get('relation');
    if (relation === 'contains' || relation === 'within') params.relation = relation;
  }
  for (const key of ['from', 'to'] as const) if (/^\d{4}(-\d\d(-\d\d)?)?$/.test(query.get(key) ?? '')) params[key] = query.get(key) ?? undefined;
  if (query.get('by') === 'layers') params.by = 'layers';
  const sort = query.get('sort');
  if (sort === 'newest' || sort === 'title' || sort === 'quality') params.sort = sort;
  for (const name of facetNames) {
    const values = query.getAll(name);
    if (values.length) params[name] = values;
  }
  return params;
}

/** Two addresses with the same key ask the same. */
export function searchKey(query: URLSearchParams): string {
  return JSON.stringify(readSearchParams(query));
}

export interface SearchFilter {
  /** Part of the query. */
  key: string;
  /** One value of many; absent when the whole part goes. */
  value?: string;
}

/** Everything that narrows the result and can be lifted. */
export function activeFilters(query: URLSearchParams): SearchFilter[] {
  const found: SearchFilter[] = [];
  if (parseBox(query.get('bbox'))) found.push({ key: 'bbox' });
  if (query.get('from') || query.get('to')) found.push({ key: 'time' });
  for (const name of facetNames) for (const value of query.getAll(name)) found.push({ key: name, value });
  return found;
}

/** The query without one filter. */
export function removeFilter(query: URLSearchParams, filter: SearchFilter): URLSearchParams {
  const left = new URLSearchParams(query);
  if (filter.key === 'bbox') for (const key of ['bbox', 'place', 'relation']) left.delete(key);
  else if (filter.key === 'time') for (const key of ['from', 'to']) left.delete(key);
  else {
    const values = left.getAll(filter.key).filter((value) => value !== filter.value);
    left.delete(filter.key);
    for (const value of values) left.append(filter.key, value);
  }
  return left;
}

/** The query with a facet value chosen or taken back. */
export function toggleValue(query: URLSearchParams, name: FacetName, value: string): string[] {
  const values = query.getAll(name);
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
}

/** Only what is asked, for a link that starts somewhere else. */
export function searchOnly(query: URLSearchParams): URLSearchParams {
  const left = new URLSearchParams();
  for (const key of searchKeys) for (const value of query.getAll(key)) left.append(key, value);
  return left;
}
