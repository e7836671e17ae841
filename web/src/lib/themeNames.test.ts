import { describe, expect, it } from 'vitest';
import { themeLabel, indexThemeNames, distinctThemeNames } from './themeNames.svelte';

describe('themes', () => {
  const all = indexThemeNames({
    schemes: [
      { id: 'inspire', title: 'INSPIRE', titles: {}, terms: [{ id: 'so', label: { en: 'Soil', de: 'Boden' } }, { id: 'lc', label: { fr: 'Occupation des terres' } }] },
      { id: 'iso', title: 'ISO 19115', titles: {}, terms: [{ id: 'so', label: { en: 'Society' } }] },
    ],
  });
  it('are named in the language, else in English, else in any', () => {
    expect(themeLabel(all, 'inspire:so', 'de')).toBe('Boden');
    expect(themeLabel(all, 'inspire/so', 'fr')).toBe('Soil');
    expect(themeLabel(all, 'inspire:lc', 'de')).toBe('Occupation des terres');
  });
  it('are found by the term alone, the first scheme first', () => {
    expect(themeLabel(all, 'so', 'en')).toBe('Soil');
    expect(themeLabel(all, 'iso:so', 'en')).toBe('Society');
  });
  it('of one name say of which vocabulary they are', () => {
    const of = (id: string): string | undefined => ({ el: 'INSPIRE', elevation: 'ISO 19115' })[id];
    const name = distinctThemeNames(['el', 'elevation', 'so'], (id) => (id.startsWith('el') ? 'Elevation' : 'Society'), of);
    expect(['el', 'elevation', 'so'].map(name)).toEqual(['Elevation (INSPIRE)', 'Elevation (ISO 19115)', 'Society']);
    expect(all.get('iso/so')?.scheme).toBe('ISO 19115');
  });
  it('without a name are their id, readable', () => {
    expect(themeLabel(all, 'landcover:ice_and_snow', 'en')).toBe('ice and snow');
    expect(themeLabel(all, 'forest', 'en')).toBe('forest');
  });
});
