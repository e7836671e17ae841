import { describe, expect, it, vi } from 'vitest';

vi.stubGlobal('location', { pathname: '/', search: '', origin: 'http://here' });
vi.stubGlobal('addEventListener', () => {});
const { carryMapState: carry, changeQuery: changed, formatAddress: spell } = await import('./router.svelte');

describe('addresses', () => {
  it('carries what stays with the map to another page', () => {
    const before = new URLSearchParams('q=flood&map=a~b~80&at=9,49,5&show=density');
    expect(carry('/tasks', before)).toBe('/tasks?map=a~b~80&at=9,49,5&show=density');
    expect(carry('/?map=z', before)).toBe('/?map=z&at=9,49,5&show=density');
    expect(carry('/help', new URLSearchParams())).toBe('/help');
  });
  it('changes parts of a query', () => {
    const before = new URLSearchParams('q=a&kind=wms&kind=wfs');
    expect(changed(before, { kind: ['wms'], q: null, sort: 'title' }).toString()).toBe('kind=wms&sort=title');
    expect(changed(before, { kind: [] }).toString()).toBe('q=a');
    expect(changed(before, { q: '' }).has('q')).toBe(false);
    expect(before.toString()).toBe('q=a&kind=wms&kind=wfs');
  });
  it('spells boxes for reading', () => expect(spell('/', new URLSearchParams({ bbox: '1,2,3,4', q: 'a b&c' }))).toBe('/?bbox=1,2,3,4&q=a+b%26c'));
});
