import { describe, expect, it } from 'vitest';
import { readSearchParams, activeFilters, removeFilter, searchKey, searchOnly, toggleValue } from './searchQuery';

const query = (text: string) => new URLSearchParams(text);

describe('the question in the address', () => {
  it('becomes parameters of the API', () => {
    expect(readSearchParams(query('q= flood +&bbox=5,47,15,55&relation=within&kind=wms&kind=wfs&sort=newest&by=layers&from=2020&to=2021-05-01&map=a~b~1&tab=raw'))).toEqual({
      q: 'flood', bbox: '5,47,15,55', relation: 'within', kind: ['wms', 'wfs'], sort: 'newest', by: 'layers', from: '2020', to: '2021-05-01',
    });
    expect(readSearchParams(query('q=&bbox=nonsense&relation=within&sort=evil&by=x&from=soon'))).toEqual({});
  });
  it('asks the same whatever belongs to the map', () => {
    expect(searchKey(query('q=a&at=1,2,3'))).toBe(searchKey(query('q=a&map=x~y~5&filters=open')));
    expect(searchKey(query('q=a'))).not.toBe(searchKey(query('q=a&bbox=1,2,3,4')));
  });
  it('lifts filters one by one', () => {
    const all = query('q=a&bbox=165,-48,-175,-33&place=view&kind=wms&kind=wfs&from=2020&at=1,2,3');
    expect(activeFilters(all)).toEqual([{ key: 'bbox' }, { key: 'time' }, { key: 'kind', value: 'wms' }, { key: 'kind', value: 'wfs' }]);
    expect(removeFilter(all, { key: 'bbox' }).toString()).toBe('q=a&kind=wms&kind=wfs&from=2020&at=1%2C2%2C3');
    expect(removeFilter(all, { key: 'kind', value: 'wms' }).getAll('kind')).toEqual(['wfs']);
    expect(removeFilter(all, { key: 'time' }).has('from')).toBe(false);
    expect(searchOnly(all).has('at')).toBe(false);
  });
  it('chooses and takes back', () => {
    expect(toggleValue(query('kind=wms'), 'kind', 'wfs')).toEqual(['wms', 'wfs']);
    expect(toggleValue(query('kind=wms'), 'kind', 'wms')).toEqual([]);
  });
});
