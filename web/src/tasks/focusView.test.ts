import { describe, expect, it } from 'vitest';
import { expectedPer100, rankingReasons, sortGroups, groupState, splitNextAddresses, splitVocabulary, tellingTerms } from './focusView';
import { validateDraft, draftFromSpec, emptyDraft, DEFAULT_ENGINE_WIDTH, toggleEngine } from './taskDraft';
import type { Focus, NextAddress, SeedGroup } from './types';

const group = (width: number, more: Partial<SeedGroup> = {}): SeedGroup => ({ width, opened: '2026-01-01T00:00:00Z', seeds: 10, pages: 0, finds: 0, given_up: false, ...more });
const address = (expects: number | null, adds: number[]): NextAddress => ({
  url: 'https://a.example/maps',
  depth: 1,
  width: 1,
  expected: 'page',
  why: { place: 1, expects: expects ?? undefined, reasons: adds.map((one) => ({ name: 'host', adds: one, text: `adds ${one}` })) },
});

describe('the words a task goes by', () => {
  it('stand on two sides, strongest first, on one scale', () => {
    const term = (term: string, weight: number) => ({ term, weight, seen: 3 });
    const { to, away } = splitVocabulary([term('maps', 1), term('login', -2), term('wms', 4), term('nothing', 0)]);
    expect(to.map((one) => [one.term, one.share])).toEqual([['wms', 1], ['maps', 0.25]]);
    expect(away.map((one) => [one.term, one.share])).toEqual([['login', 0.5]]);
    expect(splitVocabulary([])).toEqual({ to: [], away: [] });
  });
  it('of a run stand on more than one page that paid', () => {
    expect(tellingTerms({ terms: [{ term: 'flood', gained: 2, seen: 9 }, { term: 'once', gained: 1, seen: 1 }] }).map((one) => one.term)).toEqual(['flood']);
  });
});

describe('groups of seeds', () => {
  it('are told by how they stand, the latest first', () => {
    const groups = [group(1, { ended: '2026-01-01T00:01:00Z' }), group(2, { ended: '2026-01-01T00:02:00Z', given_up: true }), group(3)];
    expect(groups.map(groupState)).toEqual(['ended', 'givenUp', 'open']);
    expect(sortGroups({ widths: groups } as Focus).map((one) => one.width)).toEqual([3, 2, 1]);
    expect(groups.map((one) => one.width)).toEqual([1, 2, 3]);
  });
});

describe('what is next', () => {
  it('says what speaks for it and against it', () => {
    expect(rankingReasons(address(null, [2, -1, 0, 1, 5])).map((one) => one.sign)).toEqual(['+', '−', '', '+']);
    expect(rankingReasons(address(null, []))).toEqual([]);
  });
  it('shows few of what stands before pages', () => {
    const service = { ...address(null, []), expected: 'service' as const };
    const page = address(null, [1]);
    const { first, rest } = splitNextAddresses([service, service, service, page, page, page], 2);
    expect([first, rest].map((part) => part.map((one) => one.expected))).toEqual([['service', 'service', 'page', 'page'], ['service', 'page']]);
  });
  it('says what is expected, where that is estimated', () => {
    expect(expectedPer100(address(0.125, []))).toBe(12.5);
    for (const unknown of [null, -1, Number.NaN]) expect(expectedPer100(address(unknown, []))).toBeNull();
  });
});

describe('a task with search engines', () => {
  const draft = () => ({ ...emptyDraft(), title: 'Floods', keywords: ['flood'], engines: ['house'] });
  it('needs words and no seeds', () => {
    expect(validateDraft(draft(), true, true)).toMatchObject({ faults: {}, spec: { engines: ['house'], seeds: [] } });
    expect(validateDraft({ ...draft(), keywords: [] }, true, true).faults).toEqual({ keywords: { fault: 'noWords' } });
    expect(validateDraft({ ...draft(), engines: [] }, true, true).faults.seeds?.fault).toBe('noSeedsOrEngine');
    expect(validateDraft({ ...draft(), engines: [] }, true, false).faults.seeds?.fault).toBe('noSeeds');
  });
  it('harvests only what is named', () => {
    const { spec, faults } = validateDraft({ ...draft(), kind: 'harvest' }, true, true);
    expect([spec.engines, faults.seeds?.fault]).toEqual([[], 'noSeeds']);
  });
  it('brings a width with the first engine, and never changes one that is there', () => {
    const fresh = emptyDraft();
    toggleEngine(fresh, 'house');
    expect([fresh.engines, fresh.width]).toEqual([['house'], DEFAULT_ENGINE_WIDTH]);
    toggleEngine(fresh, 'house');
    expect(fresh.engines).toEqual([]);
    const own = { ...emptyDraft(), width: '2' };
    toggleEngine(own, 'house');
    expect(own.width).toBe('2');
  });
});

describe('budgets and patience', () => {
  const good = { ...emptyDraft(), title: 'x', seeds: 'a.example' };
  it('are numbers in their bounds', () => {
    const fault = (change: Partial<typeof good>) => Object.entries(validateDraft({ ...good, ...change }, true).faults).map(([key, one]) => `${key} ${one.fault}`);
    expect(fault({ maxMinutes: '90', patience: '0', linksPerPage: '50', width: '3' })).toEqual([]);
    expect(fault({ maxMinutes: '0' })).toEqual(['max_minutes minutes']);
    expect(fault({ maxMinutes: '9999999' })).toEqual(['max_minutes minutes']);
    expect(fault({ patience: '-1' })).toEqual(['patience patience']);
    expect(fault({ linksPerPage: 'many', width: '0' })).toEqual(['width number', 'links_per_page number']);
  });
  it('come back as they went', () => {
    const { spec } = validateDraft({ ...good, ordering: 'fifo', maxMinutes: '90', patience: '0', linksPerPage: '50', width: '3', languages: ['de', 'fr'] }, true);
    expect(spec).toMatchObject({ ordering: 'fifo', max_minutes: 90, patience: 0, links_per_page: 50, width: 3, languages: ['de', 'fr'] });
    expect(validateDraft(draftFromSpec(spec), true).spec).toEqual(spec);
  });
});
