// API types of services and search results, from the OpenAPI document.

import type { Schemas } from './api';

export type Status = Schemas['Status'];
export type FacetName = 'kind' | 'theme' | 'country' | 'provider' | 'status' | 'quality' | 'licence' | 'crs' | 'language';

export type Dataset = Schemas['Dataset'];
export type ServiceRecord = Schemas['RecordAnswer'];
export type SearchHit = Schemas['SearchResult'];
export type SearchAnswer = Omit<Schemas['SearchAnswer'], 'facets'> & { facets: Partial<Record<FacetName, Schemas['FacetCount'][]>> };
export type ServerMeta = Schemas['Meta'];
export type BaseMap = Schemas['BaseMap'];
export type Places = Schemas['PlacesAnswer'];
