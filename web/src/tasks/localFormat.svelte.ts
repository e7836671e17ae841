// The formats of format.ts in the language of the page, and a clock for relative times.

import { currentLanguage, t } from '../lib/messages.svelte';
import { ApiError } from '../lib/api';
export { countryName } from '../lib/gazetteer';
import * as format from './format';

export const count = (value: number, digits = 0) => format.count(value, currentLanguage(), digits);
export const compact = (value: number) => format.compact(value, currentLanguage());
export const rate = (value: number) => format.rate(value, currentLanguage());
export const bytes = (value: number) => format.bytes(value, currentLanguage());
export const duration = (milliseconds: number) => format.duration(milliseconds, currentLanguage());
export const exact = (moment: string | number) => format.formatExactTime(moment, currentLanguage());
export const relative = (moment: string | number) => format.formatRelativeTime(moment, now, currentLanguage());

let now = $state(Date.now());
if (typeof window !== 'undefined') setInterval(() => (now = Date.now()), 10_000);

/** What went wrong, in words for people. */
export function wrong(error: unknown): string {
  return error instanceof ApiError ? error.message : t('desk.unexpected');
}

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
