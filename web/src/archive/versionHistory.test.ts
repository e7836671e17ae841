import { describe, expect, it } from 'vitest';
import { contentVersion, groupVersions, formatMomentField, isShowable, replayAddress, replayMoment, runAt, mediaCategory, parseMomentField } from './versionHistory';
import type { ItemHistory, CollectionRun, ItemVersion, VersionKind } from './types';

const version = (number: number, at: string, kind: VersionKind, sha256 = kind === 'deleted' ? '' : `sum ${number}`) =>
  ({ number, at, kind, status: 200, media_type: 'text/html', sha256, bytes: 1, title: '', warc: '', metadata: {} }) as ItemVersion;
const run = (at: string, ended?: string) => ({ at, ended, state: ended ? 'finished' : 'running' }) as CollectionRun;
const history = (versions: ItemVersion[], choices: ItemHistory['choices'] = []) => ({ url: 'https://a.example/', role: 'page', versions, choices, current: versions.length }) as ItemHistory;

const runs = [run('2026-03-01T00:00:00Z', '2026-03-01T01:00:00Z'), run('2026-02-01T00:00:00Z', '2026-02-01T01:00:00Z'), run('2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z')];
const now = '2026-05-01T00:00:00Z';
const all = [version(1, '2026-01-01T00:10:00Z', 'new'), version(2, '2026-02-01T00:10:00Z', 'unchanged', 'sum 1'), version(3, '2026-03-01T00:10:00Z', 'modified')];

describe('moments of versions', () => {
  it('is the end of the run that made it, when pictures and style sheets are there too', () => {
    expect(runAt(all[0]!.at, runs)).toBe(runs[2]);
    expect(replayMoment(all[0]!, history(all), runs, now)).toBe('2026-01-01T01:00:00Z');
    expect(replayMoment(all[2]!, history(all), runs, now)).toBe('2026-03-01T01:00:00Z');
  });
  it('is now while the run goes on, its own when nothing is known of runs', () => {
    expect(replayMoment(all[2]!, history(all), [run('2026-03-01T00:00:00Z'), ...runs.slice(1)], now)).toBe(now);
    expect(replayMoment(all[2]!, history(all), [], now)).toBe(all[2]!.at);
  });
  it('of a visit without news is that of what it found', () => {
    expect(contentVersion(all[1]!, history(all))).toBe(all[0]);
    expect(replayMoment(all[1]!, history(all), runs, now)).toBe('2026-01-01T01:00:00Z');
  });
  it('is its own when it was overtaken before the run ended', () => {
    expect(replayMoment(all[2]!, history(all, [{ at: '2026-03-01T00:30:00Z', version: 1, who: 'ada', note: '' }]), runs, now)).toBe(all[2]!.at);
    expect(replayMoment(all[2]!, history(all, [{ at: '2026-03-01T00:30:00Z', version: 3, who: 'ada', note: '' }]), runs, now)).toBe('2026-03-01T01:00:00Z');
  });
  it('is none of what was gone', () => {
    const gone = version(4, '2026-03-01T00:10:00Z', 'deleted');
    expect(replayMoment(gone, history([...all.slice(0, 2), gone]), runs, now)).toBeNull();
  });
});

describe('histories', () => {
  it('puts visits without news to what they found, newest first', () => {
    const entries = groupVersions([...all, version(4, '2026-04-01T00:10:00Z', 'unchanged'), version(5, '2026-04-02T00:10:00Z', 'deleted')]);
    expect(entries.map((one) => [one.version.number, one.again.length])).toEqual([[5, 0], [3, 1], [1, 1]]);
  });
  it('spells addresses of the past as they are', () => {
    expect(replayAddress('A-1', '2026-01-01T01:00:00Z', 'https://a.example/x?y=1&z=%20')).toBe('/replay/A-1/2026-01-01T01:00:00Z/https://a.example/x?y=1&z=%20');
    expect(replayAddress('A', '20260101010000', 'http://a.example/', true)).toBe('/replay/A/20260101010000id_/http://a.example/');
  });
  it('knows what a frame without scripts can show', () => {
    expect(['text/html; charset=utf-8', 'image/png', 'application/json', 'application/pdf', 'application/zip', ''].map(isShowable)).toEqual([true, true, true, false, false, false]);
    expect(['text/html', 'text/css', 'text/javascript', 'image/svg+xml', 'application/pdf', 'application/geo+json', 'text/plain', 'application/zip'].map(mediaCategory)).toEqual(['html', 'css', 'script', 'image', 'pdf', 'data', 'text', null]);
  });
  it('reads typed moments back', () => {
    expect(parseMomentField('')).toBeNull();
    expect(parseMomentField('yesterday')).toBeNull();
    expect(parseMomentField(formatMomentField('2026-01-01T01:02:03Z'))).toBe('2026-01-01T01:02:03Z');
  });
});
