// Formats numbers, sizes and times in a given language.

import { formatDigits, THIN_SPACE } from '../lib/numberFormat';

export { formatExactTime, formatRelativeTime } from '../lib/dateFormat';

/** Formats a number, or returns a dash for a missing value. */
export function formatCount(value: number, language: string, digits = 0): string {
  if (!Number.isFinite(value)) return '–';
  return formatDigits(value, language, digits);
}

/** Formats a number for tight spaces: 950, 9.5k, 1.2M. */
export function formatCompact(value: number, language: string): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) < 10_000) return formatCount(value, language);
  const [unit, size] = Math.abs(value) < 1e6 ? ['k', 1e3] : Math.abs(value) < 1e9 ? ['M', 1e6] : ['G', 1e9];
  const shown = value / (size as number);
  return formatCount(shown, language, Math.abs(shown) < 10 ? 1 : 0) + THIN_SPACE + unit;
}

/** Formats a rate with two significant digits: 0.04, 3.1, 120. */
export function formatRate(value: number, language: string): string {
  const size = Math.abs(value);
  return formatCount(value, language, size === 0 || size >= 100 ? 0 : size >= 1 ? 1 : 2);
}

/** Formats a size in decimal units (kB, MB). */
export function formatBytes(value: number, language: string): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let shown = value;
  let unit = 0;
  while (Math.abs(shown) >= 999.5 && unit < units.length - 1) {
    shown /= 1000;
    unit += 1;
  }
  return formatCount(shown, language, unit === 0 || shown >= 100 ? 0 : 1) + THIN_SPACE + units[unit];
}

/** Formats a duration: 0.4 s, 42 s, 3 min 5 s, 2 h 10 min, 4 d 3 h. */
export function formatDuration(milliseconds: number, language: string): string {
  if (!Number.isFinite(milliseconds)) return '–';
  const seconds = Math.max(0, milliseconds / 1000);
  if (seconds < 10) return `${formatCount(seconds, language, 1)}${THIN_SPACE}s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}${THIN_SPACE}s`;
  const two = (big: number, bigUnit: string, small: number, smallUnit: string) =>
    `${big}${THIN_SPACE}${bigUnit}` + (small > 0 ? ` ${small}${THIN_SPACE}${smallUnit}` : '');
  if (whole < 3600) return two(Math.floor(whole / 60), 'min', whole % 60, 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 24 * 60) return two(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(seconds / 3600);
  return two(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

/** Splits an address into host and rest, for table rows; returns invalid addresses as they are. */
export function hostAndPath(url: string): { host: string; path: string } {
  try {
    const parsed = new URL(url);
    return { host: parsed.host, path: parsed.pathname + parsed.search };
  } catch {
    return { host: url, path: '' };
  }
}

/** Formats the four numbers of a box with few digits. */
export function formatBoxText(box: readonly number[]): string {
  return box.map((side) => String(Math.round(side * 1000) / 1000)).join(', ');
}

/** Returns finds per 100 pages; null before the first page. */
export function yieldPer100(found: number, pages: number): number | null {
  return pages > 0 ? (found * 100) / pages : null;
}
