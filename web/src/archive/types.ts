// Shapes of the API that the pages of collections use: those of the OpenAPI document (`npm run types`), with words that
// are one of a few narrowed.

import type { Schemas } from '../lib/api';

export type RunState = Schemas['RunState'];
export type VersionKind = Schemas['VersionKind'];
export type ItemRole = Schemas['ItemRole'];
export type ResultState = 'waiting' | 'kept' | 'rejected' | 'failed' | 'gone';
export type CollectionAction = Schemas['CollectionAction'];
export type Scope = 'host' | 'domain' | 'any';

/** A whole wish: the server fills in what a sender leaves out, so an answer has every part. */
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

/** Address of a collection in the API, and of what hangs on it. */
export const collectionPath = (acronym: string, rest = '') => `/collections/${encodeURIComponent(acronym)}${rest}`;
