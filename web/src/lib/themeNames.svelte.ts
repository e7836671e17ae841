// Names of topic themes in the language of the page. Loaded once, when the first name is needed.

import { unwrapAnswer, client, type Schemas } from './api';
import { currentLanguage } from './messages.svelte';

/** Labels of a theme by language, and its vocabulary. */
interface NamedTheme {
  label: Record<string, string>;
  scheme: string;
}
type ThemeNames = ReadonlyMap<string, NamedTheme>;

let themes = $state.raw<ThemeNames>(new Map());
let asked = false;

/** Indexes themes by term, and by scheme and term: facets may contain either. */
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

/** Returns the label in a language, else in English, else any, else the id in words. */
export function themeLabel(all: ThemeNames, id: string, language: string): string {
  const found = all.get(id)?.label ?? {};
  return found[language] ?? found['en'] ?? Object.values(found)[0] ?? id.replace(/^[\w.-]+[:/](?=.)/, '').replaceAll(/[_-]+/g, ' ');
}

/** Returns the name of a theme, or its id until the names are loaded. */
export function themeName(id: string): string {
  if (!asked) {
    asked = true;
    // Deferred, because this function is called while derived values are computed.
    setTimeout(() => unwrapAnswer(client.GET('/themes')).then((answer) => (themes = indexThemeNames(answer)), () => {}));
  }
  return themeLabel(themes, id, currentLanguage());
}

/** Returns the vocabulary of a theme, once the names are loaded. */
export function themeScheme(id: string): string | undefined {
  return themes.get(id)?.scheme;
}

/** Returns a function that names themes; adds the vocabulary where two have the same name. */
export function distinctThemeNames(ids: string[], name = themeName, scheme = themeScheme): (id: string) => string {
  const times = new Map<string, number>();
  for (const id of ids) times.set(name(id), (times.get(name(id)) ?? 0) + 1);
  return (id) => {
    const of = (times.get(name(id)) ?? 0) > 1 ? scheme(id) : undefined;
    return of ? `${name(id)} (${of})` : name(id);
  };
}
