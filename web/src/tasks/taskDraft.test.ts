import { describe, expect, it } from 'vitest';
import { parseBaseMaps, parseWholeNumber } from '../admin/adminTypes';
import { safeReturnPath } from './returnPath';
import { validateDraft, draftFromSpec, emptyDraft, parseArea, parseSeeds, prefillDraft } from './taskDraft';
import { countryStacks, growthSeries, stackTable } from './statisticsFigures';
import en from '../messages/desk.en.json';
import de from '../messages/desk.de.json';

describe('a task as typed', () => {
  it('takes seeds one a line, https when no scheme is given, each once', () => {
    expect(parseSeeds(' example.org/maps \n\nhttp://a.example\nhttp://a.example\nftp://b.example\nhello world\nword')).toEqual({
      seeds: ['https://example.org/maps', 'http://a.example'],
      wrong: ['ftp://b.example', 'hello world', 'word'],
    });
  });
  it('reads boxes, also across the date line', () => {
    expect(parseArea('5.9, 47.3, 15 55.1')).toEqual([5.9, 47.3, 15, 55.1]);
    expect(parseArea('170,-20,-170,10')).toEqual([170, -20, -170, 10]);
    for (const wrong of ['', '1,2,3', '1,2,3,x', '1,50,3,40', '200,0,3,4', '1,1,1,2']) expect(parseArea(wrong)).toBeNull();
  });
  it('says what is wrong of each field', () => {
    const { faults } = validateDraft({ ...emptyDraft(), depth: 'x', maxPages: '0', area: '1,2', seeds: 'nope' }, true);
    expect(Object.fromEntries(Object.entries(faults).map(([key, value]) => [key, value.fault]))).toEqual({ seeds: 'seeds', title: 'title', depth: 'depth', max_pages: 'number', area: 'area' });
    expect(validateDraft({ ...emptyDraft(), title: 'x' }, true).faults.seeds?.fault).toBe('noSeeds');
    expect(validateDraft({ ...emptyDraft(), title: 'x', lists: ['known'] }, true).faults).toEqual({});
  });
  it('comes back from the server as it went', () => {
    const { spec } = validateDraft({ ...emptyDraft(), title: 'Rivers', seeds: 'https://a.example/', keywords: ['river'], area: '1,2,3,4', width: '20', schedule: ' 0 3 * * 1 ' }, true);
    expect(validateDraft(draftFromSpec(spec), true).spec).toEqual(spec);
    expect(spec.schedule).toBe('0 3 * * 1');
  });
  it('is prefilled by the address', () => {
    const draft = prefillDraft(new URLSearchParams('keywords=flood&keywords=river,lake&area=1,2,3,4&seeds=https://a.example'));
    expect(draft).toMatchObject({ keywords: ['flood', 'river', 'lake'], area: '1, 2, 3, 4', seeds: 'https://a.example', title: 'flood river lake' });
  });
});

describe('after logging in', () => {
  it('leads only to own addresses', () => {
    expect(safeReturnPath('/tasks/7?tab=found')).toBe('/tasks/7?tab=found');
    for (const wrong of [null, '', 'tasks', '//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example', 'javascript:alert(1)', '/login?back=/', '/api/v1/session', '/a\\b'])
      expect(safeReturnPath(wrong)).toBe('/');
  });
});

describe('settings', () => {
  it('check base maps', () => {
    expect(parseBaseMaps('')).toEqual({ maps: [] });
    expect(parseBaseMaps('{')).toEqual({ fault: 'json' });
    expect(parseBaseMaps('{}')).toEqual({ fault: 'list' });
    expect(parseBaseMaps('[{"title":"a","kind":"xyz","url":"javascript:x","attribution":"b"}]')).toEqual({ fault: 'member', at: 1 });
    expect(parseBaseMaps('[{"title":"a","kind":"xyz","url":"https://t.example","attribution":"b"}]')).toHaveProperty('maps');
  });
  it('check numbers', () => expect([parseWholeNumber('', 1), parseWholeNumber('3', 1), parseWholeNumber('0', 1), parseWholeNumber('1.5', 1)]).toEqual([null, 3, undefined, undefined]));
});

describe('statistics', () => {
  const family = (kind: string) => (kind === 'wms' ? 'wms' : 'features') as 'wms' | 'features';
  it('stack countries by family, largest first', () => {
    const stacks = countryStacks({ DE: { wms: 3, wfs: 1 }, FR: { wms: 9 }, XX: {} }, family, (code) => code, 10);
    expect(stacks.map((stack) => [stack.name, stack.total])).toEqual([['FR', 9], ['DE', 4]]);
    expect(stackTable(stacks)).toEqual({ families: ['wms', 'features'], rows: [['FR', 9, 9, 0], ['DE', 4, 3, 1]] });
  });
  it('order days', () => expect(growthSeries([['2026-01-02', 5], ['2026-01-01', 2], ['x', 1]])[1]).toEqual([2, 5]));
});

describe('words', () => {
  const holes = (text: string) => [...text.matchAll(/\{(\w+)[|}]/g)].map((match) => match[1]).sort();
  it('are complete in German, with the same holes', () => {
    expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries(en)) expect(new Set(holes(de[key as keyof typeof de])).size, key).toBeLessThanOrEqual(new Set(holes(text)).size);
    for (const [key, text] of Object.entries(de)) for (const hole of holes(text)) expect(holes(en[key as keyof typeof en]), key).toContain(hole);
  });
});
