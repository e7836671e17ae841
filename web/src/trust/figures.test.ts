import { describe, expect, it } from 'vitest';
import type { Component, Observation, QualityAnswer } from '../lib/monitoring';
import { availability, curlOf, dayTone, difference, isList, missing, pieces, placeOf, plain, pointsOf, sortOf, strip, toneOf, uptimeTone, waterfall } from './figures';

const metadata: Component = {
  id: 'metadata',
  weight: 20,
  share: 0.5,
  points: [
    { id: 'metadata.title', what: 'A title', got: 0.4, of: 0.4, why: 'It is "Soils".' },
    { id: 'metadata.abstract', what: 'An abstract', got: 0.1, of: 0.6, why: '12 characters.', advice: 'Write one.' },
  ],
};
const answer = (value: number, got: number, verdict: 'alive' | 'degraded' = 'alive'): QualityAnswer => ({
  id: 'a',
  scheduled: true,
  curl: [],
  number: 1,
  score: { rubric: '1', value, provisional: false, components: [{ ...metadata, points: [metadata.points[0]!, { ...metadata.points[1]!, got }] }] },
  check: { kind: 'wms', url: 'http://a/', at: '2026-11-16T00:00:00Z', observations: [], verdict, cause: 'answers', reason: 'It answers.' },
});

describe('points', () => {
  it('are shares of the component', () => {
    const { got, of } = pointsOf(metadata, metadata.points[1]!);
    expect(got).toBeCloseTo(2);
    expect(of).toBeCloseTo(12);
  });
  it('that are missing come dearest first', () => {
    const dear: Component = { id: 'operation', weight: 30, share: 0, points: [{ id: 'operation.valid', what: 'A map', got: 0, of: 1, why: 'None came.' }] };
    expect(missing({ rubric: '1', value: 10, provisional: false, components: [metadata, dear] }).map((one) => one.point.id)).toEqual(['operation.valid', 'metadata.abstract']);
  });
  it('differ between two checks', () => {
    const changed = difference(answer(60, 0.1), answer(70, 0.6, 'degraded'));
    expect(changed.same).toBe(false);
    expect(changed.verdict).toEqual({ was: 'alive', now: 'degraded' });
    expect(changed.points.map((one) => one.id)).toEqual(['metadata.abstract']);
    expect(changed.points[0]!.now! - changed.points[0]!.was!).toBeCloseTo(10);
    expect(difference(answer(60, 0.1), answer(60, 0.1)).same).toBe(true);
  });
  it('of a first check differ from nothing', () => {
    const changed = difference({ id: 'a', scheduled: true, curl: [], score: null, check: null }, answer(70, 0.6));
    expect(changed.points.map((one) => one.was)).toEqual([null, null]);
    expect(changed.score).toEqual({ was: null, now: 70 });
  });
});

describe('availability', () => {
  it('is never rounded up to all', () => {
    expect(availability(1)).toBe(100);
    expect(availability(0.99999)).toBe(99.99);
    expect(availability(0.99289)).toBe(99.28);
    expect(availability(0.29)).toBe(29);
    expect(availability(null)).toBeNull();
    expect(availability(Number.NaN)).toBeNull();
  });
  it('has a tone', () => {
    expect([1, 0.8, 0.5, 0.49, null].map(toneOf)).toEqual(['alive', 'alive', 'degraded', 'dead', 'unchecked']);
    expect([1, 0.98, 0.95, 0.5, undefined].map(uptimeTone)).toEqual(['alive', 'alive', 'degraded', 'dead', 'unchecked']);
    const day = (checks: number, available: number) => ({ day: '2026-11-16', checks, available });
    expect([day(4, 4), day(4, 3), day(4, 0), day(0, 0), null].map(dayTone)).toEqual(['alive', 'degraded', 'dead', 'unchecked', 'unchecked']);
  });
  it('is laid out by days, with gaps', () => {
    const days = strip([{ day: '2026-03-01', checks: 2, available: 1 }], Date.parse('2026-03-02T12:00:00Z'), 3);
    expect(days.map((one) => one.day)).toEqual(['2026-02-28', '2026-03-01', '2026-03-02']);
    expect(days.map((one) => one.figures?.available ?? null)).toEqual([null, 1, null]);
  });
});

describe('a request', () => {
  const seen: Observation = {
    purpose: 'operation',
    request: { method: 'POST', url: "http://a/?x='y", accept: 'image/png', content_type: 'text/xml', body: "<a b='c'/>", limit: 65536 },
    phases: { dns: 0, connect: 10, tls: 0, first_byte: 90, transfer: 5, total: 105 },
    outcome: 'valid',
    seen: 'A picture.',
  };
  it('is told as a line for a shell, safely quoted', () => {
    expect(curlOf(seen)).toBe(`curl -sS -i -L -X POST -H 'Accept: image/png' -H 'Content-Type: text/xml' --data-binary '<a b='\\''c'\\''/>' --max-filesize 65536 'http://a/?x='\\''y'`);
  });
  it('is told by phases, one after the other', () => {
    expect(waterfall(seen.phases)).toEqual([
      { name: 'connect', from: 0, millis: 10 },
      { name: 'first_byte', from: 10, millis: 90 },
      { name: 'transfer', from: 100, millis: 5 },
    ]);
  });
});

describe('changes', () => {
  it('are sorted by what happened', () => {
    expect([{ path: 'a', now: '1' }, { path: 'a', was: '1', now: null }, { path: 'a', was: '1', now: '2' }].map(sortOf)).toEqual(['added', 'removed', 'changed']);
  });
  it('are told as text', () => {
    expect([plain('x'), plain(['a', 'b']), plain([1.5, 2]), plain({ a: 1 }), plain(null)]).toEqual(['x', 'a, b', '1.5, 2', '{"a":1}', '']);
  });
  it('mark the words that differ', () => {
    const { was, now } = pieces('Soils of the north', 'Soils of the cold north');
    expect(was.map((one) => one.text).join('')).toBe('Soils of the north');
    expect(now.map((one) => one.text).join('')).toBe('Soils of the cold north');
    expect(now.filter((one) => !one.kept).map((one) => one.text.trim())).toEqual(['cold']);
    expect(pieces('same', 'same').now).toEqual([{ text: 'same', kept: true }]);
    expect(pieces('', 'new').was).toEqual([]);
  });
  it('have a place', () => {
    expect(placeOf('datasets[roads].title')).toEqual({ layer: 'roads', field: 'title' });
    expect(placeOf('datasets[ws:a[1].b].keywords')).toEqual({ layer: 'ws:a[1].b', field: 'keywords' });
    expect([isList('datasets'), isList('datasets[a].crs'), isList('datasets[a].title'), isList('contact.email')]).toEqual([true, true, false, false]);
    expect(placeOf('title')).toEqual({ layer: null, field: 'title' });
  });
});
