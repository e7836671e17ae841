// Names of themes in the page's language. Fetched once, when the first theme is to be named.

import { unwrapAnswer, client, type Schemas } from './api';
import { currentLanguage } from './messages.svelte';

/** What a theme is called by language, and the vocabulary that says so. */
interface NamedTheme {
  label: Record<string, string>;
  scheme: string;
}
type ThemeNames = ReadonlyMap<string, NamedTheme>;

let themes = $state.raw<ThemeNames>(new Map());
let asked = false;

/** By term, and by scheme and term: a facet may hold either. */
export function indexThemeNames(answer: Schemas['Schemes']): ThemeNames {
  const all = new Map<string, NamedTheme>();
  for (const scheme of answer.schemes) {
    for (const { id, label } of scheme.terms) {
      const theme = { label, scheme: scheme.title || scheme.id };
      for (const between of [':', '/']) all.set(`${scheme.id}${between}${id}`, theme);
      if (!all.has(id)) all.set(id, theme);
    }
  }
  return all;
}

/** The label in a language, else in English, else any, else the id as words. */
export function themeLabel(all: ThemeNames, id: string, language: string): string {
  const found = all.get(id)?.label ?? {};
  return found[language] ?? found['en'] ?? Object.values(found)[0] ?? id.replace(/^[\w.-]+[:/](?=.)/, '').replaceAll(/[_-]+/g, ' ');
}

/** The name of a theme; its id until the names are there. */
export function themeName(id: string): string {
  if (!asked) {
    asked = true;
    // Not while something is being worked out: this is called from there.
    setTimeout(() => unwrapAnswer(client.GET('/themes')).then((answer) => (themes = indexThemeNames(answer)), () => {}));
  }
  return themeLabel(themes, id, currentLanguage());
}

/** The vocabulary of a theme, once the names are there. */
export function themeScheme(id: string): string | undefined {
  return themes.get(id)?.scheme;
}

/** Names for these themes: vocabularies have some names in common, and then each says of which it is. */
export function distinctThemeNames(ids: string[], name = themeName, scheme = themeScheme): (id: string) => string {
  const times = new Map<string, number>();
  for (const id of ids) times.set(name(id), (times.get(name(id)) ?? 0) + 1);
  return (id) => {
    const of = (times.get(name(id)) ?? 0) > 1 ? scheme(id) : undefined;
    return of ? `${name(id)} (${of})` : name(id);
  };
}
