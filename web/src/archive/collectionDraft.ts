// Input of the collection form and its validation, so that errors are shown before the server is asked.

import { parseSeeds } from '../tasks/taskDraft';
import type { Scope, CollectionSpec } from './types';

/** Input of the collection form; text fields hold text. Sizes are in mebibytes. */
export interface CollectionDraft {
  acronym: string;
  title: string;
  description: string;
  queries: string;
  engines: string[];
  top: string;
  pages: string;
  about: string;
  depth: string;
  scope: Scope;
  likeness: string;
  aboutness: string;
  maxPages: string;
  maxRequisites: string;
  maxMebibytes: string;
  maxRunMebibytes: string;
  schedule: string;
  public: boolean;
}

export type CollectionFault = 'acronym' | 'acronymNew' | 'title' | 'address' | 'nothing' | 'top' | 'depth' | 'share' | 'pages' | 'requisites' | 'bytes' | 'runBytes' | 'many';
export type DraftMember = keyof CollectionSpec | 'acronym';
export type CollectionFaults = Partial<Record<DraftMember, { fault: CollectionFault; what?: string }>>;

export const MEBIBYTE = 1 << 20;
/** Maximum number of queries and of pages of a collection. */
const MAX_ENTRIES = 200;

export function emptyDraft(): CollectionDraft {
  return {
    acronym: '',
    title: '',
    description: '',
    queries: '',
    engines: [],
    top: '10',
    pages: '',
    about: '',
    depth: '1',
    scope: 'domain',
    likeness: '0.7',
    aboutness: '0.1',
    maxPages: '500',
    maxRequisites: '2000',
    maxMebibytes: '20',
    maxRunMebibytes: '1024',
    schedule: '',
    public: true,
  };
}

export function draftFromSpec(acronym: string, spec: CollectionSpec): CollectionDraft {
  return {
    acronym,
    title: spec.title,
    description: spec.description,
    queries: spec.queries.join('\n'),
    engines: [...spec.engines],
    top: String(spec.top),
    pages: spec.pages.join('\n'),
    about: spec.about.join('\n'),
    depth: String(spec.depth),
    scope: spec.scope,
    likeness: String(spec.likeness),
    aboutness: String(spec.aboutness),
    maxPages: String(spec.max_pages),
    maxRequisites: String(spec.max_requisites),
    maxMebibytes: mebibytes(spec.max_bytes),
    maxRunMebibytes: mebibytes(spec.max_run_bytes),
    schedule: spec.schedule ?? '',
    public: spec.public,
  };
}

function mebibytes(bytes: number): string {
  return String(Math.round((bytes / MEBIBYTE) * 1000) / 1000);
}

/** Returns the distinct non-empty lines of a text. */
export function distinctLines(text: string): string[] {
  return [...new Set(text.split(/[\n\r]+/).map((line) => line.trim()).filter(Boolean))];
}

/** Parses a number in a range, with decimal point or comma. Returns NaN if it is invalid or out of range. */
function parseNumberWithin(text: string, least: number, most: number, whole = true): number {
  const plain = text.trim().replace(/[\s\u202f]/g, '').replace(',', '.');
  const value = plain === '' ? NaN : Number(plain);
  return value >= least && value <= most && (!whole || Number.isInteger(value)) ? value : NaN;
}

export function validateDraft(draft: CollectionDraft): { spec: CollectionSpec; faults: CollectionFaults } {
  const faults: CollectionFaults = {};
  const acronym = draft.acronym.trim();
  if (!/^[a-z0-9][a-z0-9_-]{0,39}$/i.test(acronym)) faults.acronym = { fault: 'acronym' };
  // /collections/new is the address of the form.
  else if (acronym === 'new') faults.acronym = { fault: 'acronymNew' };
  if (draft.title.trim() === '') faults.title = { fault: 'title' };
  const queries = distinctLines(draft.queries);
  if (queries.length > MAX_ENTRIES) faults.queries = { fault: 'many' };
  const addresses = (member: 'pages' | 'about', text: string): string[] => {
    const { seeds, wrong } = parseSeeds(text);
    if (wrong.length > 0) faults[member] = { fault: 'address', what: wrong[0]! };
    else if (seeds.length > MAX_ENTRIES) faults[member] = { fault: 'many' };
    return seeds;
  };
  const pages = addresses('pages', draft.pages);
  const about = addresses('about', draft.about);
  if (!faults.pages && pages.length === 0 && draft.engines.length === 0) faults.pages = { fault: 'nothing' };
  const number = (member: DraftMember, fault: CollectionFault, text: string, least: number, most: number, whole = true): number => {
    const value = parseNumberWithin(text, least, most, whole);
    if (Number.isNaN(value)) faults[member] = { fault };
    return value;
  };
  const bytes = (member: 'max_bytes' | 'max_run_bytes', fault: CollectionFault, text: string, least: number, most: number) =>
    Math.round(number(member, fault, text, least, most, false) * MEBIBYTE);
  const max_bytes = bytes('max_bytes', 'bytes', draft.maxMebibytes, 0.001, 256);
  const spec: CollectionSpec = {
    title: draft.title.trim(),
    description: draft.description.trim(),
    queries,
    engines: draft.engines,
    top: number('top', 'top', draft.top, 1, 100),
    pages,
    about,
    depth: number('depth', 'depth', draft.depth, 0, 5),
    scope: draft.scope,
    likeness: number('likeness', 'share', draft.likeness, 0, 1, false),
    aboutness: number('aboutness', 'share', draft.aboutness, 0, 1, false),
    max_pages: number('max_pages', 'pages', draft.maxPages, 1, 100_000),
    max_requisites: number('max_requisites', 'requisites', draft.maxRequisites, 0, 1_000_000),
    max_bytes,
    max_run_bytes: bytes('max_run_bytes', 'runBytes', draft.maxRunMebibytes, Math.max(0.001, max_bytes / MEBIBYTE || 0.001), 1 << 20),
    schedule: draft.schedule.trim() || null,
    public: draft.public,
  };
  return { spec, faults };
}
