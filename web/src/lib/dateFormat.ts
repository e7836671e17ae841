// Formats dates and relative times in a given language.

import { formatDigits } from './numberFormat';

// The platform's formatters take 70 ms to start on a phone, so the relative times of the shipped languages are
// implemented here, and the formatter of exact times is created when it is first needed.
type Unit = 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year';

interface Words {
  now: string;
  past: string;
  future: string;
  units: Record<Unit, [one: string, many: string]>;
  /** Special words such as "yesterday", by number of units. */
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

/** Formats a distance in time from now; zero is "now". */
export function formatDistance(amount: number, unit: Unit, language: string): string {
  const words = known[language];
  if (!words) return kept(relativeFormats, language, () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' })).format(amount, unit);
  if (amount === 0) return words.now;
  const own = words.own[unit]?.[amount];
  if (own) return own;
  const many = Math.abs(amount);
  return (amount < 0 ? words.past : words.future).replace('{}', `${formatDigits(many, language)} ${words.units[unit][many === 1 ? 0 : 1]}`);
}

/** Formats a time relative to now: "3 minutes ago", "in 2 hours". */
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
 * Returns the first browser locale of the language, so that dates have the order of the reader's
 * region (en-GB or en-US); if there is none, the language itself.
 */
export function localeFor(language: string, preferred: readonly string[] = globalThis.navigator?.languages ?? []): string {
  return preferred.find((locale) => locale === language || locale.startsWith(`${language}-`)) ?? language;
}

/** Formats a time to the second with its time zone, for titles of relative times. */
export function formatExactTime(moment: string | number | Date, language: string): string {
  const then = new Date(moment);
  if (Number.isNaN(then.getTime())) return String(moment);
  return kept(exactFormats, language, () => new Intl.DateTimeFormat(localeFor(language), { dateStyle: 'medium', timeStyle: 'long' })).format(then);
}
