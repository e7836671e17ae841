// API types of the task pages, from the OpenAPI document (`npm run types`). Strings with a fixed set of values are
// narrowed.

import type { Schemas } from '../lib/api';

export const TASK_STATES = ['draft', 'queued', 'running', 'pausing', 'paused', 'stopping', 'stopped', 'finished', 'failed'] as const satisfies TaskState[];
export type TaskState = Schemas['TaskState'];
export type TaskAction = Schemas['TaskAction'];

/** A complete task specification: the server fills in defaults, so responses have every member. */
export type JobSpec = Required<Omit<Schemas['TaskSpec'], 'scope'>> & { scope: 'host' | 'domain' | 'any' };
export type Task = Omit<Schemas['Task'], 'spec'> & { spec: JobSpec };
export const taskOf = (task: Schemas['Task']) => task as Task;
export type Counters = Schemas['TaskTotals'];
export type Fetch = Schemas['Fetch'];
export type Tallies = Schemas['Tallies'];
export type Live = Schemas['LiveFigures'];
export type Sample = Schemas['Sample'];
export type Ordering = Schemas['OrderingChoice'];
export type Engine = Schemas['EngineInfo'];
export type Focus = Schemas['FocusView'];
export type SeedGroup = Schemas['SeedGroup'];
export type LearnedTerm = Schemas['LearnedTerm'];
export type NextAddress = Schemas['NextAddress'];

export type FindEvent = Schemas['Find'];

export interface ResultPage<T> {
  total: number;
  results: T[];
}
