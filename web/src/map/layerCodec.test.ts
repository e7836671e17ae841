import { describe, expect, it } from 'vitest';
import { decodeLayers, encodeLayers, layerKey, maxLayers, type ChosenLayer } from './layerCodec';

const layer = (id: string, name = '', opacity = 100, proxied = false): ChosenLayer => ({ id, layer: name, opacity, proxied });

describe('layers in the address', () => {
  it('comes back as it went', () => {
    const list = [layer('a1', 'ns:roads', 80), layer('b2', 'x,y~z &%', 5, true), layer('c3')];
    expect(decodeLayers(encodeLayers(list))).toEqual(list);
    const query = new URLSearchParams({ map: encodeLayers(list) });
    expect(decodeLayers(new URLSearchParams(query.toString()).get('map'))).toEqual(list);
  });
  it('leaves out what is no layer', () => {
    expect(decodeLayers(null)).toEqual([]);
    expect(decodeLayers('~x~5,%~a~1,,a~b~999,a~b~3')).toEqual([layer('a', 'b', 100)]);
    expect(decodeLayers('a~b~zzz')).toEqual([layer('a', 'b', 100)]);
    expect(decodeLayers(Array.from({ length: 99 }, (_, at) => `r${at}`).join(','))).toHaveLength(maxLayers);
  });
  it('names a layer without spaces', () => expect(layerKey({ id: 'a b', layer: 'c~d' })).toBe('a%20b~c%7Ed'));
});
