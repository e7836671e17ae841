// A collection that is looked at: asked for every second while a run is on or waits, and not at all otherwise.

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
  /** The ranked list of the latest run. */
  results = $state.raw<RankedResults | null>(null);
  problem = $state.raw<ApiError | null>(null);
  /** Grows whenever what is kept may have changed. */
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
      // A run that waits changes nothing yet.
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

  /** What the server answered to a wish. */
  changed(collection: Collection): void {
    this.collection = collection;
    this.generation += 1;
    this.later();
  }

  private later(): void {
    clearTimeout(this.timer);
    // A page that nobody sees waits until it is seen.
    if (this.isMoving) this.timer = setTimeout(() => (document.visibilityState === 'visible' ? void this.load() : this.later()), POLL_INTERVAL);
  }

  close(): void {
    clearTimeout(this.timer);
    this.asking.abort();
  }
}
