// Shapes of the API that the desk pages use.

import type { Box } from '../lib/stage';

export const TASK_STATES = ['draft', 'queued', 'running', 'pausing', 'paused', 'stopping', 'stopped', 'finished', 'failed'] as const;
export type TaskState = (typeof TASK_STATES)[number];

export interface JobSpec {
  title: string;
  kind: 'crawl' | 'harvest';
  keywords: string[];
  seeds: string[];
  lists: string[];
  depth: number;
  width: number | null;
  max_pages: number | null;
  max_per_host: number | null;
  scope: 'host' | 'domain' | 'any';
  kinds: string[];
  area: Box | null;
  ordering: 'hints' | 'fifo';
  render: boolean;
  schedule: string | null;
  public: boolean;
}

export interface Counters {
  pages: number;
  probes: number;
  failures: number;
  skipped: number;
  bytes: number;
  resources: number;
  known: number;
  pending: number;
  hosts: number;
}

export type TaskAction = 'start' | 'pause' | 'resume' | 'stop' | 'edit' | 'clone' | 'delete';

export interface Task {
  id: number;
  name: string;
  owner: { id: number; name: string } | null;
  mine: boolean;
  spec: JobSpec;
  state: TaskState;
  error?: string | null;
  created: string;
  started?: string | null;
  ended?: string | null;
  next_run?: string | null;
  run?: number | null;
  counters: Counters;
  may: TaskAction[];
}

export interface Fetch {
  url: string;
  millis?: number | null;
  class?: string | null;
}

export interface Tallies {
  pages_by_depth: Record<string, number>;
  finds_by_depth: Record<string, number>;
  kinds: Record<string, number>;
  outcomes: Record<string, number>;
}

export interface Live {
  run: number;
  at: string;
  counters: Counters;
  in_flight: number;
  active_hosts: number;
  pages_per_second: number;
  finds_per_minute: number;
  tallies: Tallies;
  fetches: Fetch[];
}

/** A find as the server tells it: a short record with its place in the store's order. */
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

export interface Sample {
  at: string;
  pages: number;
  probes: number;
  failures: number;
  resources: number;
  pending: number;
  bytes: number;
}

export interface List<T> {
  total: number;
  results: T[];
}
