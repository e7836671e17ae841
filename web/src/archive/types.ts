// API types of the collection pages, from the OpenAPI document (`npm run types`). Strings with a fixed set of values
// are narrowed.

import type { Schemas } from '../lib/api';

export type RunState = Schemas['RunState'];
export type VersionKind = Schemas['VersionKind'];
export type ItemRole = Schemas['ItemRole'];
export type ResultState = 'waiting' | 'kept' | 'rejected' | 'failed' | 'gone';
export type CollectionAction = Schemas['CollectionAction'];
export type Scope = 'host' | 'domain' | 'any';

/** A complete collection specification: the server fills in defaults, so responses have every member. */
export type CollectionSpec = Required<Omit<Schemas['CollectionSpec'], 'scope'>> & { scope: Scope };
export type CollectionRun = Schemas['RunView'];
export type Collection = Omit<Schemas['CollectionView'], 'spec'> & { spec: CollectionSpec };
export const collectionOf = (collection: Schemas['CollectionView']) => collection as Collection;
export type RankedResult = Schemas['ResultView'];
export type RankedResults = Schemas['ResultList'];
export type ItemVersion = Schemas['VersionView'];
export type CollectionItem = Schemas['ItemView'];
export type CollectionItems = Schemas['ItemList'];
export type ItemHistory = Schemas['HistoryView'];
export type CollectionNote = Schemas['NoteView'];

/** Returns the API path of a collection or of a resource below it. */
export const collectionPath = (acronym: string, rest = '') => `/collections/${encodeURIComponent(acronym)}${rest}`;
