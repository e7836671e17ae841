// Moments in words, in a language.

import { formatDigits } from './numberFormat';

// The platform's formatters take a phone seventy milliseconds to start: of what a page says at first, the languages we
// ship have their words here, and the one of exact moments is made when it is first needed, and kept.
type Unit = 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year';

interface Words {
  now: string;
  past: string;
  future: string;
  units: Record<Unit, [one: string, many: string]>;
  /** What has a word of its own, by how many units it is away. */
  own: Partial<Record<Unit, Record<number, string>>>;
}

const known: Record<string, Words> = {
  en: {
    now: 'now',
    past: '{} ago',
    future: 'in {}',
    units: { second: ['second', 'seconds'], minute: ['minute', 'minutes'], hour: ['hour', 'hours'], day: ['day', 'days'], month: ['month', 'months'], year: ['year', 'years'] },
    own: { day: { [-1]: 'yesterday', 1: 'tomorrow' }, month: { [-1]: 'last month', 1: 'next month' }, year: { [-1]: 'last year', 1: 'next year' } },
  },
  de: {
    now: 'jetzt',
    past: 'vor {}',
    future: 'in {}',
    units: { second: ['Sekunde', 'Sekunden'], minute: ['Minute', 'Minuten'], hour: ['Stunde', 'Stunden'], day: ['Tag', 'Tagen'], month: ['Monat', 'Monaten'], year: ['Jahr', 'Jahren'] },
    own: {
      day: { [-2]: 'vorgestern', [-1]: 'gestern', 1: 'morgen', 2: 'übermorgen' },
      month: { [-1]: 'letzten Monat', 1: 'nächsten Monat' },
      year: { [-1]: 'letztes Jahr', 1: 'nächstes Jahr' },
    },
  },
};

const relativeFormats = new Map<string, Intl.RelativeTimeFormat>();
const exactFormats = new Map<string, Intl.DateTimeFormat>();
function kept<Format>(formats: Map<string, Format>, language: string, make: () => Format): Format {
  let format = formats.get(language);
  if (!format) formats.set(language, (format = make()));
  return format;
}

const STEPS: [Unit, number, number][] = [
  ['second', 1, 60],
  ['minute', 60, 60],
  ['hour', 3600, 24],
  ['day', 86_400, 30],
  ['month', 2_629_800, 12],
  ['year', 31_557_600, Infinity],
];

/** So many units from now; nothing of them is now. */
export function formatDistance(amount: number, unit: Unit, language: string): string {
  const words = known[language];
  if (!words) return kept(relativeFormats, language, () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' })).format(amount, unit);
  if (amount === 0) return words.now;
  const own = words.own[unit]?.[amount];
  if (own) return own;
  const many = Math.abs(amount);
  return (amount < 0 ? words.past : words.future).replace('{}', `${formatDigits(many, language)} ${words.units[unit][many === 1 ? 0 : 1]}`);
}

/** A moment seen from now: "3 minutes ago", "in 2 hours". */
export function formatRelativeTime(moment: string | number | Date, now: number, language: string): string {
  const then = new Date(moment).getTime();
  if (Number.isNaN(then)) return '–';
  const seconds = (then - now) / 1000;
  if (Math.abs(seconds) < 5) return formatDistance(0, 'second', language);
  for (const [unit, size, upTo] of STEPS) {
    const amount = Math.round(seconds / size);
    if (Math.abs(amount) < upTo) return formatDistance(amount, unit, language);
  }
  return formatExactTime(moment, language);
}

/**
 * Returns the first of the browser's locales that speaks the language, so that dates have the order of the reader's
 * region (en-GB or en-US); without one, the language itself.
 */
export function localeFor(language: string, preferred: readonly string[] = globalThis.navigator?.languages ?? []): string {
  return preferred.find((locale) => locale === language || locale.startsWith(`${language}-`)) ?? language;
}

/** A moment to the second, with its zone: what hovering a relative time shows. */
export function formatExactTime(moment: string | number | Date, language: string): string {
  const then = new Date(moment);
  if (Number.isNaN(then.getTime())) return String(moment);
  return kept(exactFormats, language, () => new Intl.DateTimeFormat(localeFor(language), { dateStyle: 'medium', timeStyle: 'long' })).format(then);
}
