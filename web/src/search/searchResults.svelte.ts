// The answer to what is asked. The old answer stays until the new one is there; a newer question ends an older one.

import { answerOf, client, Problem } from '../lib/api';
import { placesOf, type NamedPlace } from '../lib/gazetteer';
import type { Answer, Hit } from '../lib/records';
import { stage } from '../lib/mapControl';
import { asked, filters, lift, questionKey, type Filter, type Question } from './searchQuery';

const pageSize = 20;
export const mostRows = 2000;

export interface Lifted {
  filter: Filter;
  total: number;
}

/** The layer of a row in a list of layers. */
export const layerOf = (row: Hit) => row.hit?.layers?.[0];

const search = (query: Question & { limit?: number; offset?: number; facets?: boolean }, signal?: AbortSignal): Promise<Answer> => answerOf(client.GET('/search', { params: { query }, signal }));

class Results {
  rows = $state.raw<Hit[]>([]);
  total = $state(0);
  facets = $state.raw<Answer['facets']>({});
  /** How many have all words, where others are shown too. */
  complete = $state<number | undefined>();
  meant = $state<string | undefined>();
  /** The rows are of what was meant, not of what was written. */
  corrected = $state(false);
  took = $state<number | undefined>();
  /** An answer has come, maybe an empty one. */
  known = $state(false);
  asking = $state(false);
  askingMore = $state(false);
  problem = $state.raw<Problem | null>(null);
  /** For an empty answer: how many there are without each filter. */
  lifted = $state.raw<Lifted[] | null>(null);
  withoutPlace = $state(0);
  /** Places that the words name, where no place is asked for. */
  named = $state.raw<NamedPlace[]>([]);
  /** Of which question the rows are. */
  key = $state('');
  /** Each row is one layer; one service may have many. */
  byLayers = $state(false);
  private stop: AbortController | null = null;
  /** The question that is on its way. */
  private pending: string | null = null;

  async ask(query: URLSearchParams, again = false): Promise<void> {
    const key = questionKey(query);
    if (!again && (key === this.pending || (key === this.key && this.known && this.pending === null))) return;
    this.stop?.abort();
    this.pending = key;
    const stop = (this.stop = new AbortController());
    this.asking = true;
    const params = asked(query);
    try {
      const answer = await search({ ...params, limit: pageSize, facets: true }, stop.signal);
      this.rows = answer.results;
      this.byLayers = params.by === 'layers';
      this.total = answer.total;
      this.facets = answer.facets ?? {};
      this.complete = answer.complete ?? undefined;
      this.meant = answer.did_you_mean ?? undefined;
      this.corrected = answer.corrected;
      this.took = answer.took_ms;
      this.key = key;
      this.known = true;
      this.problem = null;
      this.lifted = null;
      if (answer.total === 0) void this.explain(query, stop.signal);
      void this.places(params, stop.signal);
      void this.name(params, stop.signal);
    } catch (problem) {
      if (stop.signal.aborted) return;
      this.problem = problem instanceof Problem ? problem : new Problem(0, '', String(problem));
    } finally {
      if (this.stop === stop) {
        this.asking = false;
        this.pending = null;
      }
    }
  }

  async more(query: URLSearchParams): Promise<void> {
    if (this.askingMore || this.asking || this.rows.length >= Math.min(this.total, mostRows)) return;
    const key = this.key;
    this.askingMore = true;
    try {
      const answer = await search({ ...asked(query), limit: pageSize, offset: this.rows.length, facets: false }, this.stop?.signal);
      if (key !== this.key) return;
      // A record that moved between pages because the catalogue grew is not shown twice.
      const name = (row: Hit) => (this.byLayers ? `${row.id} ${layerOf(row)?.name}` : row.id);
      const have = new Set(this.rows.map(name));
      const fresh = answer.results.filter((row) => !have.has(name(row)));
      this.rows = [...this.rows, ...fresh];
      if (!answer.results.length) this.total = this.rows.length;
    } catch (problem) {
      if (problem instanceof Problem) this.problem = problem;
    } finally {
      this.askingMore = false;
    }
  }

  private async name(params: Question, signal: AbortSignal): Promise<void> {
    const places = params.q && !params.bbox ? await placesOf(String(params.q), 'said', 3, signal) : [];
    if (!signal.aborted) this.named = places;
  }

  private async places(params: Question, signal: AbortSignal): Promise<void> {
    const { sort: _sort, ...rest } = params;
    try {
      const answer = await answerOf(client.GET('/places', { params: { query: { ...rest, limit: 5000 } }, signal }));
      this.withoutPlace = answer.without_place;
      stage.showHosts(answer.places);
    } catch {
      // The list stands without the map.
    }
  }

  private async explain(query: URLSearchParams, signal: AbortSignal): Promise<void> {
    const tries = filters(query).slice(0, 12);
    const found = await Promise.all(
      tries.map(async (filter): Promise<Lifted | null> => {
        try {
          const answer = await search({ ...asked(lift(query, filter)), limit: 0, facets: false }, signal);
          return { filter, total: answer.total };
        } catch {
          return null;
        }
      }),
    );
    if (!signal.aborted) this.lifted = found.filter((one): one is Lifted => one !== null).sort((a, b) => b.total - a.total);
  }
}

export const results = new Results();
