// Names of themes in the page's language. Fetched once, when the first theme is to be named.

import { api } from './api';
import { currentLanguage } from './messages.svelte';
import type { ThemesAnswer } from './trust-types';

type Labels = Record<string, string>;
let labels = $state.raw<ReadonlyMap<string, Labels>>(new Map());
let asked = false;

/** By term, and by scheme and term: a facet may hold either. */
export function labelsOf(answer: ThemesAnswer): Map<string, Labels> {
  const all = new Map<string, Labels>();
  for (const scheme of answer.schemes) {
    for (const term of scheme.terms) {
      for (const between of [':', '/']) all.set(`${scheme.id}${between}${term.id}`, term.label);
      if (!all.has(term.id)) all.set(term.id, term.label);
    }
  }
  return all;
}

/** The label in a language, else in English, else any, else the id as words. */
export function labelIn(all: ReadonlyMap<string, Labels>, id: string, language: string): string {
  const found = all.get(id) ?? {};
  return found[language] ?? found['en'] ?? Object.values(found)[0] ?? id.replace(/^[\w.-]+[:/](?=.)/, '').replaceAll(/[_-]+/g, ' ');
}

/** The name of a theme; its id until the names are there. */
export function themeName(id: string): string {
  if (!asked) {
    asked = true;
    // Not while something is being worked out: this is called from there.
    setTimeout(() => api.get<ThemesAnswer>('/themes').then((answer) => (labels = labelsOf(answer)), () => {}));
  }
  return labelIn(labels, id, currentLanguage());
}

/** Names for these values: vocabularies have some names in common, and then each says of which it is. */
export function toldApart(ids: string[], name: (id: string) => string): (id: string) => string {
  const times = new Map<string, number>();
  for (const id of ids) times.set(name(id), (times.get(name(id)) ?? 0) + 1);
  return (id) => {
    const [scheme, term] = id.split(/[:/]/, 2);
    return (times.get(name(id)) ?? 0) > 1 && term ? `${name(id)} (${scheme})` : name(id);
  };
}
