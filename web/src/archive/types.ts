// Shapes of the API that the pages of collections use: those of the OpenAPI document (`npm run types`), with words that
// are one of a few narrowed.

import type { components } from '../lib/api-types';

type Schemas = components['schemas'];

export type RunState = 'running' | 'finished' | 'failed';
export type VersionKind = 'new' | 'modified' | 'unchanged' | 'deleted';
export type ItemRole = 'result' | 'page' | 'requisite';
export type ResultState = 'waiting' | 'kept' | 'rejected' | 'failed' | 'gone';
export type CollectionAction = 'run' | 'edit' | 'rollback' | 'delete';
export type Scope = 'host' | 'domain' | 'any';

/** A whole wish: the server fills in what a sender leaves out, so an answer has every part. */
export type Spec = Required<Omit<Schemas['CollectionWish'], 'scope'>> & { scope: Scope };
export type Run = Omit<Schemas['RunView'], 'state'> & { state: RunState };
export type Collection = Omit<Schemas['CollectionView'], 'spec' | 'may' | 'last_run'> & { spec: Spec; may: CollectionAction[]; last_run?: Run | null };
export type Result = Omit<Schemas['ResultView'], 'state'> & { state: ResultState };
export type Results = { run?: Run | null; results: Result[] };
export type Version = Omit<Schemas['VersionView'], 'kind'> & { kind: VersionKind };
export type Item = Omit<Schemas['ItemView'], 'role' | 'version'> & { role: ItemRole; version: Version };
export type Items = Omit<Schemas['ItemList'], 'results'> & { results: Item[] };
export type History = Omit<Schemas['HistoryView'], 'role' | 'versions'> & { role: ItemRole; versions: Version[] };
export type Note = Schemas['NoteView'];

/** Address of a collection in the API, and of what hangs on it. */
export const collectionPath = (acronym: string, rest = '') => `/collections/${encodeURIComponent(acronym)}${rest}`;
