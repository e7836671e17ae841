import { describe, expect, it } from 'vitest';
import type { ServiceNotice, ProviderService } from '../lib/monitoring';
import { alertRequestBody, draftFromAlert, findFault, parseHosts, newAlertDraft } from './alertDraft';
import { mergeNotices } from './mergeNotices';
import { sortByGravity } from './providerReport';

describe('an alert', () => {
  const good = { ...newAlertDraft(), name: 'Deaths', target: 'https://hooks.example/geo' };
  it('needs a name, an address and something to tell', () => {
    expect(findFault(good)).toBeNull();
    expect(findFault({ ...good, name: ' ' })).toBe('name');
    expect(findFault({ ...good, target: 'hooks.example' })).toBe('target');
    expect(findFault({ ...good, target: 'ftp://hooks.example/' })).toBe('target');
    expect(findFault({ ...good, channel: 'email' })).toBe('target');
    expect(findFault({ ...good, channel: 'email', target: 'a@b.example' })).toBeNull();
    expect(findFault({ ...good, kinds: [] })).toBe('kinds');
  });
  it('takes hosts as people type them', () => {
    expect(parseHosts('maps.example\nhttps://GIS.example:8080/wms?x, maps.example')).toEqual(['maps.example', 'gis.example:8080']);
    expect(parseHosts(' \n ')).toEqual([]);
  });
  it('keeps its secret unless a new one is typed', () => {
    expect('secret' in alertRequestBody(good)).toBe(false);
    expect(alertRequestBody({ ...good, secret: 'x' })['secret']).toBe('x');
    expect('secret' in alertRequestBody({ ...good, channel: 'email', target: 'a@b.example', secret: 'x' })).toBe(false);
  });
  it('comes back as it was sent', () => {
    const body = alertRequestBody({ ...good, hosts: 'a.example b.example' });
    const again = draftFromAlert({ ...(body as unknown as Parameters<typeof draftFromAlert>[0]), number: 1 });
    expect(alertRequestBody(again)).toEqual(body);
  });
});

describe('news', () => {
  it('are told once, newest first', () => {
    const item = (seq: number) => ({ seq, at: '', kind: 'born', id: String(seq) }) as ServiceNotice;
    expect(mergeNotices([item(5), item(3)], [item(3), item(1), item(9)]).map((one) => one.seq)).toEqual([9, 5, 3, 1]);
  });
});

describe('a report card', () => {
  it('lists what is broken, worst first', () => {
    const one = (id: string, status: ProviderService['status'], score?: number): ProviderService => ({ id, status, score, kind: 'wms', url: id, reason: '' });
    const all = [one('a', 'alive'), one('b', 'degraded', 60), one('c', 'dead'), one('d', 'degraded', 20), one('e', 'restricted'), one('f', 'unchecked'), one('g', 'blocked')];
    expect(sortByGravity(all).map((service) => service.id)).toEqual(['c', 'd', 'b', 'g']);
  });
});
