// Results of the current search. Old results stay until new ones arrive; a newer search cancels an older one.

import { unwrapAnswer, client, ApiError } from '../lib/api';
import { findPlaces, type NamedPlace } from '../lib/gazetteer';
import type { SearchAnswer, SearchHit } from '../lib/records';
import { mapControl } from '../lib/mapControl';
import { readSearchParams, activeFilters, removeFilter, searchKey, type SearchFilter, type SearchParams } from './searchQuery';

const pageSize = 20;
export const maxRows = 2000;

export interface FilterRemoval {
  filter: SearchFilter;
  total: number;
}

/** Returns the layer that a row shows when the search lists layers. */
export const layerOf = (row: SearchHit) => row.hit?.layers?.[0];

const requestSearch = (query: SearchParams & { limit?: number; offset?: number; facets?: boolean }, signal?: AbortSignal): Promise<SearchAnswer> => unwrapAnswer(client.GET('/search', { params: { query }, signal }));

class SearchResults {
  rows = $state.raw<SearchHit[]>([]);
  total = $state(0);
  facets = $state.raw<SearchAnswer['facets']>({});
  /** Number of results that contain all words, when partial matches are listed too. */
  matchesAll = $state<number | undefined>();
  suggestion = $state<string | undefined>();
  /** The rows are results of the corrected query. */
  corrected = $state(false);
  tookMillis = $state<number | undefined>();
  /** A response has arrived (it may be empty). */
  isLoaded = $state(false);
  isLoading = $state(false);
  isLoadingMore = $state(false);
  problem = $state.raw<ApiError | null>(null);
  /** When nothing was found: the number of results without each filter. */
  withoutFilter = $state.raw<FilterRemoval[] | null>(null);
  unlocatedCount = $state(0);
  /** Places named in the query text, unless an area is selected already. */
  namedPlaces = $state.raw<NamedPlace[]>([]);
  /** Key of the search that the rows belong to. */
  key = $state('');
  /** Each row is one layer; a service can have several. */
  byLayers = $state(false);
  private stop: AbortController | null = null;
  /** Key of the search in progress. */
  private pending: string | null = null;

  async search(query: URLSearchParams, again = false): Promise<void> {
    const key = searchKey(query);
    if (!again && (key === this.pending || (key === this.key && this.isLoaded && this.pending === null))) return;
    this.stop?.abort();
    this.pending = key;
    const stop = (this.stop = new AbortController());
    this.isLoading = true;
    const params = readSearchParams(query);
    try {
      const answer = await requestSearch({ ...params, limit: pageSize, facets: true }, stop.signal);
      this.rows = answer.results;
      this.byLayers = params.by === 'layers';
      this.total = answer.total;
      this.facets = answer.facets ?? {};
      this.matchesAll = answer.complete ?? undefined;
      this.suggestion = answer.did_you_mean ?? undefined;
      this.corrected = answer.corrected;
      this.tookMillis = answer.took_ms;
      this.key = key;
      this.isLoaded = true;
      this.problem = null;
      this.withoutFilter = null;
      if (answer.total === 0) void this.countWithoutFilters(query, stop.signal);
      void this.places(params, stop.signal);
      void this.name(params, stop.signal);
    } catch (problem) {
      if (stop.signal.aborted) return;
      this.problem = problem instanceof ApiError ? problem : new ApiError(0, '', String(problem));
    } finally {
      if (this.stop === stop) {
        this.isLoading = false;
        this.pending = null;
      }
    }
  }

  async loadMore(query: URLSearchParams): Promise<void> {
    if (this.isLoadingMore || this.isLoading || this.rows.length >= Math.min(this.total, maxRows)) return;
    const key = this.key;
    this.isLoadingMore = true;
    try {
      const answer = await requestSearch({ ...readSearchParams(query), limit: pageSize, offset: this.rows.length, facets: false }, this.stop?.signal);
      if (key !== this.key) return;
      // When the catalogue grows between two pages, a record can appear on both; list it once.
      const findNamedPlaces = (row: SearchHit) => (this.byLayers ? `${row.id} ${layerOf(row)?.name}` : row.id);
      const have = new Set(this.rows.map(findNamedPlaces));
      const fresh = answer.results.filter((row) => !have.has(findNamedPlaces(row)));
      this.rows = [...this.rows, ...fresh];
      if (!answer.results.length) this.total = this.rows.length;
    } catch (problem) {
      if (problem instanceof ApiError) this.problem = problem;
    } finally {
      this.isLoadingMore = false;
    }
  }

  private async name(params: SearchParams, signal: AbortSignal): Promise<void> {
    const loadPlaces = params.q && !params.bbox ? await findPlaces(String(params.q), 'said', 3, signal) : [];
    if (!signal.aborted) this.namedPlaces = loadPlaces;
  }

  private async places(params: SearchParams, signal: AbortSignal): Promise<void> {
    const { sort: _sort, ...rest } = params;
    try {
      const answer = await unwrapAnswer(client.GET('/places', { params: { query: { ...rest, limit: 5000 } }, signal }));
      this.unlocatedCount = answer.without_place;
      mapControl.showHosts(answer.places);
    } catch {
      // The list of results works without the hosts on the map.
    }
  }

  private async countWithoutFilters(query: URLSearchParams, signal: AbortSignal): Promise<void> {
    const tries = activeFilters(query).slice(0, 12);
    const found = await Promise.all(
      tries.map(async (filter): Promise<FilterRemoval | null> => {
        try {
          const answer = await requestSearch({ ...readSearchParams(removeFilter(query, filter)), limit: 0, facets: false }, signal);
          return { filter, total: answer.total };
        } catch {
          return null;
        }
      }),
    );
    if (!signal.aborted) this.withoutFilter = found.filter((one): one is FilterRemoval => one !== null).sort((a, b) => b.total - a.total);
  }
}

export const searchResults = new SearchResults();
