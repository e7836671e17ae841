// Input of the task form and its validation, so that errors are shown before the server is asked.

import type { Box } from '../lib/mapControl';
import type { JobSpec } from './types';

/** Input of the task form; text fields hold text, even where the task needs numbers. */
export interface TaskDraft {
  title: string;
  kind: JobSpec['kind'];
  keywords: string[];
  seeds: string;
  lists: string[];
  depth: string;
  width: string;
  linksPerPage: string;
  engines: string[];
  languages: string[];
  maxPages: string;
  maxPerHost: string;
  maxMinutes: string;
  patience: string;
  scope: JobSpec['scope'];
  kinds: string[];
  area: string;
  /** Empty until the server has listed the available rankings; then the default is selected. */
  ordering: string;
  render: boolean;
  schedule: string;
  public: boolean;
}

export type TaskFault = 'title' | 'seeds' | 'noSeeds' | 'noSeedsOrEngine' | 'noWords' | 'number' | 'area' | 'depth' | 'minutes' | 'patience';
export type TaskFaults = Partial<Record<keyof JobSpec, { fault: TaskFault; what?: string }>>;

/** Default number of seed groups for seeds from search engines: fifty addresses. */
export const DEFAULT_ENGINE_WIDTH = '5';
/** Default number of pages without a find after which a group is abandoned. */
export const DEFAULT_PATIENCE = 500;
/** One year. */
const MOST_MINUTES = 60 * 24 * 366;
/** Languages in which search engines can be queried and words for services are known. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'ru', 'zh', 'ja'];

export function emptyDraft(): TaskDraft {
  return {
    title: '',
    kind: 'crawl',
    keywords: [],
    seeds: '',
    lists: [],
    depth: '2',
    width: '',
    linksPerPage: '',
    engines: [],
    languages: [],
    maxPages: '10000',
    maxPerHost: '',
    maxMinutes: '',
    patience: '',
    scope: 'domain',
    kinds: [],
    area: '',
    ordering: '',
    render: false,
    schedule: '',
    public: false,
  };
}

export function draftFromSpec(spec: JobSpec): TaskDraft {
  const text = (value: number | null | undefined) => (value === null || value === undefined ? '' : String(value));
  return {
    title: spec.title,
    kind: spec.kind,
    keywords: [...spec.keywords],
    seeds: spec.seeds.join('\n'),
    lists: [...spec.lists],
    depth: text(spec.depth),
    width: text(spec.width),
    linksPerPage: text(spec.links_per_page),
    engines: [...spec.engines],
    languages: [...spec.languages],
    maxPages: text(spec.max_pages),
    maxPerHost: text(spec.max_per_host),
    maxMinutes: text(spec.max_minutes),
    patience: text(spec.patience),
    scope: spec.scope,
    kinds: [...spec.kinds],
    area: spec.area ? spec.area.join(', ') : '',
    ordering: spec.ordering,
    render: spec.render,
    schedule: spec.schedule ?? '',
    public: spec.public,
  };
}

/** Returns a draft filled from the query (`keywords=`, `area=`, `seeds=`), for example after a search without results. */
export function prefillDraft(query: URLSearchParams): TaskDraft {
  const draft = emptyDraft();
  draft.keywords = query.getAll('keywords').flatMap(parseKeywords);
  draft.seeds = query.getAll('seeds').flatMap(lines).join('\n');
  const area = parseArea(query.get('area') ?? '');
  if (area) draft.area = area.join(', ');
  draft.title = query.get('title') ?? draft.keywords.join(' ');
  return draft;
}

/** Splits text into keywords at commas and line breaks. */
export function parseKeywords(text: string): string[] {
  return [...new Set(text.split(/[,;\n]/).map((word) => word.trim()).filter(Boolean))];
}

function lines(text: string): string[] {
  return text.split(/[\n\r]+/).map((line) => line.trim()).filter(Boolean);
}

/** Parses seeds, one per line. A name without a scheme gets `https`. */
export function parseSeeds(text: string): { seeds: string[]; wrong: string[] } {
  const seeds: string[] = [];
  const wrong: string[] = [];
  for (const line of lines(text)) {
    const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(line) ? line : `https://${line}`;
    try {
      const url = new URL(address);
      const good = (url.protocol === 'http:' || url.protocol === 'https:') && !/\s/.test(line) && (url.hostname.includes('.') || url.hostname === 'localhost' || url.hostname.startsWith('['));
      if (good) seeds.push(address);
      else wrong.push(line);
    } catch {
      wrong.push(line);
    }
  }
  return { seeds: [...new Set(seeds)], wrong };
}

/** Parses a box `w, s, e, n`; west may be greater than east (across the antimeridian). */
export function parseArea(text: string): Box | null {
  const sides = text.split(/[\s,;]+/).filter(Boolean).map(Number);
  const [west, south, east, north] = sides;
  if (sides.length !== 4 || sides.some((side) => !Number.isFinite(side))) return null;
  if (Math.abs(west!) > 180 || Math.abs(east!) > 180 || Math.abs(south!) > 90 || Math.abs(north!) > 90) return null;
  return south! < north! && west !== east ? [west!, south!, east!, north!] : null;
}

/** Parses a whole number of at least 1. Returns null for an empty field, undefined for invalid input. */
function whole(text: string, least = 1): number | null | undefined {
  const plain = text.trim().replace(/[\s\u202f]/g, '');
  if (plain === '') return null;
  const value = Number(plain);
  return Number.isSafeInteger(value) && value >= least ? value : undefined;
}

/** Selects or deselects an engine. The first engine sets a default width, so that not all of its results are opened at once. */
export function toggleEngine(draft: TaskDraft, name: string): void {
  const chosen = draft.engines.includes(name);
  if (!chosen && draft.engines.length === 0 && draft.width.trim() === '') draft.width = DEFAULT_ENGINE_WIDTH;
  draft.engines = chosen ? draft.engines.filter((one) => one !== name) : [...draft.engines, name];
}

/** Validates a draft. `engines`: search engines are available. */
export function validateDraft(draft: TaskDraft, needsSeeds: boolean, engines = false): { spec: JobSpec; faults: TaskFaults } {
  const faults: TaskFaults = {};
  const { seeds, wrong } = parseSeeds(draft.seeds);
  // A catalogue to harvest is given by its address, not searched for.
  const asked = draft.kind === 'crawl' ? draft.engines : [];
  if (wrong.length > 0) faults.seeds = { fault: 'seeds', what: wrong[0]! };
  else if (needsSeeds && seeds.length === 0 && draft.lists.length === 0 && asked.length === 0) faults.seeds = { fault: engines && draft.kind === 'crawl' ? 'noSeedsOrEngine' : 'noSeeds' };
  if (asked.length > 0 && draft.keywords.length === 0) faults.keywords = { fault: 'noWords' };
  if (draft.title.trim() === '') faults.title = { fault: 'title' };
  const depth = whole(draft.depth, 0);
  if (depth === undefined || depth === null || depth > 50) faults.depth = { fault: 'depth' };
  const optional = (key: 'width' | 'links_per_page' | 'max_pages' | 'max_per_host' | 'max_minutes' | 'patience', text: string, fault: TaskFault = 'number', least = 1, most = 1e9): number | null => {
    const value = whole(text, least);
    if (value === undefined || (value ?? 0) > most) faults[key] = { fault };
    return value ?? null;
  };
  const area = draft.area.trim() === '' ? null : parseArea(draft.area);
  if (draft.area.trim() !== '' && !area) faults.area = { fault: 'area' };
  return {
    spec: {
      title: draft.title.trim(),
      kind: draft.kind,
      keywords: draft.keywords,
      seeds,
      lists: draft.lists,
      depth: depth ?? 0,
      width: optional('width', draft.width),
      links_per_page: optional('links_per_page', draft.linksPerPage),
      engines: asked,
      languages: draft.languages,
      max_pages: optional('max_pages', draft.maxPages),
      max_per_host: optional('max_per_host', draft.maxPerHost),
      max_minutes: optional('max_minutes', draft.maxMinutes, 'minutes', 1, MOST_MINUTES),
      patience: optional('patience', draft.patience, 'patience', 0),
      scope: draft.scope,
      kinds: draft.kinds,
      area,
      ordering: draft.ordering,
      render: draft.render,
      schedule: draft.schedule.trim() || null,
      public: draft.public,
    },
    faults,
  };
}
