// What the API says about services, by the names these pages use. The shapes are those of the OpenAPI document
// (`npm run types`); words that are one of a few are narrowed here.

import type { components } from './api-types';

type Schemas = components['schemas'];

export type Status = 'alive' | 'degraded' | 'dead' | 'restricted' | 'blocked' | 'inconclusive' | 'unchecked';
export type FacetName = 'kind' | 'theme' | 'country' | 'provider' | 'status' | 'quality' | 'licence' | 'crs' | 'language';

/** A layer; `title_html` when words were looked for. */
export type Dataset = Schemas['Dataset'] & { title_html?: string | null };
export type ServiceRecord = Omit<Schemas['Record'], 'status'> & { status: Status; kind_name?: string; score_points?: Record<string, unknown> | null };
export type Hit = ServiceRecord & { hit: Schemas['HitView'] };
export type Answer = Omit<Schemas['SearchAnswer'], 'results' | 'facets'> & { results: Hit[]; facets: Partial<Record<FacetName, Schemas['FacetCount'][]>> };
export type Meta = Schemas['Meta'];
export type BaseMap = Schemas['BaseMap'];
export type Places = Schemas['PlacesAnswer'];
