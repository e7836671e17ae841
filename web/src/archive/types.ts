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
export type Spec = Required<Omit<Schemas['CollectionSpec'], 'scope'>> & { scope: Scope };
export type Run = Schemas['RunView'];
export type Collection = Omit<Schemas['CollectionView'], 'spec'> & { spec: Spec };
export const collectionOf = (collection: Schemas['CollectionView']) => collection as Collection;
export type Result = Schemas['ResultView'];
export type Results = Schemas['ResultList'];
export type Version = Schemas['VersionView'];
export type Item = Schemas['ItemView'];
export type Items = Schemas['ItemList'];
export type History = Schemas['HistoryView'];
export type Note = Schemas['NoteView'];

/** Address of a collection in the API, and of what hangs on it. */
export const collectionPath = (acronym: string, rest = '') => `/collections/${encodeURIComponent(acronym)}${rest}`;
