import { describe, expect, it } from 'vitest';
import { isDrawableKind } from '../map/layers/kinds';
import { familyOf } from './kinds.svelte';

describe('kinds before the server has answered', () => {
  it('have the family that the server gives them', () => {
    expect(['arcgis-portal', 'maplibre-style', 'ogcapi-styles'].map(familyOf)).toEqual(['catalogue', 'wms', 'wms']);
    expect(familyOf('no-such-kind')).toBe('other');
  });
  it('can be shown where a file draws them', () => {
    expect(['wms', 'cog', 'csw', 'constructor'].map(isDrawableKind)).toEqual([true, true, false, false]);
  });
});
