// Search parameters: how they are stored in the address bar and sent to the API.

import type { paths } from '../lib/api-types';
import { parseBox } from '../lib/boundingBox';
import type { FacetName } from '../lib/records';

export const facetNames: FacetName[] = ['kind', 'theme', 'country', 'provider', 'status', 'quality', 'licence', 'crs', 'language'];

/** Query parameters that define the search; all others belong to the map or the page. */
export const searchKeys = ['q', 'bbox', 'place', 'relation', 'from', 'to', 'by', 'sort', ...facetNames];

/** Search parameters accepted by the API. */
export type SearchParams = NonNullable<paths['/api/v1/places']['get']['parameters']['query']>;

/** Converts the query of the address bar into API parameters. Skips invalid boxes and values. */
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

/** Returns a key that is equal for queries that define the same search. */
export function searchKey(query: URLSearchParams): string {
  return JSON.stringify(readSearchParams(query));
}

export interface SearchFilter {
  /** Query parameter. */
  key: string;
  /** One of several values; absent to remove the whole parameter. */
  value?: string;
}

/** Lists the active filters, each of which can be removed. */
export function activeFilters(query: URLSearchParams): SearchFilter[] {
  const found: SearchFilter[] = [];
  if (parseBox(query.get('bbox'))) found.push({ key: 'bbox' });
  if (query.get('from') || query.get('to')) found.push({ key: 'time' });
  for (const name of facetNames) for (const value of query.getAll(name)) found.push({ key: name, value });
  return found;
}

/** Returns the query without one filter. */
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

/** Returns the values of a facet with one value added, or removed if it is present. */
export function toggleValue(query: URLSearchParams, name: FacetName, value: string): string[] {
  const values = query.getAll(name);
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
}

/** Returns only the search parameters, for links to another page. */
export function searchOnly(query: URLSearchParams): URLSearchParams {
  const left = new URLSearchParams();
  for (const key of searchKeys) for (const value of query.getAll(key)) left.append(key, value);
  return left;
}
