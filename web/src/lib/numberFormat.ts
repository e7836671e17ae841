// Number formatting: narrow spaces between groups of three, the decimal mark of the language.
// `Intl.NumberFormat` takes ten milliseconds to start, longer than everything else the first page does with
// numbers; only few languages are shipped and their marks are known.

/** Separates groups of digits, and a number from its unit; does not break. */
export const THIN_SPACE = '\u202f';

const points: Record<string, string> = { en: '.', de: ',' };
const formats = new Map<string, Intl.NumberFormat>();

/** Formats a number with at most `digits` decimals. */
export function formatDigits(value: number, language: string, digits = 0): string {
  const point = points[language];
  const size = 10 ** digits;
  if (!point || digits > 6 || !(Math.abs(value) < 1e12)) return byPlatform(value, language, digits);
  const rounded = Math.round(Math.abs(value) * size) / size;
  const [whole = '0', part] = String(rounded).split('.');
  return `${value < 0 ? '-' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE)}${part ? point + part : ''}`;
}

function byPlatform(value: number, language: string, digits: number): string {
  const key = `${language} ${digits}`;
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.NumberFormat(language, { maximumFractionDigits: digits, useGrouping: true })));
  return format.formatToParts(value).map((part) => (part.type === 'group' ? THIN_SPACE : part.value)).join('');
}
