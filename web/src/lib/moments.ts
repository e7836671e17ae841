// Moments in words, in a language.

// Making a formatter costs a hundred times what using it does, the one of exact moments the most (seventy milliseconds
// on a phone): each is made when it is first needed, and kept.
const relativeFormats = new Map<string, Intl.RelativeTimeFormat>();
const exactFormats = new Map<string, Intl.DateTimeFormat>();
function kept<Format>(formats: Map<string, Format>, language: string, make: () => Format): Format {
  let format = formats.get(language);
  if (!format) formats.set(language, (format = make()));
  return format;
}

const STEPS: [Intl.RelativeTimeFormatUnit, number, number][] = [
  ['second', 1, 60],
  ['minute', 60, 60],
  ['hour', 3600, 24],
  ['day', 86_400, 30],
  ['month', 2_629_800, 12],
  ['year', 31_557_600, Infinity],
];

/** A moment seen from now: "3 minutes ago", "in 2 hours". */
export function relative(moment: string | number | Date, now: number, language: string): string {
  const then = new Date(moment).getTime();
  if (Number.isNaN(then)) return '–';
  const seconds = (then - now) / 1000;
  const words = kept(relativeFormats, language, () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));
  if (Math.abs(seconds) < 5) return words.format(0, 'second');
  for (const [unit, size, upTo] of STEPS) {
    const amount = Math.round(seconds / size);
    if (Math.abs(amount) < upTo) return words.format(amount, unit);
  }
  return exact(moment, language);
}

/** A moment to the second, with its zone: what hovering a relative time shows. */
export function exact(moment: string | number | Date, language: string): string {
  const then = new Date(moment);
  if (Number.isNaN(then.getTime())) return String(moment);
  return kept(exactFormats, language, () => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long' })).format(then);
}
