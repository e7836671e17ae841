import { describe, expect, it } from 'vitest';
import type { NewsItem, ProviderService } from '../lib/monitoring';
import { bodyOf, draftOf, faultOf, hostsOf, newDraft } from './alertDraft';
import { merged } from './mergeNotices';
import { brokenFirst } from './providerReport';

describe('an alert', () => {
  const good = { ...newDraft(), name: 'Deaths', target: 'https://hooks.example/geo' };
  it('needs a name, an address and something to tell', () => {
    expect(faultOf(good)).toBeNull();
    expect(faultOf({ ...good, name: ' ' })).toBe('name');
    expect(faultOf({ ...good, target: 'hooks.example' })).toBe('target');
    expect(faultOf({ ...good, target: 'ftp://hooks.example/' })).toBe('target');
    expect(faultOf({ ...good, channel: 'email' })).toBe('target');
    expect(faultOf({ ...good, channel: 'email', target: 'a@b.example' })).toBeNull();
    expect(faultOf({ ...good, kinds: [] })).toBe('kinds');
  });
  it('takes hosts as people type them', () => {
    expect(hostsOf('maps.example\nhttps://GIS.example:8080/wms?x, maps.example')).toEqual(['maps.example', 'gis.example:8080']);
    expect(hostsOf(' \n ')).toEqual([]);
  });
  it('keeps its secret unless a new one is typed', () => {
    expect('secret' in bodyOf(good)).toBe(false);
    expect(bodyOf({ ...good, secret: 'x' })['secret']).toBe('x');
    expect('secret' in bodyOf({ ...good, channel: 'email', target: 'a@b.example', secret: 'x' })).toBe(false);
  });
  it('comes back as it was sent', () => {
    const body = bodyOf({ ...good, hosts: 'a.example b.example' });
    const again = draftOf({ ...(body as unknown as Parameters<typeof draftOf>[0]), number: 1 });
    expect(bodyOf(again)).toEqual(body);
  });
});

describe('news', () => {
  it('are told once, newest first', () => {
    const item = (seq: number) => ({ seq, at: '', kind: 'born', id: String(seq) }) as NewsItem;
    expect(merged([item(5), item(3)], [item(3), item(1), item(9)]).map((one) => one.seq)).toEqual([9, 5, 3, 1]);
  });
});

describe('a report card', () => {
  it('lists what is broken, worst first', () => {
    const one = (id: string, status: ProviderService['status'], score?: number): ProviderService => ({ id, status, score, kind: 'wms', url: id, reason: '' });
    const all = [one('a', 'alive'), one('b', 'degraded', 60), one('c', 'dead'), one('d', 'degraded', 20), one('e', 'restricted'), one('f', 'unchecked'), one('g', 'blocked')];
    expect(brokenFirst(all).map((service) => service.id)).toEqual(['c', 'd', 'b', 'g']);
  });
});
