// Sentences of the server in the language of the page. The API is in English, for programs; what people read is looked
// up in a catalogue of sentences. Unknown sentences stay as they are.
//
// Keys of the catalogue are English sentences with placeholders:
//   {name}   any text, kept as it is
//   {name?}  any text, translated where it is known
//   {name!}  only text that has a translation
//   {name*}  a list with commas, each part translated where it is known
//   {name#}  only a number
//   {name@}  only a moment, e.g. 2026-01-31T12:00:00Z
// Translations name the same values, as messages of the page do: `{name}`, `{name|one|many}`.

import { fill, number, serverSentences } from './messages.svelte';
import { exact } from './when';

/** Longer texts come from third parties or are documents. */
const LONGEST = 2000;
/** Of sentences inside sentences. */
const DEEPEST = 5;

type Sort = '' | '?' | '!' | '*' | '#' | '@';

interface Pattern {
  /** Texts before, between and after the placeholders; one more than these. */
  literals: string[];
  names: string[];
  sorts: Sort[];
  translation: string;
}

export interface Catalogue {
  exact: ReadonlyMap<string, string>;
  /** Most literal text first. */
  patterns: readonly Pattern[];
}

/** Prepares a catalogue for `translate`. */
export function compile(sentences: Readonly<Record<string, string>>): Catalogue {
  const whole = new Map<string, string>();
  const patterns: Pattern[] = [];
  for (const [key, translation] of Object.entries(sentences)) {
    const parts = key.split(/\{(\w+)([?!*#@]?)\}/);
    if (parts.length === 1) whole.set(key, translation);
    else patterns.push({ literals: parts.filter((_, at) => at % 3 === 0), names: parts.filter((_, at) => at % 3 === 1), sorts: parts.filter((_, at) => at % 3 === 2) as Sort[], translation });
  }
  const weight = (pattern: Pattern) => pattern.literals.join('').length;
  return { exact: whole, patterns: patterns.sort((a, b) => weight(b) - weight(a)) };
}

/** Returns the text with everything translated that the catalogue has. */
export function translate(catalogue: Catalogue, text: string): string {
  if (text.length > LONGEST) return text;
  return known(catalogue, text, 0) ?? inParts(catalogue, text);
}

function inParts(catalogue: Catalogue, text: string): string {
  const parts = text.split(/(; |(?<=[.!?]) )/);
  if (parts.length === 1) return text;
  return parts.map((part, at) => (at % 2 === 1 ? part : (known(catalogue, part, 1) ?? part))).join('');
}

/** Returns the translation of a text; a full stop and a capital letter are no difference. */
function known(catalogue: Catalogue, text: string, depth: number): string | null {
  if (text === '' || depth > DEEPEST) return null;
  const spelled = (one: string) => look(catalogue, one, depth);
  const found = spelled(text);
  if (found !== null) return found;
  const other = text.endsWith('.') ? text.slice(0, -1) : `${text}.`;
  const stopped = spelled(other);
  if (stopped !== null) return text.endsWith('.') ? `${stopped}.` : stopped.replace(/\.$/, '');
  const small = text.charAt(0).toLowerCase() + text.slice(1);
  if (depth > 0 || small === text) return null;
  const lower = known(catalogue, small, depth + 1);
  return lower === null ? null : lower.charAt(0).toUpperCase() + lower.slice(1);
}

function look(catalogue: Catalogue, text: string, depth: number): string | null {
  const whole = catalogue.exact.get(text);
  if (whole !== undefined) return whole;
  for (const pattern of catalogue.patterns) {
    const values = match(catalogue, pattern, text, depth);
    if (values) return fill(pattern.translation, values);
  }
  return null;
}

/** Matches literals from left to right, each at its first place; the time is linear, whatever the text. */
function match(catalogue: Catalogue, pattern: Pattern, text: string, depth: number): Record<string, string | number> | null {
  const { literals, names, sorts } = pattern;
  const last = literals[literals.length - 1]!;
  if (!text.startsWith(literals[0]!) || !text.endsWith(last)) return null;
  const end = text.length - last.length;
  const texts: string[] = [];
  let from = literals[0]!.length;
  for (let at = 1; at < literals.length; at += 1) {
    const to = at === literals.length - 1 ? end : text.indexOf(literals[at]!, from + 1);
    if (to <= from || to > end) return null;
    texts.push(text.slice(from, to));
    from = to + literals[at]!.length;
  }
  // Cheap conditions first.
  if (sorts.some((sort, at) => (sort === '#' && !/^\d+(\.\d+)?$/.test(texts[at]!)) || (sort === '@' && !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(texts[at]!)))) return null;
  const values: Record<string, string | number> = {};
  for (const [at, name] of names.entries()) {
    const value = said(catalogue, sorts[at]!, texts[at]!, depth + 1);
    if (value === null) return null;
    values[name] = value;
  }
  return values;
}

function said(catalogue: Catalogue, sort: Sort, text: string, depth: number): string | number | null {
  if (sort === '!') return known(catalogue, text, depth);
  if (sort === '?') return known(catalogue, text, depth) ?? (depth > 1 ? text : inParts(catalogue, text));
  if (sort === '*') return text.split(', ').map((one) => known(catalogue, one, depth) ?? one).join(', ');
  if (sort === '#') return text.includes('.') ? number(Number(text), text.split('.')[1]!.length) : Number(text);
  return sort === '@' ? exact(text) : text;
}

let compiled: { of: Readonly<Record<string, string>>; catalogue: Catalogue } | null = null;

/** Returns a sentence of the server in the language of the page. */
export function translateSentence(text: string): string;
export function translateSentence(text: string | null | undefined): string | null | undefined;
export function translateSentence(text: string | null | undefined): string | null | undefined {
  const sentences = serverSentences();
  if (!sentences || !text) return text;
  if (compiled?.of !== sentences) compiled = { of: sentences, catalogue: compile(sentences) };
  return translate(compiled.catalogue, text);
}
