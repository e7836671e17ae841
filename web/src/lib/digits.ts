// Numbers as text. `Intl.NumberFormat` takes ten milliseconds to start, more than all else that the first look at a
// page does with numbers; the languages we ship are few and their marks are known.

const marks: Record<string, { group: string; point: string }> = { en: { group: ',', point: '.' }, de: { group: '.', point: ',' } };
const formats = new Map<string, Intl.NumberFormat>();

export interface Grouping {
  /** The least number of digits that is grouped. */
  from?: number;
  /** What stands between groups, instead of the language's own mark. */
  group?: string;
}

/** With at most `digits` after the point. */
export function digitsOf(value: number, language: string, digits = 0, { from = 4, group }: Grouping = {}): string {
  const mark = marks[language];
  const size = 10 ** digits;
  if (!mark || digits > 6 || !(Math.abs(value) < 1e12)) return byPlatform(value, language, digits, from, group);
  const rounded = Math.round(Math.abs(value) * size) / size;
  const [whole = '0', part] = String(rounded).split('.');
  const front = whole.length < from ? whole : whole.replace(/\B(?=(\d{3})+$)/g, group ?? mark.group);
  return `${value < 0 ? '-' : ''}${front}${part ? mark.point + part : ''}`;
}

function byPlatform(value: number, language: string, digits: number, from: number, group: string | undefined): string {
  const key = `${language} ${digits} ${from}`;
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.NumberFormat(language, { maximumFractionDigits: digits, useGrouping: from > 4 ? 'min2' : true })));
  if (group === undefined) return format.format(value);
  return format.formatToParts(value).map((part) => (part.type === 'group' ? group : part.value)).join('');
}
