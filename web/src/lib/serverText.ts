// Translates sentences of the server into the language of the page. The API is in English; its sentences are looked
// up in a catalogue. Unknown sentences stay unchanged.
//
// Keys of the catalogue are English sentences with placeholders:
//   {name}   any text, kept as it is
//   {name?}  any text, translated where it is known
//   {name!}  only text that has a translation
//   {name*}  a list with commas, each part translated where it is known
//   {name#}  only a number
//   {name@}  only a moment, e.g. 2026-01-31T12:00:00Z
// Translations name the same values, as messages of the page do: `{name}`, `{name|one|many}`.

import { fillPlaceholders, formatNumber, serverSentences } from './messages.svelte';
import { formatExactTime } from './localDates';

/** Longer texts come from third parties or are documents. */
const LONGEST = 2000;
/** Maximum nesting of sentences inside sentences. */
const DEEPEST = 5;

type Sort = '' | '?' | '!' | '*' | '#' | '@';

interface Pattern {
  /** Literal texts around the placeholders; one more than there are placeholders. */
  literals: string[];
  names: string[];
  sorts: Sort[];
  translation: string;
}

export interface SentenceCatalogue {
  exact: ReadonlyMap<string, string>;
  /** Sorted by length of the literal text, longest first. */
  patterns: readonly Pattern[];
}

/** Prepares a catalogue for `translateText`. */
export function compileCatalogue(sentences: Readonly<Record<string, string>>): SentenceCatalogue {
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

/** Returns the text with all known parts translated. */
export function translateText(catalogue: SentenceCatalogue, text: string): string {
  if (text.length > LONGEST) return text;
  return known(catalogue, text, 0) ?? inParts(catalogue, text);
}

function inParts(catalogue: SentenceCatalogue, text: string): string {
  const parts = text.split(/(; |(?<=[.!?]) )/);
  if (parts.length === 1) return text;
  return parts.map((part, at) => (at % 2 === 1 ? part : (known(catalogue, part, 1) ?? part))).join('');
}

/** Returns the translation of a text; ignores a final full stop and the case of the first letter. */
function known(catalogue: SentenceCatalogue, text: string, depth: number): string | null {
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

function look(catalogue: SentenceCatalogue, text: string, depth: number): string | null {
  const whole = catalogue.exact.get(text);
  if (whole !== undefined) return whole;
  for (const pattern of catalogue.patterns) {
    const values = match(catalogue, pattern, text, depth);
    if (values) return fillPlaceholders(pattern.translation, values);
  }
  return null;
}

/** Matches literals from left to right, each at its first occurrence; runs in linear time for any text. */
function match(catalogue: SentenceCatalogue, pattern: Pattern, text: string, depth: number): Record<string, string | number> | null {
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
    const value = translateValue(catalogue, sorts[at]!, texts[at]!, depth + 1);
    if (value === null) return null;
    values[name] = value;
  }
  return values;
}

function translateValue(catalogue: SentenceCatalogue, sort: Sort, text: string, depth: number): string | number | null {
  if (sort === '!') return known(catalogue, text, depth);
  if (sort === '?') return known(catalogue, text, depth) ?? (depth > 1 ? text : inParts(catalogue, text));
  if (sort === '*') return text.split(', ').map((one) => known(catalogue, one, depth) ?? one).join(', ');
  if (sort === '#') return text.includes('.') ? formatNumber(Number(text), text.split('.')[1]!.length) : Number(text);
  return sort === '@' ? formatExactTime(text) : text;
}

let compiled: { of: Readonly<Record<string, string>>; catalogue: SentenceCatalogue } | null = null;

/** Translates a sentence of the server into the language of the page. */
export function translateSentence(text: string): string;
export function translateSentence(text: string | null | undefined): string | null | undefined;
export function translateSentence(text: string | null | undefined): string | null | undefined {
  const sentences = serverSentences();
  if (!sentences || !text) return text;
  if (compiled?.of !== sentences) compiled = { of: sentences, catalogue: compileCatalogue(sentences) };
  return translateText(compiled.catalogue, text);
}
