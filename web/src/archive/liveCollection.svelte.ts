// State of an open collection. Polls every second while a run is queued or in progress.

import { unwrapAnswer, client, ApiError } from '../lib/api';
import { t } from '../lib/messages.svelte';
import { collectionOf, type Collection, type RankedResults, type CollectionRun } from './types';

const POLL_INTERVAL = 1000;

export function isRunPending(collection: Collection | null): boolean {
  return collection !== null && (collection.queued || collection.last_run?.state === 'running');
}

export class LiveCollection {
  collection = $state.raw<Collection | null>(null);
  runs = $state.raw<CollectionRun[] | null>(null);
  /** Ranked list of the latest run. */
  results = $state.raw<RankedResults | null>(null);
  problem = $state.raw<ApiError | null>(null);
  /** Increases whenever archived content may have changed. */
  generation = $state(0);
  readonly isMoving = $derived(isRunPending(this.collection));

  private timer: ReturnType<typeof setTimeout> | undefined;
  private asking = new AbortController();

  constructor(readonly acronym: string) {}

  async load(): Promise<void> {
    clearTimeout(this.timer);
    this.asking.abort();
    const { signal } = (this.asking = new AbortController());
    const own = { params: { path: { acronym: this.acronym } }, signal };
    try {
      const before = this.collection;
      const collection = collectionOf(await unwrapAnswer(client.GET('/collections/{acronym}', own)));
      // A queued run changes nothing yet.
      if (!before || before.last_run?.at !== collection.last_run?.at || before.last_run?.state === 'running' || collection.last_run?.state === 'running') {
        const [runs, results] = await Promise.all([
          unwrapAnswer(client.GET('/collections/{acronym}/runs', own)),
          unwrapAnswer(client.GET('/collections/{acronym}/results', own)),
        ]);
        this.runs = runs.results;
        this.results = results;
      }
      this.collection = collection;
      if (before && (before.items !== collection.items || (isRunPending(before) && !isRunPending(collection)))) this.generation += 1;
      this.problem = null;
    } catch (error) {
      if (signal.aborted) return;
      this.problem = error instanceof ApiError ? error : new ApiError(0, '', t('desk.unexpected'));
    }
    this.later();
  }

  /** Applies the server's response to a command. */
  changed(collection: Collection): void {
    this.collection = collection;
    this.generation += 1;
    this.later();
  }

  private later(): void {
    clearTimeout(this.timer);
    // A hidden page polls again when it becomes visible.
    if (this.isMoving) this.timer = setTimeout(() => (document.visibilityState === 'visible' ? void this.load() : this.later()), POLL_INTERVAL);
  }

  close(): void {
    clearTimeout(this.timer);
    this.asking.abort();
  }
}
