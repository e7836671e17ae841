import { describe, expect, it } from 'vitest';
import { FindLog, toFindRow } from './findLog';
import { tallyByDepth, rankTally, thinSamples, appendLiveSample } from './runHistory';
import type { FindEvent, Live, Sample } from './types';

const find = (seq: number, more: Partial<FindEvent> = {}) => toFindRow({ seq, id: `r${seq}`, kind: 'wms', url: `https://h${seq % 3}.example/wms`, title: null, status: 'alive', host: { name: `h${seq % 3}.example` }, dataset_count: 0, depth: 1, page: '', ...more });

describe('finds', () => {
  it('are kept once and in order, whichever way they come', () => {
    const log = new FindLog();
    expect(log.add([find(5), find(7)]).map((row) => row.seq)).toEqual([5, 7]);
    expect(log.add([find(7), find(1), find(6), find(1), find(9)]).map((row) => row.seq)).toEqual([1, 6, 9]);
    expect(Array.from({ length: log.length }, (_, i) => log.newest(i)!.seq)).toEqual([9, 7, 6, 5, 1]);
    expect(log.total).toBe(5);
  });

  it('sum by host with a place, each once', () => {
    const log = new FindLog();
    const here = { name: 'a.example', lat: 50, lon: 8 };
    log.add([find(1, { host: here }), find(1, { host: here }), find(2, { host: here, kind: 'wfs' }), find(3, { host: { name: 'b.example' } })]);
    expect(log.hostPoints()).toEqual([{ host: 'a.example', lat: 50, lon: 8, count: 2, kinds: { wms: 1, wfs: 1 } }]);
  });

  it('have an arc from the page when its host is known and elsewhere', () => {
    const log = new FindLog();
    log.add([find(1, { host: { name: 'portal.example', lat: 1, lon: 2 } })]);
    const [row] = log.add([find(2, { host: { name: 'a.example', lat: 50, lon: 8 }, page: 'https://portal.example/maps' })]);
    expect(log.onMap(row!)).toMatchObject({ host: row!.host, lat: 50, lon: 8, from: { lat: 1, lon: 2 } });
    const [same] = log.add([find(3, { host: { name: 'portal.example', lat: 1, lon: 2 }, page: 'https://portal.example/' })]);
    expect(log.onMap(same!)).not.toHaveProperty('from');
    expect(log.onMap(find(4))).toBeNull();
  });

  it('gives sums of hosts that do not change behind the back of the map, which counts on by itself', () => {
    const log = new FindLog();
    const at = { name: 'a.example', lat: 1, lon: 2 };
    log.add([find(1, { host: at })]);
    const [shown] = log.hostPoints();
    log.add([find(2, { host: at })]);
    expect(shown).toMatchObject({ count: 1, kinds: { wms: 1 } });
    expect(log.hostPoints()).toMatchObject([{ count: 2, kinds: { wms: 2 } }]);
  });

  it('are bounded; the oldest go, the sums stay, and what went does not come back', () => {
    const log = new FindLog(100);
    for (let seq = 1; seq <= 500; seq += 1) log.add([find(seq, { host: { name: 'a', lat: 0, lon: 0 } })]);
    expect(log.length).toBeLessThanOrEqual(110);
    expect(log.total).toBe(500);
    expect(log.newest(0)!.seq).toBe(500);
    expect(log.add([find(3)])).toEqual([]);
    expect(log.hostPoints()[0]!.count).toBe(500);
  });

  it('take ten thousand late ones in one go', () => {
    const log = new FindLog();
    log.add([find(50_000)]);
    const began = performance.now();
    log.add(Array.from({ length: 10_000 }, (_, i) => find(i + 1)));
    expect(log.length).toBe(10_001);
    expect(performance.now() - began).toBeLessThan(500);
  });

  it('take their host from the address when none is named', () => expect(find(1).host).toBe('h1.example'));
});

describe('the course of a run', () => {
  const live = (at: string, pages: number) => ({ at, counters: { pages, probes: 0, failures: 0, skipped: 0, bytes: 0, resources: 1, known: 0, pending: 0, hosts: 0 } }) as unknown as Live;
  const sample = (at: string, pages: number): Sample => ({ at, pages, probes: 0, failures: 0, resources: 0, pending: 0, bytes: 0 });

  it('goes on with live figures, a second apart, never backwards', () => {
    const first = [sample('2026-01-01T00:00:00Z', 5)];
    expect(appendLiveSample(first, live('2026-01-01T00:00:00.400Z', 6))).toBe(first);
    expect(appendLiveSample(first, live('2026-01-01T00:00:02Z', 9))).toHaveLength(2);
    expect(appendLiveSample(first, live('2026-01-01T00:00:02Z', 3))).toBe(first);
  });
  it('is thinned and keeps its ends', () => {
    const many = Array.from({ length: 5000 }, (_, i) => sample(new Date(i * 1000).toISOString(), i));
    const few = thinSamples(many, 1000);
    expect(few.length).toBeLessThanOrEqual(1000);
    expect([few[0]!.pages, few.at(-1)!.pages]).toEqual([0, 4999]);
  });
  it('leaves no depth out', () =>
    expect(tallyByDepth({ 0: 4, 2: 9 }, { 2: 1 })).toEqual([
      { depth: 0, pages: 4, found: 0 },
      { depth: 1, pages: 0, found: 0 },
      { depth: 2, pages: 9, found: 1 },
    ]));
  it('ranks and sums the rest', () =>
    expect(rankTally({ a: 1, b: 5, c: 3, d: 0, e: 2 }, 3, 'rest')).toEqual([
      { name: 'b', value: 5, isRest: false },
      { name: 'c', value: 3, isRest: false },
      { name: 'rest', value: 3, isRest: true },
    ]));
});
