// Shapes of the API that the desk pages use: those of the OpenAPI document (`npm run types`), with words that are one
// of a few narrowed.

import type { components } from '../lib/api-types';
import type { Box } from '../lib/stage';

type Schemas = components['schemas'];

export const TASK_STATES = ['draft', 'queued', 'running', 'pausing', 'paused', 'stopping', 'stopped', 'finished', 'failed'] as const;
export type TaskState = (typeof TASK_STATES)[number];
export type TaskAction = 'start' | 'pause' | 'resume' | 'stop' | 'edit' | 'clone' | 'delete';

/** A whole wish: the server fills in what a sender leaves out, so an answer has every part. */
export type JobSpec = Required<Omit<Schemas['TaskSpec'], 'area' | 'scope'>> & { area: Box | null; scope: 'host' | 'domain' | 'any' };
export type Task = Omit<Schemas['Task'], 'spec' | 'state' | 'may'> & { spec: JobSpec; state: TaskState; may: TaskAction[] };
export type Counters = Schemas['TaskTotals'];
export type Fetch = Schemas['FetchView'];
export type Tallies = Schemas['TalliesView'];
export type Live = Schemas['LiveView'];
export type Sample = Schemas['SampleView'];
export type Ordering = Schemas['OrderingChoice'];
export type Engine = Schemas['EngineInfo'];
export type Focus = Omit<Schemas['FocusView'], 'next'> & { next: NextAddress[] };
export type SeedGroup = Schemas['SeedGroup'];
export type LearnedTerm = Schemas['LearnedTerm'];
export type NextAddress = Omit<Schemas['NextAddress'], 'expected'> & { expected: 'page' | 'sitemap' | 'service' | 'file' | 'catalogue' };

/** A find as the server tells it: a short record with its place in the store's order. The document leaves it open. */
export interface FindEvent {
  seq: number;
  id: string;
  kind: string;
  url: string;
  title?: string | null;
  status?: string | null;
  bbox?: Box | null;
  host?: { name?: string; lat?: number | null; lon?: number | null; country?: string | null } | string | null;
  dataset_count?: number | null;
  page?: string | null;
  depth?: number | null;
}

export interface List<T> {
  total: number;
  results: T[];
}
