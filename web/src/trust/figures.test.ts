import { describe, expect, it } from 'vitest';
import type { ScoreComponent, Observation, QualityAnswer } from '../lib/monitoring';
import { availabilityPercent, curlCommand, dayTone, compareChecks, isListField, missingPoints, diffWords, parseChangePath, formatValue, weightedPoints, changeSort, lastDays, shareTone, uptimeTone, layOutPhases } from './figures';

const metadata: ScoreComponent = {
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
    const { got, of } = weightedPoints(metadata, metadata.points[1]!);
    expect(got).toBeCloseTo(2);
    expect(of).toBeCloseTo(12);
  });
  it('that are missing come dearest first', () => {
    const dear: ScoreComponent = { id: 'operation', weight: 30, share: 0, points: [{ id: 'operation.valid', what: 'A map', got: 0, of: 1, why: 'None came.' }] };
    expect(missingPoints({ rubric: '1', value: 10, provisional: false, components: [metadata, dear] }).map((one) => one.point.id)).toEqual(['operation.valid', 'metadata.abstract']);
  });
  it('differ between two checks', () => {
    const changed = compareChecks(answer(60, 0.1), answer(70, 0.6, 'degraded'));
    expect(changed.same).toBe(false);
    expect(changed.verdict).toEqual({ was: 'alive', now: 'degraded' });
    expect(changed.points.map((one) => one.id)).toEqual(['metadata.abstract']);
    expect(changed.points[0]!.now! - changed.points[0]!.was!).toBeCloseTo(10);
    expect(compareChecks(answer(60, 0.1), answer(60, 0.1)).same).toBe(true);
  });
  it('of a first check differ from nothing', () => {
    const changed = compareChecks({ id: 'a', scheduled: true, curl: [], score: null, check: null }, answer(70, 0.6));
    expect(changed.points.map((one) => one.was)).toEqual([null, null]);
    expect(changed.score).toEqual({ was: null, now: 70 });
  });
});

describe('availability', () => {
  it('is never rounded up to all', () => {
    expect(availabilityPercent(1)).toBe(100);
    expect(availabilityPercent(0.99999)).toBe(99.99);
    expect(availabilityPercent(0.99289)).toBe(99.28);
    expect(availabilityPercent(0.29)).toBe(29);
    expect(availabilityPercent(null)).toBeNull();
    expect(availabilityPercent(Number.NaN)).toBeNull();
  });
  it('has a tone', () => {
    expect([1, 0.8, 0.5, 0.49, null].map(shareTone)).toEqual(['alive', 'alive', 'degraded', 'dead', 'unchecked']);
    expect([1, 0.98, 0.95, 0.5, undefined].map(uptimeTone)).toEqual(['alive', 'alive', 'degraded', 'dead', 'unchecked']);
    const day = (checks: number, available: number) => ({ day: '2026-11-16', checks, available });
    expect([day(4, 4), day(4, 3), day(4, 0), day(0, 0), null].map(dayTone)).toEqual(['alive', 'degraded', 'dead', 'unchecked', 'unchecked']);
  });
  it('is laid out by days, with gaps', () => {
    const days = lastDays([{ day: '2026-03-01', checks: 2, available: 1 }], Date.parse('2026-03-02T12:00:00Z'), 3);
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
    expect(curlCommand(seen)).toBe(`curl -sS -i -L -X POST -H 'Accept: image/png' -H 'Content-Type: text/xml' --data-binary '<a b='\\''c'\\''/>' --max-filesize 65536 'http://a/?x='\\''y'`);
  });
  it('is told by phases, one after the other', () => {
    expect(layOutPhases(seen.phases)).toEqual([
      { name: 'connect', from: 0, millis: 10 },
      { name: 'first_byte', from: 10, millis: 90 },
      { name: 'transfer', from: 100, millis: 5 },
    ]);
  });
});

describe('changes', () => {
  it('are sorted by what happened', () => {
    expect([{ path: 'a', now: '1' }, { path: 'a', was: '1', now: null }, { path: 'a', was: '1', now: '2' }].map(changeSort)).toEqual(['added', 'removed', 'changed']);
  });
  it('are told as text', () => {
    expect([formatValue('x'), formatValue(['a', 'b']), formatValue([1.5, 2]), formatValue({ a: 1 }), formatValue(null)]).toEqual(['x', 'a, b', '1.5, 2', '{"a":1}', '']);
  });
  it('mark the words that differ', () => {
    const { was, now } = diffWords('Soils of the north', 'Soils of the cold north');
    expect(was.map((one) => one.text).join('')).toBe('Soils of the north');
    expect(now.map((one) => one.text).join('')).toBe('Soils of the cold north');
    expect(now.filter((one) => !one.kept).map((one) => one.text.trim())).toEqual(['cold']);
    expect(diffWords('same', 'same').now).toEqual([{ text: 'same', kept: true }]);
    expect(diffWords('', 'new').was).toEqual([]);
  });
  it('have a place', () => {
    expect(parseChangePath('datasets[roads].title')).toEqual({ layer: 'roads', field: 'title' });
    expect(parseChangePath('datasets[ws:a[1].b].keywords')).toEqual({ layer: 'ws:a[1].b', field: 'keywords' });
    expect([isListField('datasets'), isListField('datasets[a].crs'), isListField('datasets[a].title'), isListField('contact.email')]).toEqual([true, true, false, false]);
    expect(parseChangePath('title')).toEqual({ layer: null, field: 'title' });
  });
});
